import { describe, expect, it } from 'vitest'
import { variableNames } from '../../../src/formats/sav-output/variable-names.ts'

describe('names of SPSS variables', () => {
  it.each([
    ['purchase.intent', 'purchase.intent'],
    ['Größe_1', 'Größe_1'],
    ['@mark', '@mark'],
    ['How old are you?', 'How_old_are_you'],
    ['1st choice', 'V_1st_choice'],
    ['_hidden', 'V_hidden'],
    ['#temporary', 'V_#temporary'],
    ['$system', 'V_$system'],
    ['ends with.', 'ends_with'],
    ['???', 'V'],
    ['', 'V'],
    ['with', 'with_2'],
    ['回答', '回答'],
  ])('%j becomes %j', (column, name) => {
    expect(variableNames([column])).toEqual([name])
  })

  it('are unique without regard to case', () => {
    expect(variableNames(['Age', 'age', 'AGE', 'age_2'])).toEqual(['Age', 'age_2', 'AGE_3', 'age_2_2'])
  })

  it('have at most 64 bytes, without half a letter, and stay unique', () => {
    const names = variableNames(['é'.repeat(40), `${'é'.repeat(40)}x`, 'a'.repeat(100), 'a'.repeat(101)])
    expect(names).toEqual(['é'.repeat(32), `${'é'.repeat(31)}_2`, 'a'.repeat(64), `${'a'.repeat(62)}_2`])
    for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(64)
  })
})
