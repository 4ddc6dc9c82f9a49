import { describe, expect, it } from 'vitest'
import { codeLevels } from '../../../src/formats/sav-output/level-codes.ts'

const coded = (levels: readonly string[], found: readonly string[], seed: Record<string, number> | null = null) => {
  const { codes, isLabelled } = codeLevels({ levels, seedCodes: seed && new Map(Object.entries(seed)) }, found)
  return { codes: Object.fromEntries(codes), isLabelled }
}

describe('codes of levels', () => {
  it('count from 1 in the order of the schema, then go on for levels that the schema lacks', () => {
    const codes = { never: 1, often: 2, always: 3, other: 4 }
    expect(coded(['never', 'often', 'always'], ['often', 'other'])).toEqual({ codes, isLabelled: true })
  })

  it('are the levels themselves if all levels are whole numbers', () => {
    expect(coded(['3', '1'], ['-2'])).toEqual({ codes: { 3: 3, 1: 1, '-2': -2 }, isLabelled: false })
    expect(coded(['1', '02'], [])).toEqual({ codes: { 1: 1, '02': 2 }, isLabelled: true })
    expect(coded(['1', '1.5'], [])).toEqual({ codes: { 1: 1, '1.5': 2 }, isLabelled: true })
  })

  it('are the codes of the seed file, and its unlabelled codes stand for themselves', () => {
    const seed = { North: 1, South: 2, Refused: 99 }
    const codes = { South: 2, North: 1, 5: 5, Elsewhere: 100 }
    expect(coded(['South', 'North', '5', 'Elsewhere'], [], seed)).toEqual({ codes, isLabelled: true })
  })

  it('never stand for two levels', () => {
    const { codes } = coded(['North', '1', 'South'], [], { North: 1, South: 2 })
    expect(codes).toEqual({ North: 1, South: 2, 1: 3 })
  })
})
