import { describe, expect, it } from 'vitest'
import {
  effectiveRowsFigure,
  effectiveRowsPhrase,
  standardErrorFactorText,
} from '../../src/answers/words/effective-rows-text.ts'

describe('effective rows', () => {
  it.each([
    { rows: 1, phrase: 'fewer than 10 effective rows', figure: '< 10' },
    { rows: 10, phrase: '10 to 20 effective rows', figure: '10–20' },
    { rows: 50, phrase: '50 to 100 effective rows', figure: '50–100' },
    { rows: 100, phrase: '100 to 110 effective rows', figure: '≥ 100' },
    { rows: 12_000, phrase: '12,000 to 13,000 effective rows', figure: '≥ 12,000' },
  ])('of a protected seed are told as a range: $rows', ({ rows, phrase, figure }) => {
    const evidence = { effective_rows: rows, largest_tilt: 2 }
    expect(effectiveRowsPhrase(evidence)).toBe(phrase)
    expect(effectiveRowsFigure(evidence)).toBe(figure)
  })

  it.each([
    { rows: 0.01, phrase: 'less than 0.1 effective rows', figure: '< 0.1' },
    { rows: 1, phrase: '1 effective row', figure: '1' },
    { rows: 1.72, phrase: '1.7 effective rows', figure: '1.7' },
    { rows: 10, phrase: '10 effective rows', figure: '10' },
    { rows: 22.4, phrase: '22 effective rows', figure: '22' },
    { rows: 12_345.6, phrase: '12,346 effective rows', figure: '12,346' },
  ])('of one’s own seed are told as they are: $rows', ({ rows, phrase, figure }) => {
    const evidence = { effective_rows: rows, exact: true, largest_tilt: 2 }
    expect(effectiveRowsPhrase(evidence)).toBe(phrase)
    expect(effectiveRowsFigure(evidence)).toBe(figure)
  })
})

describe('the factor for standard errors', () => {
  const text = (rows: number, recorded?: number, exact?: true) =>
    standardErrorFactorText({
      evidence: { effective_rows: rows, largest_tilt: 2, ...(exact && { exact }) },
      rows: { requested: 1000, reported: 990, counted: 990, fill: 0.99 },
      ...(recorded !== undefined && { standard_error_factor: recorded }),
    })

  it('is the largest that it can be where effective rows are a range', () => {
    expect(text(10, 10)).toBe('at most × 10')
    expect(text(590, 1.636)).toBe('at most × 1.64')
  })

  it('is the smallest that it can be where they are fewer than 10, whatever an older manifest recorded', () => {
    expect(text(1)).toBe('at least × 10')
    expect(text(1, 31.48)).toBe('at least × 10')
  })

  it('is told as it is where they are exact', () => {
    expect(text(10, 10, true)).toBe('× 10')
    expect(text(1, 31.48, true)).toBe('× 31.5')
  })

  it('is absent without evidence, without rows, and where the manifest has none', () => {
    const rows = { requested: 1000, reported: null, counted: null, fill: null }
    const evidence = { effective_rows: 10, largest_tilt: 2 }
    expect(standardErrorFactorText({ evidence, rows, standard_error_factor: 10 })).toBeNull()
    expect(standardErrorFactorText({ rows: { ...rows, counted: 990 } })).toBeNull()
    expect(text(10)).toBeNull()
  })
})
