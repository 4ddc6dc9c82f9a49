import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { isDateColumn } from '../../../answers/words/answer-order.ts'
import { type Answer, type ComparisonAnswers, comparisonAnswers } from '../../../answers/words/answer-text.ts'
import { comparedScenario } from '../../../answers/words/compared-scenario.ts'
import { ANSWER_NOTES, basisTexts, figureText, NO_ESTIMATES_WORDS } from '../../../answers/words/difference-text.ts'
import { numberWord } from '../../../answers/words/quantile-text.ts'
import {
  ROWS_DISTANCE_HEADS,
  ROWS_DISTANCE_NOTE,
  rowsDistanceCells,
} from '../../../answers/words/rows-distance-text.ts'
import { countText, plural } from '../../../base/text/amount-text.ts'
import { labelText } from '../../../base/text/label-text.ts'
import type { ManifestComparison } from '../../../records/manifest/comparisons.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import { replicateCount, SPREAD_MEANING, spreadOfMean } from '../../report-markdown-replicates.ts'
import { answerCells, answerHeads } from '../answer-cells.ts'
import { grouped } from '../grouped.ts'
import { html, type Markup } from '../markup.ts'
import { comparedOrder, name, nameList, own } from '../names.ts'
import type { Section } from '../section.ts'

/** A comparison with more rows has its tables folded. */
const MOST_OPEN = 60
/** Rows of the whole section: a page of more is of no use to a reader, and a mail does not carry it. */
const MOST_ROWS = 20_000
const MOST_NAMES = 6

/** All differences of all comparisons; null when the study compares nothing. */
export function comparisonsSection({ manifest }: ReadManifest): Section | null {
  const comparisons = comparisonAnswers(manifest)
  if (comparisons.length === 0) return null
  const place = comparedOrder(manifest)
  const room = { rows: MOST_ROWS }
  const parts = comparisons.map((comparison) => comparisonPart(manifest, comparison, place, room))
  return {
    id: 'comparisons',
    title: 'Comparisons',
    body: html`${parts}${ANSWER_NOTES.map((text) => html`<p class="note">${text}</p>`)}${room.rows < 0 && html`<p class="note">${plural(-room.rows, 'row')} are left out here. <code>manifest.json</code> has all of them, and <code>whatif report --csv</code> writes them.</p>`}`,
  }
}

/** The rows that the page still has room for; below zero: as many were left out. */
interface Room {
  rows: number
}

function comparisonPart(
  manifest: Manifest,
  { id, against, answers, segments, by, whereNote, missing }: ComparisonAnswers,
  place: ReadonlyMap<string, number>,
  room: Room,
): Markup {
  const comparison = manifest.comparisons[id]!
  const columns = grouped(byPlace(answers, place), ({ column, level, quantile }) =>
    JSON.stringify([level === null, column, quantile]),
  )
  const inside = grouped(byPlace(segments, place), ({ column, level, quantile }) =>
    JSON.stringify([level === null, column, quantile]),
  )
  const isFolded = answers.length + segments.length > MOST_OPEN
  const tables = [...columns].map(([key, rows]) => [
    columnTable({ manifest, against, rows, isFolded, by: null, room }),
    by !== null && inside.has(key) && columnTable({ manifest, against, rows: inside.get(key)!, isFolded, by, room }),
  ])
  return html`<h3>${name(id)} <span class="muted">against ${name(against)}</span></h3>
${whereNote !== null && html`<p class="note">Its outcomes are ${name(whereNote)}.</p>`}${basisNote(comparison)}${missing.length > 0 && html`<p class="bad">No result to compare: ${nameList(missing, MOST_NAMES)}.</p>`}${replicateNotes(manifest, comparison)}${tables}${rowsDistances(comparison)}`
}

/** The outcomes as in the study, then scenarios as in the study. */
const byPlace = (answers: readonly Answer[], place: ReadonlyMap<string, number>): Answer[] =>
  [...answers].sort((a, b) => a.place - b.place || (place.get(a.scenario) ?? 0) - (place.get(b.scenario) ?? 0))

function basisNote({ scenarios }: ManifestComparison): Markup | null {
  const results = Object.values(scenarios)
  const bases = new Set(results.flatMap(basisTexts))
  const gaps = new Set(results.flatMap(({ no_quantiles: why }) => (why === undefined ? [] : [NO_ESTIMATES_WORDS[why]])))
  return html`${bases.size > 0 && html`<p class="note">The intervals rest on: ${[...bases].join('; ')}.</p>`}${gaps.size > 0 && html`<p class="note">No intervals of quantiles: ${[...gaps].join('; ')}.</p>`}`
}

/** How near the rows of each scenario are to the answers, folded. */
function rowsDistances({ scenarios }: ManifestComparison): Markup | null {
  const found = Object.entries(scenarios).flatMap(([id, { rows_distance: distance }]) =>
    distance === undefined ? [] : [{ id, distance }],
  )
  if (found.length === 0) return null
  const points = found.flatMap(({ distance }) => distance.largest_points ?? [])
  const largest = points.length > 0 && `at most ${Math.max(...points).toFixed(1)} points away; `
  const far = found.reduce((sum, { distance }) => sum + distance.beyond_two_errors, 0)
  const all = found.reduce((sum, { distance }) => sum + distance.outcomes, 0)
  return html`<details><summary>How near the rows are to the answers <span class="muted">${largest}${countText(far)} of ${plural(all, 'difference')} beyond two standard errors</span></summary>
<p class="note">${ROWS_DISTANCE_NOTE}</p>
<div class="scroll" tabindex="0" role="group" aria-label="rows and answers"><table>
<thead><tr><th scope="col">Scenario</th>${ROWS_DISTANCE_HEADS.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${found.map(
    ({
      id,
      distance,
    }) => html`<tr><th scope="row">${name(id)}</th>${rowsDistanceCells(distance).map((cell) => html`<td>${cell}</td>`)}</tr>
`,
  )}</tbody></table></div></details>
`
}

