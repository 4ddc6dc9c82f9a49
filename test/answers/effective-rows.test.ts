import { describe, expect, it } from 'vitest'
import { effectiveRange, standardErrorFactors } from '../../src/answers/arithmetic/effective-rows.ts'
import { roundedEffectiveRows } from '../../src/engine/disclosure/rounded-counts.ts'

describe('effective rows in an evidence record', () => {
  it.each([
    { told: 1, least: 0, below: 10 },
    { told: 10, least: 10, below: 20 },
    { told: 20, least: 20, below: 50 },
    { told: 50, least: 50, below: 100 },
    { told: 100, least: 100, below: 110 },
    { told: 590, least: 590, below: 600 },
    { told: 990, least: 990, below: 1000 },
    { told: 1000, least: 1000, below: 1100 },
    { told: 12_000, least: 12_000, below: 13_000 },
  ])('stand for a range where the seed is protected: $told', ({ told, least, below }) => {
    expect(effectiveRange({ effective_rows: told })).toEqual({ least, below })
  })

  it.each([1, 10, 590])('are the number itself where they are exact: %s', (rows) => {
    expect(effectiveRange({ effective_rows: rows, exact: true })).toEqual({ least: rows, below: rows })
  })

  it.each([0.4, 12.3, 37, 105, 591])('are the number itself if no rounding of ours gives it: %s', (rows) => {
    expect(effectiveRange({ effective_rows: rows })).toEqual({ least: rows, below: rows })
  })

  it('stand for a range that holds what the service rounded', () => {
    for (let rows = 0.2; rows < 200_000; rows *= 1.0173) {
      const { least, below } = effectiveRange({ effective_rows: roundedEffectiveRows(rows) })
      expect(rows).toBeGreaterThanOrEqual(least)
      expect(rows).toBeLessThan(below)
    }
  })
})

describe('the factor for the standard errors of people who use the rows', () => {
  it('is √(1 + rows / effective rows)', () => {
    const factor = Math.sqrt(11)
    expect(standardErrorFactors(10_000, { least: 1000, below: 1000 })).toEqual({ least: factor, most: factor })
  })

  it('lies between those of both ends of a range', () => {
    const { least, most } = standardErrorFactors(1000, { least: 10, below: 20 })
    expect(least).toBeCloseTo(Math.sqrt(51), 12)
    expect(most).toBeCloseTo(Math.sqrt(101), 12)
  })

  it('has no largest value where there may be next to no rows', () => {
    expect(standardErrorFactors(990, { least: 0, below: 10 })).toEqual({ least: 10, most: null })
  })
})
