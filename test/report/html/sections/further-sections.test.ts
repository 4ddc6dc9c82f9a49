import { describe, expect, it } from 'vitest'
import type { Manifest } from '../../../../src/records/manifest/manifest.ts'
import { reportSections } from '../../../../src/report/html/page/report-sections.ts'
import { exampleManifest } from '../../../answers/example-manifest.ts'
import { bodyOf, cellId, cellScenario, matrixManifest, mean, reading, share } from '../matrix-manifest.ts'

const FURTHER = ['responses', 'distributions', 'targets', 'feasibility', 'data']
const furtherSections = (manifest: Manifest) =>
  reportSections(reading(manifest)).filter(({ id }) => FURTHER.includes(id))
const idsOf = (manifest: Manifest) => furtherSections(manifest).map(({ id }) => id)
const textOf = (manifest: Manifest) => furtherSections(manifest).map(bodyOf).join('')

describe('the sections below the answer', () => {
  it('are present if the manifest has data for them', () => {
    expect(idsOf(matrixManifest())).toEqual(['responses', 'distributions', 'targets', 'feasibility', 'data'])
    expect(idsOf(exampleManifest())).toEqual(['targets', 'feasibility', 'data'])
    expect(idsOf(exampleManifest({}, { datasets: {} }))).toEqual([])
  })

  it('have a name, a unique id and a table for every picture', () => {
    const text = textOf(matrixManifest())
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(text.match(/<figure/g)?.length).toBe(text.match(/<summary>Figures<\/summary>/g)?.length)
    for (const [svg] of text.matchAll(/<svg class="chart"[^>]*>/g))
      expect(svg).toMatch(/role="img" aria-label="[^"]+" tabindex="0"/)
    expect(text).not.toMatch(/NaN|Infinity|undefined|style=|\[object/)
  })

  it('escape every text of study, data and service', () => {
    const evil = '"><script>alert(1)</script><svg onload=x>'
    const renamed = JSON.parse(
      JSON.stringify(matrixManifest(), (_key, value: unknown) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.fromEntries(
              Object.entries(value).map(([key, one]) => [HOSTILE.has(key) ? `${key}${evil}` : key, one]),
            )
          : typeof value === 'string' && HOSTILE.has(value)
            ? `${value}${evil}`
            : value,
      ),
    ) as Manifest
    const text = textOf(renamed)
    expect(text).not.toContain('<script')
    expect(text).not.toContain('<svg onload')
    expect(text).toContain('&lt;script&gt;')
  })

  it('cut names of 120 characters in pictures, and show them whole in tables and tooltips', () => {
    const long = 'n'.repeat(120)
    const manifest = matrixManifest()
    for (const { shares } of Object.values(manifest.comparisons.lift!.scenarios))
      shares.intent = { [long]: share(0.3, 0.4) }
    const text = textOf(manifest)
    expect(text).toContain(`<bdi>${long}</bdi>`)
    expect(text).toMatch(/>n+…<\/text>/)
    expect(text).toContain(`data-tip="${long}: 30.0 % → 40.0 %"`)
  })

  it('stay below 2.5 MB for 200 scenarios with 30 outcomes', () => {
    const manifest = matrixManifest()
    const { scenarios } = manifest.comparisons.lift!
    for (let i = 0; i < 200; i++) {
      const id = cellId(`r${i % 20}`, `m${Math.floor(i / 20)}`)
      manifest.scenarios[id] = {
        ...cellScenario('north', 'half'),
        axes: { region: `r${i % 20}`, members: `m${Math.floor(i / 20)}` },
      }
      const shares = Object.fromEntries(
        Array.from({ length: 20 }, (_, j) => [
          `q${j}`,
          { Yes: share(0.3, 0.3 + i / 500), No: share(0.7, 0.7 - i / 500) },
        ]),
      )
      const means = Object.fromEntries(Array.from({ length: 10 }, (_, j) => [`m${j}`, mean(15, 15 + i / 10)]))
      scenarios[id] = { status: 'compared', shares, means }
    }
    const { axes: _axes, ...study } = manifest.study
    expect(Buffer.byteLength(textOf({ ...manifest, study }))).toBeLessThan(2_500_000)
  })
})

/** Names that come from the study, its data or its service. */
const HOSTILE = new Set([
  'base',
  'growth',
  'region',
  'members',
  'north',
  'south',
  'third',
  'half',
  'most',
  'intent',
  'Yes',
  'loyal',
  'panel',
  'lift',
  'postcode',
  'near-zero variance',
  'seeds/panel.csv',
])
