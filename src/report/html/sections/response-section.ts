import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import {
  type Block,
  figure,
  note,
  only,
  type Section,
  type Table,
  table,
  worded,
} from '../../../base/document/block.ts'
import { html, type Markup } from '../../../base/document/markup.ts'
import { name } from '../../../base/document/text.ts'
import { words } from '../../../base/language/language.ts'
import { localNumber } from '../../../base/language/local-number.ts'
import { answerCells, answerHeads, outcomeText } from '../answer-cells.ts'
import { multiples } from '../charts/chart.ts'
import { legend } from '../charts/legend.ts'
import { curveBaseline, curveDomain, responseCurve } from '../charts/response-curve.ts'
import { grouped } from '../grouped.ts'
import { curveText } from './curve-text.ts'
import { drawnOutcomes, type OutcomeCurves } from './outcome-curves.ts'

/** The outcomes along each axis of the matrices, where the other axes are held; null without a matrix. */
export function responseSection({ manifest }: ReadManifest): Section | null {
  const { shown, left } = drawnOutcomes(manifest)
  if (shown.length === 0) return null
  const isOne = Object.keys(manifest.comparisons).length === 1
  return {
    id: 'responses',
    title: words().sections.responses.title,
    blocks: [
      left > 0 && leftNote(left),
      key(),
      ...shown.map((one, i) =>
        figure({
          only: 'page',
          id: `response-${i + 1}`,
          caption: captionOf(one),
          picture:
            () => html`<h3 class="panel">${!isOne && html`${name(one.comparison)}: `}${name(outcomeText(one.answer))}</h3>
${drawings(one)}`,
          table: curveTable(one),
        }),
      ),
    ],
  }
}

const leftNote = (left: number): Block => only('page', note(words().sections.responses.left(left)))

function key(): Markup {
  const { beyond, bandEnds, within, baseline } = words().sections.responses
  return legend([
    [
      html`<path class="interval beyond" d="M15 1V13"/><circle class="mark-scenario beyond" cx="15" cy="7" r="4"/>`,
      beyond,
    ],
    [html`<path class="band-ends" d="M11 1H19M11 13H19"/>`, bandEnds],
    [html`<path class="interval" d="M15 1V13"/><circle class="mark-scenario" cx="15" cy="7" r="4"/>`, within],
    [html`<path class="mark-baseline line" d="M1 7H29"/>`, baseline],
  ])
}

/** The drawings of an axis share a grid. */
function drawings({ curves }: OutcomeCurves): Markup {
  const domain = curveDomain(curves)
  const from = curveBaseline(curves)
  return html`${[...grouped(curves, ({ axis }) => axis).values()].map((of) =>
    multiples(of.map((curve) => responseCurve(curve, domain, from))),
  )}`
}

const captionOf = ({ answer, curves }: OutcomeCurves): string =>
  `${curveText(answer, curves[0]!)}${words().sections.responses.bars(answer.against)}${answer.kind === 'date' ? words().sections.responses.inDays(answer.against) : ''}`

function curveTable({ answer, curves }: OutcomeCurves): Table {
  const { axis: axisHead, held: heldHead, value, number } = words().sections.responses.heads
  return table(
    outcomeText(answer),
    [...[axisHead, worded(heldHead), worded(value), number], ...answerHeads(answer.level === null ? null : 'points')],
    curves.flatMap(({ axis, held, numbers, points }) =>
      points.map((point) => [
        ...[name(axis), name(held), name(point.value)],
        numbers === null ? '–' : localNumber(String(point.place)),
        ...answerCells(point.answer),
      ]),
    ),
  )
}
