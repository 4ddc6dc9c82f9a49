import { describe, expect, it } from 'vitest'
import { parseManifest } from '../../../src/answers/manifest/parse-manifest.ts'
import { comparisonAnswers } from '../../../src/answers/words/answer-text.ts'
import type { Manifest } from '../../../src/records/manifest/manifest.ts'
import { reportDeck } from '../../../src/report/deck/deck.ts'
import { compared, liftManifest, mean, share } from '../example-answers.ts'
import { hostileManifest } from '../html/hostile-manifest.ts'
import { matrixManifest, reading } from '../html/matrix-manifest.ts'
import { readDeck } from './read-deck.ts'

const write = (manifest: Manifest) => reportDeck(parseManifest(JSON.stringify(manifest)))
const slidesOf = async (manifest: Manifest) => (await readDeck(await write(manifest))).slides

const BEYOND = { beyond_chance: true }
const WITHIN = { beyond_chance: false }

const LIFT = liftManifest({
  half: compared(
    {
      intent: {
        Yes: share(0.348, 0.45, 0.01, BEYOND),
        No: share(0.34, 0.28, 0.01, BEYOND),
        Unsure: share(0.312, 0.3, 0.01, WITHIN),
      },
    },
    { spend: mean(16.1, 19.27, 0.4, BEYOND) },
  ),
  most: compared({
    intent: {
      Yes: share(0.348, 0.36, 0.01, WITHIN),
      No: share(0.34, 0.3, 0.01, BEYOND),
      Unsure: share(0.312, 0.34, 0.01, { asked_for: true }),
    },
  }),
})

