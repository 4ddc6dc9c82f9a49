import { endText } from '../../answers/words/conditions-lines.ts'
import { writtenName } from '../../study/writing/written-name.ts'
import type { AskedOutcome, CountedIn, KeptScenarios } from '../wire/messages.ts'

/** A comparison as the entry of a list in a study, on one line: what the page asks of its scenarios. */
export function comparisonLine(
  id: string,
  against: string,
  { scenarios, outcomes, where, base, by }: KeptScenarios,
): string {
  const ids = scenarios.map((scenario) => writtenName(scenario.id))
  const columns = (of: AskedOutcome['of']) =>
    outcomes.filter((outcome) => outcome.of === of).map(({ column }) => writtenName(column))
  const parts = [
    `id: ${id}`,
    `scenarios: ${list(ids)}`,
    `against: ${writtenName(against)}`,
    ...(['shares', 'mean'] as const).flatMap((of) =>
      columns(of).length === 0 ? [] : [`${of === 'mean' ? 'means' : of}: ${list(columns(of))}`],
    ),
    ...mapPart('quantiles', quantilesByColumn(outcomes), (shares) => list(shares.map(String))),
    ...(by === undefined ? [] : [`by: ${writtenName(by)}`]),
    ...(base === undefined ? [] : [`base: ${base}`]),
    ...mapPart('where', new Map(where.map((filter) => [filter.column, filter])), filterText),
  ]
  return `- { ${parts.join(', ')} }`
}

function quantilesByColumn(outcomes: readonly AskedOutcome[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  for (const { column, of } of outcomes)
    if (typeof of === 'number')
      found.set(
        column,
        [...(found.get(column) ?? []), of].sort((a, b) => a - b),
      )
  return found
}

function filterText({ levels, min, max }: CountedIn[number]): string {
  if (levels !== undefined) return list(levels.map(writtenName))
  const ends = [
    ...(min === undefined ? [] : [`min: ${endText(min)}`]),
    ...(max === undefined ? [] : [`max: ${endText(max)}`]),
  ]
  return `{ ${ends.join(', ')} }`
}

const list = (texts: readonly string[]): string => `[${texts.join(', ')}]`

function mapPart<Value>(
  key: string,
  map: ReadonlyMap<string, Value>,
  textOf: (value: Value) => string,
): readonly string[] {
  const entries = [...map].map(([name, value]) => `${writtenName(name)}: ${textOf(value)}`)
  return entries.length === 0 ? [] : [`${key}: { ${entries.join(', ')} }`]
}
