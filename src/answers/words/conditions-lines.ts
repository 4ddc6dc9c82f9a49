import { dataRecord } from '../../base/data-record.ts'
import type { DeepReadonly } from '../../base/deep-readonly.ts'
import type { Conditions } from '../../contract/conditions.ts'
import { writtenName } from '../../study/writing/written-name.ts'

/** Conditions as the lines of a scenario in a study, each kind on one line. */
export function conditionsLines({
  categorical = {},
  bounds = {},
  cells = [],
  numeric,
  means,
}: StatedConditions): readonly string[] {
  const shares = dataRecord(
    [...new Set([...Object.keys(categorical), ...Object.keys(bounds)])].map((column) => [
      column,
      dataRecord<number | Ends>([
        ...Object.entries(own(categorical, column) ?? {}),
        ...Object.entries(own(bounds, column) ?? {}),
      ]),
    ]),
  )
  const tables = cells.map(({ columns, shares: of }) => {
    const rows = of.map(({ levels, share }) => listText([...levels.map(writtenName), String(share)]))
    return `{ of: ${listText(columns.map(writtenName))}, shares: ${listText(rows)} }`
  })
  const kinds = [
    ['shares', mapText(shares, (levels) => mapText(levels, endsOrNumber))],
    ['ranges', mapText(numeric, ({ min, max }) => `{ min: ${endText(min)}, max: ${endText(max)} }`)],
    ['means', mapText(means, (mean) => endsOrNumber(mean))],
    ['cells', tables.length === 0 ? '' : listText(tables)],
  ] as const
  return kinds.filter(([, text]) => text !== '').map(([word, text]) => `${word}: ${text}`)
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