describe('a deck', () => {
  it('has the sentence of the report as the title of an outcome, in a unit that does not leave its figure', async () => {
    const titles = (await slidesOf(LIFT)).map(({ title }) => title)
    expect(titles[0]).toBe('brand-switching')
    expect(titles).toContain(
      'With half, intent Yes rises from 34.8\u00a0% to 45.0\u00a0%: +10.2\u00a0points, 95\u00a0% interval 8.2 to 12.2',
    )
    expect(titles).toContain(
      'With half, intent No falls from 34.0\u00a0% to 28.0\u00a0%: \u22126.0\u00a0points, 95\u00a0% interval \u22128.0 to \u22124.0',
    )
    expect(titles).toContain('1 outcome has no difference beyond chance')
  })

  it('has the figures of the manifest behind its charts, with the ends of the intervals', async () => {
    const yes = (await slidesOf(LIFT)).find(({ title }) => title.startsWith('With half, intent Yes'))!
    const [heads, ...rows] = yes.chart!.rows
    expect(heads!.slice(1, 4)).toEqual(['Beyond chance', '95 % from', '95 % to'])
    expect(rows[0]!.slice(0, 2)).toEqual(['half', 10.2])
    expect(rows[0]![2]).toBeCloseTo(10.2 - 1.96, 9)
    expect(rows[0]![3]).toBeCloseTo(10.2 + 1.96, 9)
    // Within chance: a series of its own, with another colour.
    expect(heads![6]).toBe('Within chance or not known')
    expect(rows[1]![0]).toBe('most')
    expect(rows[1]![6]).toBeCloseTo(1.2, 9)
    expect(yes.chart!.xml).toContain('<c:f>Sheet1!$B$2:$B$3</c:f>')
    expect(yes.chart!.xml).toContain('<c:errValType val="cust"/>')
    // Office programs would choose ticks of their own, from the low end on, and leave zero out.
    const end = (of: string) => Number(new RegExp(`<c:${of} val="([^"]+)"/>`).exec(yes.chart!.xml)?.[1])
    expect(end('majorUnit')).toBeGreaterThan(0)
    expect(Math.abs(end('min') % end('majorUnit'))).toBe(0)
    expect(Math.abs(end('max') % end('majorUnit'))).toBe(0)
  })

  it('shows nothing that was asked for as a finding', async () => {
    const unsure = (await slidesOf(LIFT)).filter(({ chart }) => chart?.xml.includes('34 %'))
    expect(unsure).toEqual([])
    const table = (await slidesOf(LIFT)).find(({ title }) => title.startsWith('1 outcome'))!
    expect(table.texts).toContain('intent Unsure')
    expect(table.texts).not.toContain('most')
  })

  it('draws an outcome along an axis of numbers, whiskers and baseline with it', async () => {
    const slides = await slidesOf(matrixManifest())
    const curve = slides.find(({ title }) => title.startsWith('Along members at region north, intent Yes rises'))!
    expect(curve.chart!.rows[0]!.slice(0, 3)).toEqual(['', 'members: share of loyal Yes', 'intent Yes'])
    expect(curve.chart!.rows.slice(1).map((row) => row.slice(0, 3))).toEqual([
      ['third', 0.33, 0.4],
      ['half', 0.5, 0.44],
      ['most', 0.75, 0.5],
    ])
    const baseline = curve.chart!.rows[0]!.indexOf('base')
    expect(curve.chart!.rows.slice(1).map((row) => row[baseline])).toEqual([0.35, 0.35, 0.35])
    expect(curve.chart!.xml).toContain('<c:prstDash val="dash"/>'.replace('c:', 'a:'))
  })

  it('draws histograms as steps whose area is the share of the rows', async () => {
    const manifest = matrixManifest()
    const steps = (await slidesOf(manifest)).find(({ chart }) => chart?.xml.includes('share of rows per unit'))!
    const rows = steps.chart!.rows.slice(1) as [string, number, number, number][]
    const area = (at: 2 | 3) => rows.slice(1).reduce((sum, row, i) => sum + (row[1] - rows[i]![1]) * row[at], 0)
    const [{ scenarios }] = Object.values(manifest.comparisons) as [Manifest['comparisons'][string]]
    const { histogram } = Object.values(Object.values(scenarios)[0]!.means)[0]!.scenario!
    const inside = histogram!.shares.reduce((sum, one) => sum + one, 0)
    expect(area(3)).toBeCloseTo(inside, 9)
  })

  it('has notes on every slide: the method, and whole names where the slide has a part', async () => {
    const long = `${'a very long name of a scenario '.repeat(6)}end`
    const manifest = liftManifest({ [long]: compared({ intent: { Yes: share(0.3, 0.4, 0.01, BEYOND) } }) })
    const slides = await slidesOf(manifest)
    for (const { notes } of slides) expect(notes.join('')).not.toBe('')
    const one = slides.find(({ chart }) => chart !== null)!
    expect(one.notes).toContain(long)
    expect(one.notes.join(' ')).toContain('95 % confidence')
    expect(one.title.length).toBeLessThan(200)
  })

  it('splits what is too much for a slide, and says which part it is', async () => {
    const scenarios = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [
        `s${i}`,
        compared({ intent: { Yes: share(0.3, 0.35 + i / 100, 0.01, BEYOND) } }),
      ]),
    )
    const forests = (await slidesOf(liftManifest(scenarios))).filter(({ chart }) => chart?.xml.includes('overlap'))
    expect(forests.map(({ title }) => title.replace(/.*\(/, '('))).toEqual(['(1 of 3)', '(2 of 3)', '(3 of 3)'])
    expect(forests.map(({ chart }) => chart!.rows.length - 1)).toEqual([10, 10, 10])
    const axes = forests.map(({ chart }) => /<c:valAx>.*?<c:max val="([^"]*)"/.exec(chart!.xml)![1])
    expect(new Set(axes).size).toBe(1)
  })

  it.each([
    '=HYPERLINK("http://evil.example")',
    '\u202Egnp',
    '</a:t><script>',
    ']]>&amp;"\'',
    'a\u0000b\uFFFEc\uD800',
    '@SUM(A1)\n\t=1',
  ])('stays text with names like %j', async (added) => {
    const { slides, elements, paths } = await readDeck(
      await reportDeck(reading({ ...hostileManifest(added), run: LIFT.run })),
    )
    expect(slides.some(({ chart }) => chart?.hasFormula)).toBe(false)
    expect(elements.some(({ tag }) => tag === 'script')).toBe(false)
    expect(paths.some((path) => /vba|macro|externalLink/i.test(path))).toBe(false)
    const all = slides.flatMap(({ texts, notes }) => [...texts, ...notes]).join('')
    for (const hidden of ['\u0000', '\u202e', '\ufffe']) expect(all).not.toContain(hidden)
  })

  it('has the same bytes for the same manifest, whatever was written before', async () => {
    const first = await write(LIFT)
    await write(matrixManifest())
    expect(await write(LIFT)).toEqual(first)
    const { paths, elements } = await readDeck(first)
    const announced = elements
      .filter(({ tag }) => tag === 'Override')
      .map(({ attributes }) => attributes.PartName!.slice(1))
    for (const path of announced) expect(paths).toContain(path)
  })

  it('says before the figures that a run is not complete, and which gates failed', async () => {
    const gate = { id: 'fill', level: 'fail', evaluated: 1, passed: false, expected: { min: 1 }, actual: 0.5 } as const
    const manifest = liftManifest({}, { gates: [gate] as never })
    const [opening] = await slidesOf({ ...manifest, status: 'running' })
    expect(opening!.texts.join(' ')).toContain('The run is not complete')
  })

  it('has no comparison to show in a study of scenarios alone', async () => {
    const titles = (await slidesOf({ ...LIFT, comparisons: {} })).map(({ title }) => title)
    expect(titles.at(-1)).toBe('What made these figures, to cite and to repeat')
    expect(comparisonAnswers({ ...LIFT, comparisons: {} })).toEqual([])
  })
})
