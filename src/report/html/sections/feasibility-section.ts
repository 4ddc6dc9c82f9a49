import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import {
  effectiveRowsFigure,
  effectiveRowsWords,
  standardErrorFactorText,
} from '../../../answers/words/effective-rows-text.ts'
import { countText, plural } from '../../../base/text/amount-text.ts'
import { cutText } from '../../../base/text/fit-text.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import type { ManifestScenario } from '../../../records/manifest/scenarios.ts'
import { bindingText, type FeasibilityMap, feasibilityMap, MOST_COLUMNS } from '../charts/feasibility-map.ts'
import { grouped } from '../grouped.ts'
import { html, type Markup } from '../markup.ts'
import { name, own, scenarioOrder } from '../names.ts'
import { figure, type Section } from '../section.ts'
import { type Matrix, matrices } from './matrix-axes.ts'

/** Maps of one matrix: of the values of all axes but two. */
const MOST_MAPS = 12
const MOST_ROWS = 400
/** Longer maps are drawn in pieces, which fit a screen and a page of paper. */
const MOST_VALUES = 12
/** Longest reason that a table repeats, in UTF-16 units. */
const MOST_REASON = 160

/** Rows delivered of those asked for, with the seed's evidence behind them. Null without scenarios. */
export function feasibilitySection({ manifest }: ReadManifest): Section | null {
  const ids = scenarioOrder(manifest)
  if (ids.length === 0) return null
  const all = matrices(manifest)
  return {
    id: 'feasibility',
    title: 'Rows and the evidence behind them',
    body: html`${weakest(manifest)}${all.map((matrix, i) => picture(matrix, i + 1))}<details class="figures${ids.length > 60 && ' long'}"><summary>All scenarios</summary><div class="scroll" tabindex="0" role="group" aria-label="All scenarios">${table(ids.map((id) => [id, manifest.scenarios[id]!]))}</div></details>
`,
  }
}

/** The scenario that rests on the fewest effective rows. */
function weakest({ scenarios }: Manifest): Markup | null {
  const known = Object.entries(scenarios).flatMap(([id, { evidence }]) =>
    evidence === undefined ? [] : [{ id, evidence }],
  )
  if (known.length === 0)
    return html`<p>The service does not report how many rows of the seed support a scenario.</p>
`
  const { id, evidence } = known.reduce((a, b) => (b.evidence.effective_rows < a.evidence.effective_rows ? b : a))
  return html`<p>Generated rows are no new answers. Effective rows say on how many rows of the seed a scenario rests: ${known.length === 1 ? 'it is' : 'the fewest are'} ${effectiveRowsWords(evidence)}, in ${name(id)}.</p>
`
}

function picture(matrix: Matrix, number: number): Markup | null {
  const maps = mapsOf(matrix)
  if (maps.length === 0) return null
  if (maps[0]!.columns.length > MOST_COLUMNS)
    return html`<p class="note">${name(matrix.group)} has too many values on both axes for a map; its figures stand in the table.</p>
`
  const shown = maps.slice(0, MOST_MAPS)
  const drawn = new Set(shown.flatMap(idsOf))
  const full = matrix.scenarios.filter(([, { rows }]) => rows.counted === rows.requested).length
  const all = matrix.scenarios.length
  const left = maps.length - shown.length
  return figure({
    id: `map-${number}`,
    caption: `${full === all ? `All ${plural(all, 'scenario')}` : `${countText(full)} of ${plural(all, 'scenario')}`} of ${matrix.group} ${full === 1 ? 'has' : 'have'} all rows that were asked for; “seed” is the number of effective rows of the seed behind them, and a deeper colour means more of them.${matrix.scenarios.some(([, { replicate }]) => replicate !== undefined) ? ' Of the replicates of a scenario, the weakest is drawn.' : ''}${left > 0 ? ` Drawn are ${shown.length} of ${maps.length} maps.` : ''}`,
    picture: html`<h3 class="panel">${name(matrix.group)}</h3>
<div class="${shown.length === 1 ? 'scroll map' : 'scroll map maps'}" tabindex="0" role="group" aria-label="${matrix.group}">${shown.map(
      (map) =>
        html`<div>${
          shown.length > 1 &&
          html`<h3 class="panel">${name(map.label)}</h3>
`
        }${feasibilityMap(map)}</div>`,
    )}</div>`,
    table: table(matrix.scenarios.filter(([id]) => drawn.has(id))),
  })
}

