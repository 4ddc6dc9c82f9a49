import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import {
  effectiveRowsFigure,
  effectiveRowsWords,
  standardErrorFactorText,
} from '../../../answers/words/effective-rows-text.ts'
import { shareText } from '../../../answers/words/share-text.ts'
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
} from '../../../base/document/block.ts'
import { html } from '../../../base/document/markup.ts'
import { lines, name, strong, type Text } from '../../../base/document/text.ts'
import { words } from '../../../base/language/language.ts'
import { localNumber } from '../../../base/language/local-number.ts'
import { countText } from '../../../base/text/amount-text.ts'
import { cutText } from '../../../base/text/fit-text.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import type { ManifestScenario } from '../../../records/manifest/scenarios.ts'
import { own, scenarioOrder } from '../../scenario-names.ts'
import { statusText } from '../../status-text.ts'
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
    title: words().sections.feasibility.title,
    blocks: [
      weakest(manifest),
      ...all.map((matrix, i) => picture(matrix, i + 1)),
      fold(
        words().sections.feasibility.all,
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
  if (known.length === 0) return paragraph(words().sections.feasibility.notReported)
  const { id, evidence } = known.reduce((a, b) => (b.evidence.effective_rows < a.evidence.effective_rows ? b : a))
  const { weakest: say } = words().sections.feasibility
  return paragraph(say<Text>(known.length === 1, effectiveRowsWords(evidence), name(id)))
}

function picture(matrix: Matrix, number: number): Block {
  const maps = mapsOf(matrix)
  if (maps.length === 0) return null
  if (maps[0]!.columns.length > MOST_COLUMNS)
    return note(words().sections.feasibility.tooWide<Text>(name(matrix.group)))
  const shown = maps.slice(0, MOST_MAPS)
  const drawn = new Set(shown.flatMap(idsOf))
  const full = matrix.scenarios.filter(([, { rows }]) => rows.counted === rows.requested).length
  const all = matrix.scenarios.length
  const left = maps.length - shown.length
  const { feasibility: say } = words().sections
  return figure({
    only: 'page',
    id: `map-${number}`,
    caption: `${say.caption(full, all, matrix.group)}${matrix.scenarios.some(([, { replicate }]) => replicate !== undefined) ? say.replicates : ''}${left > 0 ? say.drawn(shown.length, maps.length) : ''}`,
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
    held.map(({ axis }) => `${axis} ${own(of.axes, axis) ?? '–'}`).join(words().figures.comma),
  )
  const whole = [...parts].map(
    ([label, of]): FeasibilityMap => ({
      label: label === '' ? words().sections.feasibility.scenariosOf(group) : label,
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
    const values = words().figures.range(piece[0]!, piece.at(-1)!)
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

function evidenceTable(scenarios: readonly (readonly [string, ManifestScenario])[]): Table {
  const { all, heads, further, meaning } = words().sections.feasibility
  const { askedFor, delivered, seedRows, tilt, inRange, standardErrors, support, binds } = heads
  return table(
    all,
    [
      ...[words().answers.heads.scenario, askedFor, delivered, seedRows, tilt, inRange, standardErrors, support],
      worded(binds),
    ],
    scenarios.map(([id, scenario]) => evidenceCells(id, scenario)),
    { most: { rows: MOST_ROWS, others: further }, notes: [note(meaning)] },
  )
}

function evidenceCells(id: string, scenario: ManifestScenario): Text[] {
  const { rows, evidence, status } = scenario
  const { feasibility: say } = words().sections
  const delivered = rows.counted === null ? statusText(status) : countText(rows.counted)
  const seed = evidence === undefined ? NONE : effectiveRowsFigure(evidence)
  const tilt = evidence === undefined ? NONE : localNumber(String(Number(evidence.largest_tilt.toPrecision(3))))
  const inRange = evidence?.in_range_share === undefined ? NONE : shareText(evidence.in_range_share)
  const support = evidence?.low_support === undefined ? NONE : evidence.low_support ? strong(say.thin) : say.enough
  return [
    ...[name(id), countText(rows.requested), delivered, seed, tilt, inRange],
    ...[standardErrorFactorText(scenario) ?? NONE, support, lines(cutText(bindingText(scenario), MOST_REASON))],
  ]
}

const NONE = '–'
