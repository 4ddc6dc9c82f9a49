/** A slide for each curve of a sweep: an outcome along an axis of a matrix, where the other axes are held. */

import { type Answer, answerWords, SCALES } from '../../answers/words/answer-text.ts'
import { words } from '../../base/language/language.ts'
import { percentSign } from '../../base/language/local-number.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import { notesOf, outcomeText } from '../html/answer-cells.ts'
import { type Curve, curveDomain } from '../html/charts/response-curve.ts'
import { curveText } from '../html/sections/curve-text.ts'
import { drawnOutcomes, type OutcomeCurves } from '../html/sections/outcome-curves.ts'
import type { ChartAxis, DeckChart } from './chart.ts'
import { ticks } from './difference-slides.ts'
import { type RoundAxis, roundAxis } from './round-axis.ts'
import type { Slide } from './slide.ts'

/** Where something is known about chance, only curves that it does not explain: the page has the others. */
export function curveSlides(manifest: Manifest): Slide[] {
  const { shown, left } = drawnOutcomes(manifest)
  const isTold = ({ points }: Curve): boolean =>
    points.some(({ answer }) => answer.beyond === true) || points.every(({ answer }) => answer.beyond === null)
  return shown.flatMap((outcome) => {
    const values = valueAxis(outcome)
    return outcome.curves.filter(isTold).map((curve) => ({
      title: curveText(outcome.answer, curve),
      body: { kind: 'chart' as const, chart: curveChart(outcome.answer, curve, values) },
      notes: notesOfCurve(outcome.answer, curve, left),
    }))
  })
}

function notesOfCurve({ against, kind }: Answer, { points }: Curve, left: number): string[] {
  const { deck, figures } = words()
  return [
    deck.curve.whiskers(against),
    ...(kind === 'date' ? [deck.curve.days(against)] : []),
    ...points.map(({ value, answer }) => {
      const { to, difference, interval } = answerWords(answer)
      const parts = [
        `${value}: ${to}`,
        difference,
        ...(interval === '' ? [] : [`${percentSign('95')} ${interval}`]),
        ...notesOf(answer),
      ]
      return figures.sentence(parts.join(figures.comma))
    }),
    ...(left === 0 ? [] : [deck.curve.further(left)]),
  ]
}

/** The unit of a chart's values: fractions with a format of per cent, days from the baseline. */
const heightOf = ({ kind, from }: Answer, value: number): number =>
  kind === 'date' ? (value - (from ?? 0)) * SCALES.date : value

/** All curves of an outcome have one axis. */
function valueAxis({ curves }: OutcomeCurves): RoundAxis {
  // The domain of the report's picture, where shares are in per cent.
  const { kind } = curves[0]!.points[0]!.answer
  const scale = kind === 'share' ? 1 / SCALES.share : 1
  const [low, high] = curveDomain(curves)
  return roundAxis([low! * scale, high! * scale], 5)
}

function curveChart(answer: Answer, { axis, held, points, numbers }: Curve, axisOfValues: RoundAxis): DeckChart {
  const { curve: say } = words().deck
  const drawn = points.filter((point) => point.answer.to !== null)
  const laid = (of: Answer, range: Answer['interval']): readonly [number, number] | null =>
    range === null || of.from === null ? null : [heightOf(of, of.from + range[0]), heightOf(of, of.from + range[1])]
  const bands = drawn.map((point) => laid(point.answer, point.answer.band))
  const format = answer.kind === 'share' ? '0%' : answer.kind === 'date' ? '+0;-0;0' : ticks(axisOfValues.ends)
  const across: ChartAxis =
    numbers === null
      ? { title: axis, format: 'General' }
      : {
          title: `${axis}: ${numbers.of}`,
          format: numbers.isShare ? '0%' : '#,##0.####',
          ...placeAxis(drawn.map(({ place }) => place)),
        }
  return {
    kind: numbers === null ? 'marks' : 'curves',
    label: words().sections.responses.label(outcomeText(answer), axis, held),
    rows: drawn.map(({ value }) => value),
    ...(numbers !== null && { at: drawn.map(({ place }) => place) }),
    series: [
      {
        name: outcomeText(answer),
        look: 'scenario',
        values: drawn.map((point) => heightOf(point.answer, point.answer.to!)),
        intervals: drawn.map((point) => laid(point.answer, point.answer.interval)),
        pale: drawn.map((point) => point.answer.beyond !== true),
        isJoined: numbers !== null,
      },
      ...(answer.from === null
        ? []
        : [
            {
              name: answer.against,
              look: 'baseline' as const,
              values: drawn.map((point) =>
                point.answer.from === null ? null : heightOf(point.answer, point.answer.from),
              ),
              isJoined: true,
            },
          ]),
      ...([0, 1] as const).flatMap((end) =>
        bands.every((band) => band === null)
          ? []
          : [
              {
                name: end === 0 ? say.lowerEnd : say.upperEnd,
                look: 'band' as const,
                values: bands.map((band) => band?.[end] ?? null),
              },
            ],
      ),
    ],
    values: { format, ...axisOfValues },
    across,
  }
}

/** Points stand off the ends of the axis. */
function placeAxis(places: readonly number[]): RoundAxis {
  const [low, high] = [Math.min(...places), Math.max(...places)]
  const inset = (high - low) * 0.08 || 1
  return roundAxis([low - inset, high + inset], 8)
}
