import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../../src/answers/words/answer-text.ts'
import {
  type Curve,
  curveBaseline,
  curveDomain,
  responseCurve,
} from '../../../../src/report/html/charts/response-curve.ts'

const answer = (to: number, standardError: number): Answer => ({
  ...{ comparison: 'lift', against: 'as-it-is', scenario: 's', column: 'visits', level: null, quantile: null },
  ...{ kind: 'number', place: 0, segment: null, where: null, from: 4.909, to, difference: to - 4.909 },
  ...{ inRows: null, withModel: null, band: null, standardError, basis: 'seed', beyond: true, isAskedFor: false },
  ...{ interval: [to - 4.909 - 2 * standardError, to - 4.909 + 2 * standardError], marks: [] },
})

const curveOf = (values: readonly string[], to: (i: number) => number, isNumeric = false): Curve => ({
  axis: 'place',
  held: 'member m9',
  points: values.map((value, i) => ({ value, place: isNumeric ? (i + 1) / 10 : i, answer: answer(to(i), 0.02) })),
  numbers: isNumeric ? { of: 'share of member Yes', isShare: true } : null,
})

interface Label {
  readonly text: string
  readonly x: number
  readonly y: number
}

function drawn(curve: Curve, all: readonly Curve[] = [curve]) {
  const svg = responseCurve(curve, curveDomain(all), curveBaseline(all)).text
  const labels = [...svg.matchAll(/<text class="axis[^"]*" x="([^"]*)" y="([^"]*)"[^>]*>([^<]*)</g)].map(
    ([, x, y, text]): Label => ({ text: text!, x: Number(x), y: Number(y) }),
  )
  const points = [...svg.matchAll(/<circle class="mark-scenario[^"]*" cx="([^"]*)" cy="([^"]*)"/g)].map(([, x, y]) => ({
    x: Number(x),
    y: Number(y),
  }))
  return { labels, points }
}

const PLACES = ['north', 'south', 'west', 'east', 'islands', 'everywhere']

describe('the drawing of an outcome along an axis', () => {
  it('names every value, on two lines where one is too short', () => {
    const { labels } = drawn(curveOf(PLACES, () => 4))
    for (const place of PLACES) expect(labels.map(({ text }) => text)).toContain(place)
    expect(new Set(labels.filter(({ text }) => PLACES.includes(text)).map(({ y }) => y)).size).toBe(2)
  })

  it('shows the number of each value that it names', () => {
    const values = Array.from({ length: 9 }, (_, i) => `m${i}`)
    const { labels } = drawn(curveOf(values, (i) => 3 + i / 2, true))
    const named = labels.filter(({ text }) => values.includes(text))
    expect(named.length).toBeGreaterThan(2)
    for (const { x, text } of named)
      expect(labels).toContainEqual(expect.objectContaining({ x, text: `${10 * (values.indexOf(text) + 1)} %` }))
  })

  // Points beside the baseline, above and below it.
  it.each([3.9, 4.4, 5.3, 6])('covers no point with the name of the baseline: points at %d', (to) => {
    const all = [curveOf(PLACES, () => 3), curveOf(PLACES, () => to), curveOf(PLACES, () => 8)]
    const { labels, points } = drawn(all[1]!, all)
    const name = labels.find(({ text }) => text.startsWith('as-it-is'))!
    const isCovered = ({ y }: { readonly y: number }) => y + 4.5 > name.y - 9 && y - 4.5 < name.y
    expect(points.length).toBe(PLACES.length)
    expect(points.filter(isCovered)).toEqual([])
  })

  it('has one text for the baseline, however sure a drawing is of its digits', () => {
    const rough = { ...curveOf(PLACES, () => 4), points: [{ value: 'north', place: 0, answer: answer(4, 0.5) }] }
    const all = [curveOf(PLACES, () => 4), rough]
    const names = all.map((curve) => drawn(curve, all).labels.find(({ text }) => text.startsWith('as-it-is'))?.text)
    expect(names[0]).toMatch(/^as-it-is \d/)
    expect(names[0]).toBe(names[1])
  })
})
