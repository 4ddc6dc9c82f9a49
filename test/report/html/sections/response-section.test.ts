import { describe, expect, it } from 'vitest'
import type { Manifest } from '../../../../src/records/manifest/manifest.ts'
import { responseSection } from '../../../../src/report/html/sections/response-section.ts'
import { exampleManifest } from '../../../answers/example-manifest.ts'
import { bodyOf, cellId, cellScenario, matrixManifest, reading, rowsOf, share, tipsOf } from '../matrix-manifest.ts'

const textOf = (manifest: Manifest) => bodyOf(responseSection(reading(manifest)))
const drawings = (text: string) => [...text.matchAll(/<svg class="chart".*?<\/svg>/gs)].map(([svg]) => svg)
const centres = (svg: string) => [...svg.matchAll(/<circle[^>]* cx="([\d.]+)"/g)].map(([, x]) => Number(x))

describe('curves along the axes of a matrix', () => {
  it('have the figures of the manifest, and the same in the table', () => {
    const text = textOf(matrixManifest())
    expect(tipsOf(text)).toContain('most: 50.0 %, +15.0 points from base, 95 % interval of the difference 11.0 to 19.0')
    const row = rowsOf(text).find(
      ([axis, held, value]) => axis === 'members' && held === 'region north' && value === 'most',
    )
    expect(row?.slice(0, 6)).toEqual(['members', 'region north', 'most', '0.75', '35.0 %', '50.0 %'])
    expect(text).toContain(
      'Along members at region north, intent Yes rises from 40.0 % (third) to 50.0 % (most); in base it is 35.0 %.',
    )
  })

  it('place the values of an axis by the number that changes in the requests', () => {
    const north = drawings(textOf(matrixManifest())).find((svg) =>
      svg.includes('aria-label="intent Yes along members, region north"'),
    )!
    const [third, half, most] = centres(north) as [number, number, number]
    expect((half - third) / (most - third)).toBeCloseTo((0.5 - 0.33) / (0.75 - 0.33), 2)
    expect(north).toContain('members: share of loyal Yes')
    expect(north).toMatch(/>33 %<.*>50 %<.*>75 %</s)
    expect(north).toContain('class="curve"')
  })

  it('place values at equal distances without a line if two conditions change with the value', () => {
    const manifest = matrixManifest()
    const { north } = { north: ['third', 'half', 'most'] as const }
    for (const [i, members] of north.entries()) {
      const scenario = cellScenario('north', members)
      const { categorical } = scenario.request!.conditions!
      const conditions = { categorical: { ...categorical, brand: { A: 0.1 + i * 0.2 } } }
      manifest.scenarios[cellId('north', members)] = { ...scenario, request: { ...scenario.request!, conditions } }
      if (members !== 'most')
        manifest.scenarios[cellId('south', members)] = {
          ...cellScenario('south', members),
          request: { ...scenario.request!, conditions },
        }
    }
    const drawing = drawings(textOf(manifest)).find((svg) =>
      svg.includes('aria-label="intent Yes along members, region north"'),
    )!
    const [third, half, most] = centres(drawing) as [number, number, number]
    expect(half - third).toBeCloseTo(most - half, 1)
    expect(drawing).not.toContain('class="curve"')
    expect(drawing).not.toContain('share of')
    expect(textOf(manifest)).toContain(
      'Along region at members third, intent Yes lies between 37.0 % and 40.0 %, which chance may explain; in base it is 35.0 %.',
    )
  })

  it('take the sequence of values from the scenarios if an earlier manifest has none', () => {
    const { study, ...rest } = matrixManifest()
    const { axes: _axes, scenario_order: _order, ...earlier } = study
    expect(textOf({ ...rest, study: earlier })).toContain('intent Yes rises from 40.0 % (third) to 50.0 % (most)')
  })

  it('show one of two levels, because the other is the rest', () => {
    const manifest = matrixManifest()
    for (const result of Object.values(manifest.comparisons.lift!.scenarios)) {
      const { Yes } = result.shares.intent!
      result.shares.intent = { Yes: Yes!, No: share(0.65, 1 - Yes!.scenario) }
    }
    const labels = drawings(textOf(manifest)).map((svg) => /aria-label="(\w+ \w+)/.exec(svg)?.[1])
    expect(labels.filter((label) => label === 'intent Yes' || label === 'intent No')).toHaveLength(
      labels.filter((label) => label === labels.find((one) => one?.startsWith('intent'))).length,
    )
  })

  it('are absent without a matrix, and leave out scenarios without a result', () => {
    expect(responseSection(reading(exampleManifest()))).toBeNull()
    const manifest = matrixManifest()
    for (const id of Object.keys(manifest.comparisons.lift!.scenarios))
      manifest.comparisons.lift!.scenarios[id] = { status: 'missing', shares: {}, means: {} }
    expect(responseSection(reading(manifest))).toBeNull()
  })

  it('show the largest differences, and say how many are left, if there are many outcomes', () => {
    const manifest = matrixManifest()
    for (const result of Object.values(manifest.comparisons.lift!.scenarios))
      for (let i = 0; i < 30; i++)
        result.shares[`q${i}`] = { a: share(0.2, 0.2 + i / 1000), b: share(0.5, 0.5), c: share(0.3, 0.3) }
    const text = textOf(manifest)
    expect(drawings(text).length).toBeLessThanOrEqual(24)
    expect(text).toMatch(/The tables of the comparisons hold \d+ further outcomes/)
  })
})
