import type { Manifest, ManifestDataset, ManifestScenario } from '../manifest/manifest.ts'
import type { ReadManifest } from '../manifest/parse-manifest.ts'
import { reviewManifest } from '../manifest/review-manifest.ts'
import { escapeText } from '../spec/diagnostics/escape-text.ts'

const COLUMNS = ['dataset', 'scenario', 'comparison', 'gate', 'column', 'level', 'figure', 'value'] as const

/** How a report begins, by which it is known as one. */
export const CSV_MARK = COLUMNS.join(',')

type Cell = string | number | boolean | null | undefined
/** What a figure is of; what is left out does not apply. */
type Place = { readonly [Column in Exclude<(typeof COLUMNS)[number], 'figure' | 'value'>]?: string }
type Row = readonly [place: Place, figure: string, value: Cell]

/**
 * A manifest in long form: one row per figure, RFC 4180 with line feeds. Figures that are null are left out. Text that a
 * spreadsheet would take for a formula has an apostrophe before it; numbers are numbers.
 */
export function reportCsv({ manifest, digest }: ReadManifest): string {
  const rows: Row[] = [
    ...studyRows(manifest, digest),
    ...Object.entries(manifest.datasets).flatMap(([dataset, facts]) => datasetRows({ dataset }, facts)),
    ...Object.entries(manifest.scenarios).flatMap(([scenario, result]) => scenarioRows({ scenario }, result)),
    ...comparisonRows(manifest),
    ...gateRows(manifest),
  ]
  const lines = rows
    .filter(([, , value]) => value !== null && value !== undefined)
    .map(([place, figure, value]) => COLUMNS.map((column) => csvCell(cellOf(column, place, figure, value))).join(','))
  return `${[CSV_MARK, ...lines].join('\n')}\n`
}

function cellOf(column: (typeof COLUMNS)[number], place: Place, figure: string, value: Cell): Cell {
  return column === 'figure' ? figure : column === 'value' ? value : place[column]
}

/** Beginnings that spreadsheets read as a formula, full-width forms included. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

function csvCell(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = `${FORMULA.test(cell) ? "'" : ''}${escapeText(cell)}`
  return /[",]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function studyRows({ study, status, outcome, totals }: Manifest, digest: string): Row[] {
  return [
    [{}, 'study', study.name],
    [{}, 'study_digest', study.digest],
    [{}, 'manifest_digest', digest],
    [{}, 'status', status],
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
 * The figures of a tree, named by their paths; lists hold figures of columns. Newer fields may be anything, so what is
 * neither is passed over.
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
  const { column, ...figures } = item as { readonly column?: unknown }
  return typeof column === 'string' ? numbersAndTexts({ ...place, column }, prefix, figures) : []
}

const isCell = (value: unknown): value is number | string | boolean =>
  typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'

function scenarioRows(place: Place, scenario: ManifestScenario): Row[] {
  const { rows, shares, ranges, evidence, artifact, request, error } = scenario
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
    ...Object.entries(ranges).flatMap(([column, figures]) => numbersAndTexts({ ...place, column }, 'range_', figures)),
    ...(evidence === undefined ? [] : numbersAndTexts(place, 'evidence_', evidence)),
  ]
}

function comparisonRows({ comparisons }: Manifest): Row[] {
  return Object.entries(comparisons).flatMap(([comparison, { scenarios }]) =>
    Object.entries(scenarios).flatMap(([scenario, { status, shares, means }]): Row[] => {
      const place = { comparison, scenario }
      return [
        [place, 'status', status],
        ...Object.entries(shares).flatMap(([column, levels]) =>
          Object.entries(levels).flatMap(([level, pair]) =>
            numbersAndTexts({ ...place, column, level }, 'share_', pair),
          ),
        ),
        ...Object.entries(means).flatMap(([column, { delta, ...sides }]): Row[] => [
          ...numbersAndTexts({ ...place, column }, '', sides),
          [{ ...place, column }, 'mean_delta', delta],
        ]),
      ]
    }),
  )
}

function gateRows(manifest: Manifest): Row[] {
  return reviewManifest(manifest).gates.flatMap(({ of, id, gate, recordedPassed }): Row[] => {
    const place = { [of]: id, gate: gate.id }
    const figures = numbersAndTexts(place, `${gate.level}_`, { ...gate.expected })
    return [
      ...figures,
      [place, `${gate.level}_evaluated`, gate.evaluated],
      [place, `${gate.level}_actual`, gate.actual],
      [place, `${gate.level}_chance`, gate.chance],
      [place, `${gate.level}_passed`, gate.passed],
      [place, `${gate.level}_recorded_passed`, recordedPassed],
    ]
  })
}
