import { effectiveRowsFigure, effectiveRowsPhrase } from '../../../answers/words/effective-rows-text.ts'
import { html, type Markup } from '../../../base/document/markup.ts'
import { words } from '../../../base/language/language.ts'
import { countText } from '../../../base/text/amount-text.ts'
import type { ManifestScenario } from '../../../records/manifest/scenarios.ts'
import { statusText } from '../../status-text.ts'
import { fitLabel } from '../fit-label.ts'
import { coordinate as at, chart, LETTERS, tipped } from './chart.ts'

/** Scenarios by the values of two axes. */
export interface FeasibilityMap {
  readonly label: string
  /** Names of the axes; the second is null for a matrix of one axis. */
  readonly down: string
  readonly across: string | null
  readonly rows: readonly string[]
  readonly columns: readonly string[]
  /** Null where the study has no scenario. */
  readonly cell: (row: string, column: string) => MappedScenario | null
}

export interface MappedScenario {
  readonly id: string
  readonly scenario: ManifestScenario
}

/** A wider map is not drawn. */
export const MOST_COLUMNS = 8

const LABEL = 92
const CELL = 104
const HEIGHT = 52
const TOP = 36

/** A cell for each scenario: rows delivered, effective rows of the seed behind them, and what binds. */
export function feasibilityMap({ label, down, across, rows, columns, cell }: FeasibilityMap): Markup {
  const width = LABEL + columns.length * CELL
  const heads = columns.map(
    (column, i) =>
      html`<text class="axis" x="${LABEL + i * CELL + CELL / 2}" y="30" text-anchor="middle">${fitLabel(column, CELL - 6, LETTERS)}</text>`,
  )
  return chart({
    label,
    width: across === null ? width : Math.max(width, 260),
    isFixed: true,
    height: TOP + rows.length * HEIGHT,
    marks: html`<text class="label" x="0" y="30">${fitLabel(down, LABEL - 6, LETTERS)}</text>${across !== null && html`<text class="label" x="${LABEL}" y="12">${fitLabel(across, columns.length * CELL, LETTERS)}</text>${heads}`}${rows.map(
      (row, i) => {
        const y = TOP + i * HEIGHT
        return html`<text class="axis" x="0" y="${y + HEIGHT / 2 + 2}">${fitLabel(row, LABEL - 8, LETTERS)}</text>${columns.map((column, j) => cellMarks(cell(row, column), LABEL + j * CELL, y))}`
      },
    )}`,
  })
}

function cellMarks(mapped: MappedScenario | null, x: number, y: number): Markup {
  const box = (kind: string) =>
    html`<rect class="cell ${kind}" x="${x + 2}" y="${y + 2}" width="${CELL - 4}" height="${HEIGHT - 4}"/>`
  if (mapped === null)
    return html`${box('none')}<text class="note" x="${x + CELL / 2}" y="${y + HEIGHT / 2 + 4}" text-anchor="middle">${words().sections.feasibility.notAsked}</text>`
  const { id, scenario } = mapped
  const { rows, evidence } = scenario
  const isShort = rows.counted !== rows.requested
  const lines = [
    [rowsText(scenario), isShort ? 'bad strong' : ''],
    ...(evidence === undefined ? [] : [[words().sections.feasibility.seed(effectiveRowsFigure(evidence)), 'axis']]),
    ...(evidence?.low_support === true
      ? [[words().sections.feasibility.thin, 'bad']]
      : isShort
        ? [[bindingText(scenario), 'axis']]
        : []),
  ] as const
  const first = y + HEIGHT / 2 + 4 - (lines.length - 1) * 7.5
  return tipped(
    `${id}: ${tipText(scenario)}`,
    html`${box(isShort ? 'heat0 short' : heat(evidence?.effective_rows))}${lines.map(
      ([text, kind], i) =>
        html`<text class="${kind}" x="${x + CELL / 2}" y="${at(first + i * 15)}" text-anchor="middle">${fitLabel(text, CELL - 6, LETTERS)}</text>`,
    )}`,
  )
}

/** By the effective rows of the seed. */
const heat = (rows: number | undefined): string =>
  rows === undefined || rows < 50 ? 'heat0' : rows < 200 ? 'heat1' : rows < 1000 ? 'heat2' : 'heat3'

function rowsText({ status, rows: { requested, counted } }: ManifestScenario): string {
  if (counted === null) return statusText(status)
  return counted === requested ? countText(counted) : words().figures.outOf(countText(counted), countText(requested))
}

/** The conditions that leave too few rows, as the service reports them; else why there are none. */
export function bindingText({ shortfall, error }: ManifestScenario): string {
  const binding = (shortfall?.binding ?? []).map(({ column, level }) =>
    level === undefined ? column : `${column} ${level}`,
  )
  if (binding.length > 0) return binding.join(', ')
  return shortfall?.detail ?? error?.detail ?? ''
}

function tipText(scenario: ManifestScenario): string {
  const { rows, evidence } = scenario
  const bound = bindingText(scenario)
  const { feasibility: say } = words().sections
  return [
    rows.counted === null ? statusText(scenario.status) : say.tipRows(rows.counted, rows.requested),
    ...(evidence === undefined ? [] : [say.tipSeed(effectiveRowsPhrase(evidence))]),
    ...(evidence?.low_support === true ? [say.thinEvidence] : []),
    ...(bound === '' ? [] : [say.binds(bound)]),
  ].join(words().figures.comma)
}
