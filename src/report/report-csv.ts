import {
  type Differences,
  type FigureIn,
  type FigurePlace,
  figuresIn,
  severalFirst,
} from '../answers/arithmetic/figures-in.ts'
import type { ReadManifest } from '../answers/manifest/parse-manifest.ts'
import { evaluateGates } from '../answers/manifest/review-manifest.ts'
import { cellTargetsOf } from '../answers/words/share-targets.ts'
import { whereWords } from '../answers/words/where-text.ts'
import { csvField } from '../base/text/csv-field.ts'
import { escapeText } from '../base/text/escape-text.ts'
import type { ComparisonResult } from '../records/manifest/comparisons.ts'
import type { ManifestDataset } from '../records/manifest/datasets.ts'
import type { Manifest } from '../records/manifest/manifest.ts'
import type { ManifestScenario } from '../records/manifest/scenarios.ts'
import { OUTCOME_KINDS } from '../study/outcomes/outcome.ts'

const COLUMNS = ['dataset', 'scenario', 'comparison', 'gate', 'column', 'level', 'figure', 'value'] as const

/** The beginning of a report, which identifies it. */
export const CSV_MARK = COLUMNS.join(',')

/** After the others, so that readers by position still find them; only in reports that have segments, or backtests. */
const SEGMENT = 'segment'
const BACKTEST = ['backtest', 'group'] as const

type Cell = string | number | boolean | null | undefined
type AnyColumn = (typeof COLUMNS)[number] | typeof SEGMENT | (typeof BACKTEST)[number]
/** The subject of a figure; absent parts do not apply. */
type Place = { readonly [Column in Exclude<AnyColumn, 'figure' | 'value'>]?: string }
type Row = readonly [place: Place, figure: string, value: Cell]

/**
 * A manifest in long form: one row per figure, RFC 4180 with line feeds. Null figures are left out. Text that a
 * spreadsheet would read as a formula gets a leading apostrophe; numbers stay numbers.
 */
export function reportCsv({ manifest, digest }: ReadManifest): string {
  const rows: Row[] = [
    ...studyRows(manifest, digest),
    ...Object.entries(manifest.datasets).flatMap(([dataset, facts]) => datasetRows({ dataset }, facts)),
    ...Object.entries(manifest.scenarios).flatMap(([scenario, result]) => scenarioRows({ scenario }, result)),
    ...comparisonRows(manifest),
    ...backtestRows(manifest),
    ...gateRows(manifest),
  ]
  const columns: readonly AnyColumn[] = [
    ...COLUMNS,
    ...(rows.some(([place]) => SEGMENT in place) ? ([SEGMENT] as const) : []),
    ...(rows.some(([place]) => 'backtest' in place) ? BACKTEST : []),
  ]
  const lines = rows
    .filter(([, , value]) => value !== null && value !== undefined)
    .map(([place, figure, value]) => columns.map((column) => csvCell(cellOf(column, place, figure, value))).join(','))
  return `${[columns.join(','), ...lines].join('\n')}\n`
}

function cellOf(column: AnyColumn, place: Place, figure: string, value: Cell): Cell {
  return column === 'figure' ? figure : column === 'value' ? value : place[column]
}

/** Beginnings that spreadsheets read as a formula, full-width forms included. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

function csvCell(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = `${FORMULA.test(cell) ? "'" : ''}${escapeText(cell)}`
  return text === '' ? '' : csvField(text)
}

function studyRows({ study, status, outcome, run, totals }: Manifest, digest: string): Row[] {
  return [
    [{}, 'study', study.name],
    [{}, 'study_digest', study.digest],
    [{}, 'manifest_digest', digest],
    [{}, 'status', status],
    [{}, 'trial_rows', run.trial],
    [{}, 'exit_code', outcome?.exit_code],
    [{}, 'reason', outcome?.reason],
    ...Object.entries(totals).map(([figure, value]): Row => [{}, `total_${figure}`, value]),
  ]
}

function datasetRows(place: Place, { cleaning, quality, ...facts }: ManifestDataset): Row[] {
  const { dropped_columns: dropped = [], ...sizes } = cleaning ?? {}
  return [
    ...numbersAndTexts(place, '', { ...facts, ...sizes }),
    ...dropped.map(({ name, reason }): Row => [{ ...place, column: name }, 'dropped', reason]),
    ...(quality === undefined ? [] : numbersAndTexts(place, 'quality_', quality)),
  ]
}

/**
 * The figures of a tree, named by their paths; lists hold figures of columns, or of attacks. Newer fields may be
 * anything, so other values are ignored.
 */
