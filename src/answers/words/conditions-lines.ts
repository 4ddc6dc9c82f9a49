import { dataRecord } from '../../base/data-record.ts'
import type { DeepReadonly } from '../../base/deep-readonly.ts'
import type { Conditions } from '../../contract/conditions.ts'
import type { ConditionKindName } from '../../study/conditions/condition.ts'
import { CONDITION_KIND_NAMES, CONDITION_KINDS } from '../../study/conditions/kinds.ts'
import { writtenName } from '../../study/writing/written-name.ts'

/** Conditions as the lines of a scenario in a study, each kind on one line. */
export const conditionsLines = (stated: StatedConditions): readonly string[] =>
  CONDITION_KIND_NAMES.flatMap((kind) => {
    const text = WRITTEN[kind](stated)
    return text === '' ? [] : [`${CONDITION_KINDS[kind].word}: ${text}`]
  })

/** What stands under the word of a kind; empty: nothing. */
const WRITTEN: { readonly [K in ConditionKindName]: (stated: StatedConditions) => string } = {
  share: ({ categorical = {}, bounds = {} }) => {
    const columns = [...new Set([...Object.keys(categorical), ...Object.keys(bounds)])]
    const sharesOf = (column: string) =>
      dataRecord<number | Ends>([
        ...Object.entries(own(categorical, column) ?? {}),
        ...Object.entries(own(bounds, column) ?? {}),
      ])
    return mapText(dataRecord(columns.map((column) => [column, sharesOf(column)])), (levels) =>
      mapText(levels, endsOrNumber),
    )
  },
  range: ({ numeric }) => mapText(numeric, ({ min, max }) => `{ min: ${endText(min)}, max: ${endText(max)} }`),
  mean: ({ means }) => mapText(means, (mean) => endsOrNumber(mean)),
  cell: ({ cells = [] }) => {
    const tables = cells.map(({ columns, shares }) => {
      const rows = shares.map(({ levels, share }) => listText([...levels.map(writtenName), String(share)]))
      return `{ of: ${listText(columns.map(writtenName))}, shares: ${listText(rows)} }`
    })
    return tables.length === 0 ? '' : listText(tables)
  },
}

/** Conditions as requests and records have them. */
type StatedConditions = DeepReadonly<Conditions>

type Ends = { readonly min?: number | undefined; readonly max?: number | undefined }

const endsOrNumber = (stated: number | Ends): string =>
  typeof stated === 'number' ? String(stated) : mapText({ ...stated }, String)

const own = <Value>(map: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined

const listText = (texts: readonly string[]): string => `[${texts.join(', ')}]`

/** On one line. */
function mapText<Value>(map: Readonly<Record<string, Value>> = {}, textOf: (value: Value) => string): string {
  const entries = Object.entries(map).map(([name, value]) => `${writtenName(name)}: ${textOf(value)}`)
  return entries.length === 0 ? '' : `{ ${entries.join(', ')} }`
}

/** Dates and times stand without quotes. */
export const endText = (end: number | string): string =>
  typeof end === 'number' || /^[\dTZ:.+-]+$/.test(end) ? String(end) : JSON.stringify(end)
