import { describe, expect, it } from 'vitest'
import type { RowsDistance } from '../../../../src/records/manifest/comparisons.ts'
import { comparisonsSection } from '../../../../src/report/html/record/comparisons-section.ts'
import { bodyOf, matrixManifest, reading } from '../matrix-manifest.ts'

/** The words that are seen while the table of distances is folded. */
function summaryOf(distances: readonly RowsDistance[]): string | undefined {
  const manifest = structuredClone(matrixManifest())
  Object.values(manifest.comparisons.lift!.scenarios)
    .slice(0, distances.length)
    .forEach((one, i) => {
      Object.assign(one, { rows_distance: distances[i] })
    })
  const text = bodyOf(comparisonsSection(reading(manifest)))
  return /How near the rows are to the answers <span class="muted">([^<]*)</.exec(text)?.[1]
}

const MEANS: RowsDistance = { outcomes: 2, beyond_two_errors: 1, rms_errors: 0.4 }
const SHARES: RowsDistance = { outcomes: 3, beyond_two_errors: 0, largest_points: 0.25, rms_errors: 0.2 }

describe('how near the rows are to the answers', () => {
  it('is told in points over all scenarios that compare shares', () => {
    const nearer = { ...SHARES, largest_points: 0.1 }
    expect(summaryOf([nearer, SHARES, MEANS])).toBe(
      'at most 0.3 points away; 1 of 8 differences beyond two standard errors',
    )
  })

  it('is not told in points where only means are compared', () => {
    expect(summaryOf([MEANS])).toBe('1 of 2 differences beyond two standard errors')
  })

  it('is not told without answers', () => {
    expect(summaryOf([])).toBeUndefined()
  })
})