function numbersAndTexts(place: Place, prefix: string, tree: object): Row[] {
  return Object.entries(tree).flatMap(([name, value]: [string, unknown]): Row[] => {
    if (Array.isArray(value)) return value.flatMap((item) => columnFigures(place, `${prefix}${name}_`, item))
    if (typeof value === 'object' && value !== null) return numbersAndTexts(place, `${prefix}${name}_`, value)
    return isCell(value) ? [[place, `${prefix}${name}`, value]] : []
  })
}

function columnFigures(place: Place, prefix: string, item: unknown): Row[] {
  if (typeof item !== 'object' || item === null) return []
  const {
    column,
    rows_per_row: multiple,
    ...figures
  } = item as { readonly column?: unknown; readonly rows_per_row?: unknown }
  if (typeof column === 'string') return numbersAndTexts({ ...place, column }, prefix, figures)
  // An attack is identified by its number of rows.
  return typeof multiple === 'number' ? numbersAndTexts(place, `${prefix}${multiple}_`, figures) : []
}

const isCell = (value: unknown): value is number | string | boolean =>
  typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'

function scenarioRows(place: Place, scenario: ManifestScenario): Row[] {
  const { rows, shares, cells = [], ranges, means = {}, rules = [], evidence, artifact, request, error } = scenario
  return [
    [place, 'status', scenario.status],
    [place, 'fingerprint', scenario.fingerprint],
    [place, 'seed', request?.seed],
    [place, 'rows_requested', rows.requested],
    [place, 'rows_reported', rows.reported],
    [place, 'rows_counted', rows.counted],
    [place, 'fill', rows.fill],
    [place, 'artifact_sha256', artifact?.sha256],
    [place, 'error', error?.code],
    ...Object.entries(shares).flatMap(([column, { levels, unstated, missing }]): Row[] => [
      ...Object.entries(levels).flatMap(([level, figures]) =>
        numbersAndTexts({ ...place, column, level }, 'share_', figures),
      ),
      ...Object.entries(unstated).map(([level, share]): Row => [{ ...place, column, level }, 'share_achieved', share]),
      [{ ...place, column }, 'share_missing', missing],
    ]),
    ...cells
      .flatMap(cellTargetsOf)
      .flatMap(({ column, level, ...figures }) => numbersAndTexts({ ...place, column, level }, 'share_', figures)),
    ...Object.entries(ranges).flatMap(([column, figures]) => numbersAndTexts({ ...place, column }, 'range_', figures)),
    ...Object.entries(means).flatMap(([column, figures]) => numbersAndTexts({ ...place, column }, 'mean_', figures)),
    ...rules.flatMap(({ rule, rows: about, violations }): Row[] => [
      [{ ...place, column: rule }, 'rule_rows', about],
      [{ ...place, column: rule }, 'rule_violations', violations],
    ]),
    ...(evidence === undefined ? [] : numbersAndTexts(place, 'evidence_', evidence)),
    [place, 'standard_error_factor', scenario.standard_error_factor],
  ]
}

function comparisonRows({ comparisons }: Manifest): Row[] {
  return Object.entries(comparisons).flatMap(
    ([comparison, { by, where, against_replicates: baseline, scenarios }]): Row[] => [
      [{ comparison }, 'by', by],
      [{ comparison }, 'where', whereWords(where) ?? undefined],
      [{ comparison }, 'against_replicates', baseline?.join(' ')],
      ...Object.entries(scenarios).flatMap(([scenario, { status, segments = [], replicates, ...result }]): Row[] => {
        const place = { comparison, scenario }
        return [
          [place, 'status', status],
          ...numbersAndTexts(place, 'rows_', { ...result.rows }),
          ...spreadRows(place, replicates),
          ...differenceRows(place, result),
          ...numbersAndTexts(place, 'rows_distance_', { ...result.rows_distance }),
          ...segments.flatMap(({ level: segment, rows, ...inside }) => [
            ...numbersAndTexts({ ...place, segment }, 'rows_', rows),
            ...differenceRows({ ...place, segment }, inside),
          ]),
        ]
      }),
    ],
  )
}