/** The axis with the most values is vertical, the next one horizontal; each map fixes the values of the other axes. */
function mapsOf({ axes, scenarios, group }: Matrix): FeasibilityMap[] {
  const used = axes.map(({ name: axis, values }) => ({
    axis,
    values: values.filter((value) => scenarios.some(([, of]) => own(of.axes, axis) === value)),
  }))
  const [down, across, ...held] = [...used].sort((a, b) => b.values.length - a.values.length)
  if (down === undefined) return []
  const parts = grouped(scenarios, ([, of]) =>
    held.map(({ axis }) => `${axis} ${own(of.axes, axis) ?? '–'}`).join(', '),
  )
  const whole = [...parts].map(
    ([label, of]): FeasibilityMap => ({
      label: label === '' ? `Scenarios of ${group}` : label,
      down: down.axis,
      across: across?.axis ?? null,
      rows: down.values,
      columns: across?.values ?? [''],
      cell: (row, column) => {
        const found = of.filter(
          ([, { axes: at }]) => own(at, down.axis) === row && (across === undefined || own(at, across.axis) === column),
        )
        if (found.length === 0) return null
        // Several are replicates of one scenario.
        const [id, scenario] = found.reduce((a, b) => (isWeaker(b[1], a[1]) ? b : a))
        return { id, scenario }
      },
    }),
  )
  return whole.flatMap(piecesOf)
}

function piecesOf(map: FeasibilityMap): FeasibilityMap[] {
  const { rows, label } = map
  if (rows.length <= MOST_VALUES) return [map]
  const count = Math.ceil(rows.length / MOST_VALUES)
  const size = Math.ceil(rows.length / count)
  return Array.from({ length: count }, (_, i) => {
    const piece = rows.slice(i * size, (i + 1) * size)
    const values = `${piece[0]} to ${piece.at(-1)}`
    return { ...map, rows: piece, label: map.across === null ? values : `${label}, ${values}` }
  })
}

/** Whether `one` has a smaller share of its rows than `other` or, with equal shares, less evidence. */
function isWeaker(one: ManifestScenario, other: ManifestScenario): boolean {
  const fill = ({ rows }: ManifestScenario): number => (rows.counted ?? 0) / rows.requested
  const evidence = (of: ManifestScenario): number => of.evidence?.effective_rows ?? 0
  return fill(one) < fill(other) || (fill(one) === fill(other) && evidence(one) < evidence(other))
}

const idsOf = ({ rows, columns, cell }: FeasibilityMap): string[] =>
  rows.flatMap((row) => columns.flatMap((column) => cell(row, column)?.id ?? []))

function table(scenarios: readonly (readonly [string, ManifestScenario])[]): Markup {
  const left = scenarios.length - MOST_ROWS
  return html`<table class="a">
<thead><tr><th scope="col">Scenario</th><th scope="col">Asked for</th><th scope="col">Delivered</th><th scope="col">Seed rows</th><th scope="col">Largest tilt</th><th scope="col">In range</th><th scope="col">Standard errors</th><th scope="col">Support</th><th scope="col">What binds</th></tr></thead>
<tbody>${scenarios.slice(0, MOST_ROWS).map(([id, scenario]) => row(id, scenario))}</tbody></table>
<p class="note">Seed rows are effective rows. A service that protects its seed tells them as a range. The tilt is the largest ratio of a combination’s share to its usual share. If you analyse generated rows as if each were a person, multiply your standard errors by the factor.${left > 0 && ` ${countText(left)} further scenarios stand in the manifest.`}</p>`
}

function row(id: string, scenario: ManifestScenario): Markup {
  const { rows, evidence, status } = scenario
  const digits = (value: number | undefined): string =>
    value === undefined ? '–' : String(Number(value.toPrecision(3)))
  const support = evidence?.low_support === undefined ? '–' : evidence.low_support ? 'thin' : 'enough'
  const seed = evidence === undefined ? '–' : effectiveRowsFigure(evidence)
  return html`<tr><th scope="row">${name(id)}</th><td>${countText(rows.requested)}</td><td>${rows.counted === null ? status.replace('_', ' ') : countText(rows.counted)}</td><td>${seed}</td><td>${digits(evidence?.largest_tilt)}</td><td>${digits(evidence?.in_range_share)}</td><td>${standardErrorFactorText(scenario) ?? '–'}</td><td>${support}</td><td dir="auto">${cutText(bindingText(scenario), MOST_REASON)}</td></tr>
`
}
