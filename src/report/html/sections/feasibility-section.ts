import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import {
  effectiveRowsFigure,
  effectiveRowsWords,
  standardErrorFactorText,
} from '../../../answers/words/effective-rows-text.ts'
import { shareText } from '../../../answers/words/share-text.ts'
import { countText, plural } from '../../../base/text/amount-text.ts'
import { cutText } from '../../../base/text/fit-text.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import type { ManifestScenario } from '../../../records/manifest/scenarios.ts'
import {
  type Block,
  figure,
  fold,
  note,
  paragraph,
  type Section,
  type Table,
  table,
  worded,
} from '../../document/block.ts'
import { html } from '../../document/markup.ts'
import { own, scenarioOrder } from '../../document/names.ts'
import { lines, name, strong, type Text, text } from '../../document/text.ts'
import { bindingText, type FeasibilityMap, feasibilityMap, MOST_COLUMNS } from '../charts/feasibility-map.ts'
import { grouped } from '../grouped.ts'
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
    blocks: [
      weakest(manifest),
      ...all.map((matrix, i) => picture(matrix, i + 1)),
      fold(
        'All scenarios',
        [evidenceTable(ids.map((id) => [id, manifest.scenarios[id]!]))],
        ids.length > 60 ? 'figures long' : 'figures',
      ),
    ],
  }
}

/** The scenario that rests on the fewest effective rows. */
function weakest({ scenarios }: Manifest): Block {
  const known = Object.entries(scenarios).flatMap(([id, { evidence }]) =>
    evidence === undefined ? [] : [{ id, evidence }],
  )
  if (known.length === 0) return paragraph('The service does not report how many rows of the seed support a scenario.')
  const { id, evidence } = known.reduce((a, b) => (b.evidence.effective_rows < a.evidence.effective_rows ? b : a))
  return paragraph(
    text`Generated rows are no new answers. Effective rows say on how many rows of the seed a scenario rests: ${known.length === 1 ? 'it is' : 'the fewest are'} ${effectiveRowsWords(evidence)}, in ${name(id)}.`,
  )
}

function picture(matrix: Matrix, number: number): Block {
  const maps = mapsOf(matrix)
  if (maps.length === 0) return null
  if (maps[0]!.columns.length > MOST_COLUMNS)
    return note(text`${name(matrix.group)} has too many values on both axes for a map; its figures stand in the table.`)
  const shown = maps.slice(0, MOST_MAPS)
  const drawn = new Set(shown.flatMap(idsOf))
  const full = matrix.scenarios.filter(([, { rows }]) => rows.counted === rows.requested).length
  const all = matrix.scenarios.length
  const left = maps.length - shown.length
  return figure({
    only: 'page',
    id: `map-${number}`,
    caption: `${full === all ? `All ${plural(all, 'scenario')}` : `${countText(full)} of ${plural(all, 'scenario')}`} of ${matrix.group} ${full === 1 ? 'has' : 'have'} all rows that were asked for; “seed” is the number of effective rows of the seed behind them, and a deeper colour means more of them.${matrix.scenarios.some(([, { replicate }]) => replicate !== undefined) ? ' Of the replicates of a scenario, the weakest is drawn.' : ''}${left > 0 ? ` Drawn are ${shown.length} of ${maps.length} maps.` : ''}`,
    picture: () => html`<h3 class="panel">${name(matrix.group)}</h3>
<div class="${shown.length === 1 ? 'scroll map' : 'scroll map maps'}" tabindex="0" role="group" aria-label="${matrix.group}">${shown.map(
      (map) =>
        html`<div>${
          shown.length > 1 &&
          html`<h3 class="panel">${name(map.label)}</h3>
`
        }${feasibilityMap(map)}</div>`,
    )}</div>`,
    table: evidenceTable(matrix.scenarios.filter(([id]) => drawn.has(id))),
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

const evidenceTable = (scenarios: readonly (readonly [string, ManifestScenario])[]): Table =>
  table(
    'All scenarios',
    [
      ...['Scenario', 'Asked for', 'Delivered', 'Seed rows', 'Largest tilt', 'In range', 'Standard errors', 'Support'],
      worded('What binds'),
    ],
    scenarios.map(([id, scenario]) => evidenceCells(id, scenario)),
    { most: { rows: MOST_ROWS, others: 'further scenarios stand in the manifest' }, notes: [MEANING] },
  )

const MEANING = note(
  'Seed rows are effective rows. A service that protects its seed tells them as a range. The tilt is the largest ratio of a combination’s share to its usual share. If you analyse generated rows as if each were a person, multiply your standard errors by the factor, √(1 + rows / seed rows).',
)

function evidenceCells(id: string, scenario: ManifestScenario): Text[] {
  const { rows, evidence, status } = scenario
  const delivered = rows.counted === null ? status.replace('_', ' ') : countText(rows.counted)
  const seed = evidence === undefined ? NONE : effectiveRowsFigure(evidence)
  const tilt = evidence === undefined ? NONE : Number(evidence.largest_tilt.toPrecision(3))
  const inRange = evidence?.in_range_share === undefined ? NONE : shareText(evidence.in_range_share)
  const support = evidence?.low_support === undefined ? NONE : evidence.low_support ? strong('thin') : 'enough'
  return [
    ...[name(id), countText(rows.requested), delivered, seed, tilt, inRange],
    ...[standardErrorFactorText(scenario) ?? NONE, support, lines(cutText(bindingText(scenario), MOST_REASON))],
  ]
}

const NONE = '–'
