import { describe, expect, it } from 'vitest'
import type { Manifest } from '../../../src/records/manifest/manifest.ts'
import { answerSection } from '../../../src/report/html/answer/first-screen.ts'
import { responseSection } from '../../../src/report/html/sections/response-section.ts'
import { mean } from '../example-answers.ts'
import { bodyOf, matrixManifest, reading } from './matrix-manifest.ts'

const DAY = 86_400_000
const BASE = Date.parse('2026-10-14')

/** The mean of a date, two days later with each value of an axis. */
function datesManifest(): Manifest {
  const manifest = matrixManifest()
  const { lift } = manifest.comparisons
  const scenarios = Object.fromEntries(
    Object.entries(lift!.scenarios).map(([id, result], i) => [
      id,
      { ...result, shares: {}, means: { visited: mean(BASE, BASE + 2 * i * DAY, DAY / 4) } },
    ]),
  )
  return {
    ...manifest,
    datasets: { panel: { ...manifest.datasets.panel!, columns: { visited: { kind: 'date' } } } },
    comparisons: { lift: { ...lift!, outcomes: [{ column: 'visited', kind: 'means' }], scenarios } },
  }
}

const axisTexts = (markup: string) => [...markup.matchAll(/<text class="axis"[^>]*>([^<]*)<\/text>/g)].map(([, t]) => t)

describe('a date as an outcome', () => {
  it('has differences in days on the axis of the first picture', () => {
    const text = bodyOf(answerSection(reading(datesManifest())))
    expect(text).toContain('Mean of visited: difference in days')
    const ticks = axisTexts(text).filter((tick) => /^[+−]?[\d.]+$/.test(tick!))
    expect(ticks).toContain('+8')
    for (const tick of ticks) expect(Math.abs(Number(tick!.replace('−', '-')))).toBeLessThan(20)
  })

  it('has days from the baseline on the axis of its curves', () => {
    const text = bodyOf(responseSection(reading(datesManifest())))
    expect(text).toContain('The axis counts days from base.')
    const ticks = axisTexts(text)
    expect(ticks).toContain('+4d')
    expect(ticks.filter((tick) => /[kMG]$/.test(tick!))).toEqual([])
  })
})