function replicateNotes(
  manifest: Manifest,
  { against, against_replicates: baseline, scenarios }: ManifestComparison,
): Markup[] {
  const together = (id: string, ids: readonly string[]) =>
    html`${name(id)} takes ${replicateCount(manifest, id, ids)} together: ${nameList(ids, MOST_NAMES)}.`
  const ofBaseline =
    baseline === undefined || baseline.length === 0
      ? []
      : [
          html`<p class="note">${together(against, baseline)}</p>
`,
        ]
  const ofScenarios = Object.entries(scenarios).flatMap(([id, { replicates }]) => {
    if (replicates === undefined || replicates.ids.length === 0) return []
    const { ids, spread } = replicates
    const shares = Object.entries(spread.shares).flatMap(([column, levels]) =>
      Object.entries(levels).flatMap(([level, sd]) =>
        sd === null ? [] : [html`${name(column)} ${name(level)} ${figureText(sd * 100, sd * 100)} points`],
      ),
    )
    const means = Object.entries(spread.means).flatMap(([column, sd]) =>
      sd === null ? [] : [html`mean of ${name(column)} ${spreadOfMean(sd, isDateColumn(manifest, against, column))}`],
    )
    const quantiles = Object.entries(spread.quantiles ?? {}).flatMap(([column, own]) =>
      Object.entries(own).flatMap(([share, sd]) =>
        sd === null
          ? []
          : [
              html`${numberWord(share)} of ${name(column)} ${spreadOfMean(sd, isDateColumn(manifest, against, column))}`,
            ],
      ),
    )
    const spreads = [...shares, ...means, ...quantiles]
    return [
      html`<p class="note">${together(id, ids)}${spreads.length > 0 && html` From replicate to replicate the difference varies by (standard deviation): ${spreads.slice(0, MOST_NAMES).map((one, i) => html`${i > 0 && '; '}${one}`)}. ${SPREAD_MEANING}`}</p>
`,
    ]
  })
  return [...ofBaseline, ...ofScenarios]
}

interface ColumnTable {
  readonly manifest: Manifest
  readonly against: string
  /** Of one column. */
  readonly rows: readonly Answer[]
  readonly isFolded: boolean
  /** The column of the segments; null: all rows. */
  readonly by: string | null
  readonly room: Room
}

function columnTable({ manifest, against, rows, isFolded, by, room }: ColumnTable): Markup {
  const { column, level, quantile } = rows[0]!
  const fitting = rows.slice(0, Math.max(0, room.rows))
  room.rows -= rows.length
  const isShare = level !== null
  const label = labelOf(manifest, against, column)
  const title = html`${isShare ? 'Shares of ' : `${capital(numberWord(quantile))} of `}${name(column)}${by !== null && html` by ${name(by)}`}${label !== undefined && html` <span class="muted">${name(label)}</span>`}`
  const width = 8 + Number(by !== null)
  const body = [...grouped(fitting, (answer) => String(answer.level))].map(
    ([, group]) => html`<tbody>${
      isShare &&
      html`<tr><th colspan="${width}" scope="rowgroup" class="group">${name(group[0]!.level!)}</th></tr>
`
    }${group.map((answer) => tableRow(answer, by !== null))}</tbody>
`,
  )
  const table = (
    caption: Markup | null,
  ) => html`<div class="scroll" tabindex="0" role="group" aria-label="${column}${by !== null && ` by ${by}`}"><table class="a">${caption}
<thead><tr><th scope="col">Scenario</th>${by !== null && html`<th scope="col">${name(by)}</th>`}${answerHeads(isShare ? 'points' : null, 'record')}</tr></thead>
${body}</table></div>
`
  if (!isFolded) return table(html`<caption>${title}</caption>`)
  return html`<details class="${rows.length > MOST_OPEN && 'long'}"><summary>${title} <span class="muted">${countText(rows.length)} rows, ${countText(rows.filter(({ beyond }) => beyond === true).length)} beyond chance</span></summary>${table(null)}</details>
`
}

const tableRow = (answer: Answer, hasSegment: boolean): Markup =>
  html`<tr${answer.beyond === true && BEYOND}><th scope="row">${name(answer.scenario)}</th>${hasSegment && html`<td>${name(answer.segment ?? '')}</td>`}${answerCells(answer, 'record')}</tr>
`

const BEYOND = html` class="b"`

/** What the seed file says that the column means. */
function labelOf(manifest: Manifest, scenario: string, column: string): string | undefined {
  const dataset = own(manifest.datasets, comparedScenario(manifest, scenario)?.dataset ?? '')
  const raw = own(dataset?.labels ?? {}, column) ?? own(dataset?.columns ?? {}, column)?.label
  return raw === undefined ? undefined : labelText(raw)
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