function spreadRows(place: Place, replicates: ComparisonResult['replicates']): Row[] {
  if (replicates === undefined) return []
  const { ids, spread } = replicates
  return [
    [place, 'replicates', ids.join(' ')],
    ...severalFirst(figuresIn(spread)).map(
      (figure): Row => [{ ...place, ...subjectOf(figure) }, `${prefixOf(figure)}spread`, figure.value],
    ),
  ]
}

/** How the names of figures begin. */
const prefixOf = ({ kind, quantile }: FigurePlace): string =>
  `${OUTCOME_KINDS[kind].singular}_${quantile === null ? '' : `${quantile}_`}`

const subjectOf = ({ column, level }: FigurePlace): Place => ({ column, ...(level !== null && { level }) })

/** The differences among all rows, or among the rows of a segment. */
function differenceRows(
  at: Place,
  result: Differences & Pick<ComparisonResult, 'effective_rows' | 'no_estimates' | 'no_quantiles'>,
): Row[] {
  return [
    [at, 'no_estimates', result.no_estimates],
    [at, 'no_quantiles', result.no_quantiles],
    ...numbersAndTexts(at, 'effective_rows_', { ...result.effective_rows }),
    ...figuresIn<Differences>(result).flatMap((figure): Row[] => {
      const place = { ...at, ...subjectOf(figure) }
      const prefix = prefixOf(figure)
      return [...figureRows(place, prefix, figure), ...intervalRows(place, prefix, figure.value.interval)]
    }),
  ]
}

/** The sides of a mean are statistics of their own. */
function figureRows(place: Place, prefix: string, figure: FigureIn<Differences>): Row[] {
  if (figure.kind !== 'means') return numbersAndTexts(place, prefix, figure.value)
  const { against, scenario, ...mean } = figure.value
  return [...numbersAndTexts(place, '', { against, scenario }), ...numbersAndTexts(place, prefix, mean)]
}

function backtestRows({ backtests = {} }: Manifest): Row[] {
  return Object.entries(backtests).flatMap(([backtest, { groups, totals, by, no_estimates: why }]): Row[] => [
    [{ backtest }, 'by', by],
    [{ backtest }, 'no_estimates', why],
    ...numbersAndTexts({ backtest }, 'total_', totals),
    ...groups.flatMap(({ level: group, status, rows, predictions }): Row[] => [
      [{ backtest, group }, 'status', status],
      [{ backtest, group }, 'rows', rows],
      ...predictions.flatMap(({ column, level, interval, ...figures }) => {
        const place = { backtest, group, column, ...(level !== undefined && { level }) }
        return [...numbersAndTexts(place, 'backtest_', figures), ...intervalRows(place, 'backtest_', interval)]
      }),
    ]),
  ])
}

const intervalRows = (place: Place, prefix: string, interval: readonly [number, number] | null | undefined): Row[] => [
  [place, `${prefix}interval_low`, interval?.[0]],
  [place, `${prefix}interval_high`, interval?.[1]],
]

function gateRows(manifest: Manifest): Row[] {
  return evaluateGates(manifest).gates.flatMap(({ of, id, gate, recordedPassed }): Row[] => {
    const place = { [of]: id, gate: gate.id }
    const figures = numbersAndTexts(place, `${gate.level}_`, { ...gate.expected })
    return [
      ...figures,
      [place, `${gate.level}_evaluated`, gate.evaluated],
      [place, `${gate.level}_actual`, gate.actual],
      [place, `${gate.level}_chance`, gate.chance],
      ...intervalRows(place, `${gate.level}_`, gate.interval),
      [place, `${gate.level}_reason`, gate.reason],
      [place, `${gate.level}_passed`, gate.passed],
      [place, `${gate.level}_recorded_passed`, recordedPassed],
    ]
  })
}
