import { chanceOfShare, nearestAllowed } from '../../answers/arithmetic/figures.ts'
import { meanTargetText } from '../../answers/words/mean-target-text.ts'
import { type ShareTarget, shareTargetsOf } from '../../answers/words/share-targets.ts'
import { percentText, pointsText, shareText, targetShareText } from '../../answers/words/share-text.ts'
import { note, type Table, table, worded } from '../../base/document/block.ts'
import { name, type Text } from '../../base/document/text.ts'
import { type Words, words } from '../../base/language/language.ts'
import { localNumber } from '../../base/language/local-number.ts'
import { countText } from '../../base/text/amount-text.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { ManifestScenario, MeanResult, RangeResult, RuleResult } from '../../records/manifest/scenarios.ts'
import { scenarioOrder } from '../scenario-names.ts'

const NONE = '–'
/** Rows of a table on a page. */
const MOST_ROWS = 400

interface OfScenario {
  readonly scenario: string
}

/** A share that a scenario asked for. */
export interface ShareLine extends ShareTarget, OfScenario {
  /** Of the scenario. */
  readonly rows: number
}

interface Named extends OfScenario {
  readonly column: string
}

type RangeLine = Named & RangeResult
type MeanLine = Named & MeanResult
type RuleLine = OfScenario & RuleResult

/** What the scenarios asked for, in the sequence of the study. */
const linesOf = <L>(manifest: Manifest, of: (scenario: ManifestScenario) => readonly L[]): (L & OfScenario)[] =>
  scenarioOrder(manifest).flatMap((scenario) =>
    of(manifest.scenarios[scenario]!).map((line) => ({ scenario, ...line })),
  )

const byColumn = <V>(record: Readonly<Record<string, V>> = {}): (V & { readonly column: string })[] =>
  Object.entries(record).map(([column, value]) => ({ column, ...value }))

export interface Targets {
  readonly shares: readonly ShareLine[]
  readonly ranges: readonly RangeLine[]
  readonly means: readonly MeanLine[]
  readonly rules: readonly RuleLine[]
}

export const targetsOf = (manifest: Manifest): Targets => ({
  shares: linesOf(manifest, (of) => shareTargetsOf(of).map((share) => ({ ...share, rows: of.rows.counted ?? 0 }))),
  ranges: linesOf(manifest, ({ ranges }) => byColumn(ranges)),
  means: linesOf(manifest, ({ means }) => byColumn(means)),
  rules: linesOf(manifest, ({ rules = [] }) => rules),
})

/** Everything that was asked for, beside what the rows have. */
export const targetTables = (manifest: Manifest, { shares, ranges, means, rules }: Targets): Table[] => [
  ...[shareTable(shares), leftTable(manifest), rangeTable(ranges), meanTable(means), ruleTable(rules)],
]

const most = (others: keyof Words['tables']['further']) => ({
  most: { rows: MOST_ROWS, others: words().tables.further[others] },
})

/** Columns, levels and rules are words. */
const headsOf = (...heads: readonly (keyof Words['tables']['heads'])[]): Table['columns'] =>
  heads.map((head) => {
    const of = words().tables.heads[head]
    return head === 'column' || head === 'level' || head === 'rule' ? worded(of) : of
  })

export function shareTable(shares: readonly ShareLine[]): Table {
  const { shares: title, noise } = words().tables
  return table(
    title,
    headsOf('scenario', 'column', 'level', 'target', 'achieved', 'difference', 'noise', 'rows'),
    shares.map(shareRow),
    { ...most('targets'), notes: [note(noise)] },
  )
}

const shareRow = ({ scenario, column, level, target, achieved, delta, count, rows }: ShareLine): Text[] => [
  ...[name(scenario), name(column), name(level), targetShareText(target), percentText(achieved)],
  ...[pointsText(delta), chanceText(nearestAllowed(achieved, target), rows), countText(count)],
]

const chanceText = (share: number, rows: number): string =>
  rows === 0 ? NONE : `${localNumber((100 * chanceOfShare(share, rows)).toFixed(1))}${words().figures.units.share}`

/** What scenarios that state shares of a column leave to the model: its other levels, and rows without a value. */
const leftTable = (manifest: Manifest): Table =>
  table(
    words().tables.sharesLeft,
    headsOf('scenario', 'column', 'level', 'achieved', 'noise'),
    linesOf(manifest, ({ shares, rows }) =>
      byColumn(shares).flatMap(({ column, unstated, missing }) =>
        [
          ...Object.entries(unstated).map(([level, share]) => ({ level: name(level) as Text, share })),
          ...(missing === undefined ? [] : [{ level: words().tables.noValue, share: missing }]),
        ].map((one) => ({ ...one, column, rows: rows.counted ?? 0 })),
      ),
    ).map(({ scenario, column, level, share, rows }) => [
      ...[name(scenario), name(column), level, shareText(share), chanceText(share, rows)],
    ]),
    most('shares'),
  )

const rangeTable = (ranges: readonly RangeLine[]): Table =>
  table(
    words().tables.ranges,
    headsOf('scenario', 'column', 'target', 'achieved', 'rowsOutside', 'shareOutside'),
    ranges.map(({ scenario, column, target, achieved, dates, outside, outside_count: rows }) => [
      ...[name(scenario), name(column), spanText(dates?.target ?? target), spanText(dates ? dates.achieved : achieved)],
      ...[countText(rows), percentText(outside)],
    ]),
    most('ranges'),
  )

function spanText(span: { readonly min: number | string; readonly max: number | string } | null): Text {
  const end = (of: number | string): Text => (typeof of === 'number' ? localNumber(String(of)) : name(of))
  return span === null ? NONE : words().figures.rangeOf<Text>(end(span.min), end(span.max))
}

const meanTable = (means: readonly MeanLine[]): Table =>
  table(
    words().tables.means,
    headsOf('scenario', 'column', 'target', 'achieved', 'distance', 'values'),
    means.map(({ scenario, column, target, achieved, delta, values }) => [
      ...[name(scenario), name(column), meanTargetText(target), digits(achieved), digits(delta), countText(values)],
    ]),
    most('means'),
  )

const digits = (value: number | null): Text =>
  value === null ? NONE : localNumber(String(Number(value.toPrecision(8))))

const ruleTable = (rules: readonly RuleLine[]): Table =>
  table(
    words().tables.rules,
    headsOf('scenario', 'rule', 'rowsAbout', 'rowsBreaking'),
    rules.map(({ scenario, rule, rows, violations }) => [
      ...[name(scenario), name(rule), countText(rows), countText(violations)],
    ]),
    most('rules'),
  )
