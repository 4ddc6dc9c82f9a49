import { describe, expect, it } from 'vitest'
import type { Manifest } from '../../../../src/records/manifest/manifest.ts'
import { distributionSection } from '../../../../src/report/html/sections/distribution-section.ts'
import { exampleManifest } from '../../../answers/example-manifest.ts'
import { bodyOf, cellId, matrixManifest, mean, reading, rowsOf, share, tipsOf } from '../matrix-manifest.ts'

const textOf = (manifest: Manifest) => bodyOf(distributionSection(reading(manifest)))

describe('distributions of baseline and scenario', () => {
  it('have a bar for each level, in the sequence of the data, and the same shares in the table', () => {
    const text = textOf(matrixManifest())
    const tips = tipsOf(text)
    expect(tips.slice(0, 3)).toEqual(['Yes: 35.0 % → 40.0 %', 'Unsure: 30.0 % → 30.0 %', 'No: 35.0 % → 30.0 %'])
    const rows = rowsOf(text)
    expect(rows[0]).toEqual([
      'Level, %',
      'base',
      ...['third', 'half', 'most'].map((m) => cellId('north', m)),
      cellId('south', 'third'),
      cellId('south', 'half'),
    ])
    expect(rows.slice(1, 4).map((row) => row.slice(0, 5))).toEqual([
      ['Yes', '35.0', '40.0', '44.0', '50.0'],
      ['Unsure', '30.0', '30.0', '30.0', '30.0'],
      ['No', '35.0', '30.0', '26.0', '20.0'],
    ])
  })

  it('have the shares of the answers; without an answer those of the generated rows, and the caption says so', () => {
    const manifest = matrixManifest()
    const results = Object.values(manifest.comparisons.lift!.scenarios)
    for (const { shares } of results) {
      const pair = shares.intent!.Yes!
      shares.intent!.Yes = { ...pair, against: pair.against - 0.01, scenario: pair.scenario + 0.02 }
    }
    expect(tipsOf(textOf(manifest))).toContain('Yes: 35.0 % → 40.0 %')
    expect(textOf(manifest)).not.toContain('intent in the generated rows')
    const { answer: _, ...counted } = results[0]!.shares.intent!.Yes!
    results[0]!.shares.intent!.Yes = counted
    expect(tipsOf(textOf(manifest))).toContain('Yes: 34.0 % → 42.0 %')
    expect(textOf(manifest)).toContain('Shares of the levels of intent in the generated rows')
  })

  it('show bins as steps whose area is the share, with medians and quartiles', () => {
    const text = textOf(matrixManifest())
    const path = /class="step-scenario" d="M([\d.]+) ([\d.]+)((?:V[\d.]+H[\d.]+)+)V/.exec(text)
    let left = Number(path?.[1])
    const zero = Number(path?.[2])
    const areas = [...(path?.[3] ?? '').matchAll(/V([\d.]+)H([\d.]+)/g)].map(([, y, x]) => {
      const area = (zero - Number(y)) * (Number(x) - left)
      left = Number(x)
      return area
    })
    const total = areas.reduce((sum, area) => sum + area, 0)
    expect(areas.map((area) => Math.round((area / total) * 100))).toEqual([10, 40, 50])
    expect(tipsOf(text)).toContain('scenario: median 18, quartiles 12 and 25, 5 % and 95 % quantiles 6 and 31')
    const rows = rowsOf(text)
    expect(rows.find(([figure]) => figure === '10 to 20, %')?.slice(0, 3)).toEqual(['10 to 20, %', '50.0', '40.0'])
    expect(rows.find(([figure]) => figure === 'median')?.slice(0, 3)).toEqual(['median', '15', '18'])
  })

  it('show only quantiles if the manifest has no bins', () => {
    const manifest = matrixManifest()
    for (const result of Object.values(manifest.comparisons.lift!.scenarios)) result.means.spend = mean(15, 18, false)
    const text = textOf(manifest)
    expect(text).not.toContain('step-scenario')
    expect(text).toContain('median 18')
    expect(rowsOf(text).some(([figure]) => figure?.includes(' to '))).toBe(false)
  })

  it('state how many values lie beyond the bins', () => {
    const manifest = matrixManifest()
    for (const { means } of Object.values(manifest.comparisons.lift!.scenarios)) {
      const { scenario } = means.spend!
      means.spend = {
        ...means.spend!,
        scenario: { ...scenario!, histogram: { edges: [0, 10, 20], shares: [0.4, 0.4], above: 0.2 } },
      }
    }
    expect(textOf(manifest)).toContain('20.0 % →')
    expect(textOf(manifest)).toContain('A figure with an arrow is the share beyond that edge.')
    expect(textOf(matrixManifest())).not.toContain('beyond that edge')
  })

  it('show a side without values as empty, and dates as days', () => {
    const manifest = matrixManifest()
    const day = 86_400_000
    const { scenarios } = manifest.comparisons.lift!
    for (const [i, result] of Object.values(scenarios).entries()) {
      const found = mean(20_000 * day, 20_100 * day, false)
      const { answer: _, ...untold } = found
      result.means.spend = i === 0 ? { ...untold, scenario: null, delta: null } : found
    }
    manifest.datasets.panel = { ...manifest.datasets.panel!, columns: { spend: { kind: 'date' } } }
    const text = textOf(manifest)
    expect(text).toContain('median 2024-10-04')
    expect(
      rowsOf(text)
        .find(([figure]) => figure === 'median')
        ?.slice(1, 3),
    ).toEqual(['2024-10-04', '2025-01-12'])
  })

  it('are absent without comparisons, and at most 24, from each column in turn', () => {
    expect(distributionSection(reading(exampleManifest()))).toBeNull()
    const manifest = matrixManifest()
    for (const result of Object.values(manifest.comparisons.lift!.scenarios))
      for (let i = 0; i < 30; i++) result.shares[`q${i}`] = { a: share(0.2, 0.3) }
    const text = textOf(manifest)
    expect(text.match(/<svg class="chart"/g)).toHaveLength(24)
    expect(text).toMatch(/\d+ further distributions would repeat/)
  })
})
