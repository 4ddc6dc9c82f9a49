import { writtenName } from '../../study/writing/written-name.ts'
import type { Conditions } from '../wire/messages.ts'

/**
 * A scenario as the entry of a map in a study: its id, and its conditions on one line each.
 *
 * @param dataset Named where the study has several.
 */
export function scenarioLines(
  id: string,
  { categorical, numeric, means }: Conditions,
  dataset: string | null,
): readonly string[] {
  const kinds = [
    ['shares', mapText(categorical, (levels) => mapText(levels, String))],
    ['ranges', mapText(numeric, ({ min, max }) => `{ min: ${endText(min)}, max: ${endText(max)} }`)],
    ['means', mapText(means, (mean) => (typeof mean === 'number' ? String(mean) : mapText(mean, String)))],
  ] as const
  const stated = [
    ...(dataset === null ? [] : [['dataset', writtenName(dataset)] as const]),
    ...kinds.filter(([, text]) => text !== ''),
  ]
  if (stated.length === 0) return [`${id}: {}`]
  return [`${id}:`, ...stated.map(([word, text]) => `  ${word}: ${text}`)]
}

/** On one line. */
function mapText<Value>(map: Readonly<Record<string, Value>> = {}, textOf: (value: Value) => string): string {
  const entries = Object.entries(map).map(([name, value]) => `${writtenName(name)}: ${textOf(value)}`)
  return entries.length === 0 ? '' : `{ ${entries.join(', ')} }`
}

/** Dates and times stand without quotes. */
const endText = (end: number | string): string =>
  typeof end === 'number' || /^[\dTZ:.+-]+$/.test(end) ? String(end) : JSON.stringify(end)
