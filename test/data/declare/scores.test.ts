import { describe, expect, it } from 'vitest'
import { applyDeclarations } from '../../../src/data/declare/apply-declarations.ts'
import { DeclarationError } from '../../../src/data/declare/declaration-error.ts'
import { levelText } from '../../../src/data/declare/raw-values.ts'
import type { Declarations } from '../../../src/study/declarations.ts'
import { numbers, table, texts } from '../../engine/cleaning/raw-columns.ts'

const COLUMNS = [
  numbers('q1', [1, 4, 5, null, 3, null]),
  numbers('q2', [2, 4, null, null, 4, 1]),
  texts('q3', ['2', '5', '4', '3', null, '1']),
  numbers('before', [10.5, 20, 0, 3.25, null, 8]),
  numbers('after', [12, 20, 1.75, 3, 4, null]),
  texts('mood', ['low', 'high', 'high', null, 'low', 'high']),
]

async function declared(declarations: Declarations) {
  const { table: made, remarks } = await applyDeclarations(table(...COLUMNS), declarations)
  const values = (name: string) => {
    const column = made.columns.find((one) => one.name === name)!
    return Array.from({ length: made.rowCount }, (_, row) => levelText(column, row))
  }
  return { columns: made.columns, values, remarks: remarks.map(({ key, text }) => `${key}: ${text}`) }
}

async function faults(declarations: Declarations): Promise<readonly string[]> {
  const error = await applyDeclarations(table(...COLUMNS), declarations).catch((cause: unknown) => cause)
  if (!(error instanceof DeclarationError)) throw error
  return error.texts
}

const trust = (minAnswered: number): Declarations => ({ scores: { trust: { mean: ['q1', 'q2', 'q3'], minAnswered } } })

describe('scores', () => {
  it('are the mean of the answered items, where enough of them are answered', async () => {
    const { values, remarks } = await declared(trust(2))
    expect(values('trust')).toEqual(['1.6667', '4.3333', '4.5', null, '3.5', '1'])
    expect(remarks).toEqual([
      'scores: "trust" is the mean of the answered items among "q1", "q2", "q3", in 5 rows with at least 2 of 3; 1 row with fewer has none.',
    ])
    expect((await declared(trust(1))).values('trust')[3]).toBe('3')
    expect((await declared(trust(3))).values('trust')).toEqual(['1.6667', '4.3333', null, null, null, null])
  })

  it('stand after their last item, with their bands, and tell a service what they are made of', async () => {
    const { columns, values } = await declared({ ...trust(2), bands: { 'trust.band': { of: 'trust', at: [2] } } })
    expect(columns.map(({ name }) => name).slice(2, 5)).toEqual(['q3', 'trust', 'trust.band'])
    expect(values('trust.band')).toEqual(['under 2', '2 and over', '2 and over', null, '2 and over', 'under 2'])
    expect(columns[3]).toMatchObject({
      declaredType: 'numeric',
      declaredFormula: { form: 'mean', of: ['q1', 'q2', 'q3'], least: 2 },
    })
  })

  it('may be all that is sent of their items', async () => {
    const { columns } = await declared({ ...trust(2), drop: ['q1', 'q2', 'q3'] })
    expect(columns.map(({ name }) => name)).toEqual(['trust', 'before', 'after', 'mood'])
  })

  it.each([
    [
      'an item of words',
      { scores: { s: { mean: ['q1', 'mood'], minAnswered: 1 } } },
      '`scores` of "mood": an item of a score holds numbers or codes, and the column holds other texts, such as "high"; give them numbers under `recode`, or declare those that are no answer under `missing`',
    ],
    [
      'a dropped item of words, whose values are not quoted',
      { drop: ['mood'], scores: { s: { mean: ['q1', 'mood'], minAnswered: 1 } } },
      '`scores` of "mood": an item of a score holds numbers or codes, and the column holds other texts; give them numbers under `recode`, or declare those that are no answer under `missing`',
    ],
    [
      'no such item',
      { scores: { s: { mean: ['q1', 'befor'], minAnswered: 1 } } },
      '`scores` of "befor": the file has no such column; did you mean "before"?',
    ],
    [
      'the name of a column',
      { scores: { mood: { mean: ['q1', 'q2'], minAnswered: 1 } } },
      '`scores` of "mood": the file has a column of this name already; name the score "mood.score"',
    ],
    [
      'answers that nobody gave',
      { missing: { q1: [1, 3, 4, 5] }, scores: { s: { mean: ['q1', 'q2'], minAnswered: 2 } } },
      '`scores` of "q1": no row has answered 2 of the 2 items of "s"; lower `min_answered`, or name other items',
    ],
  ] satisfies [string, Declarations, string][])('refuse %s', async (_, declarations, text) => {
    expect(await faults(declarations)).toEqual([text])
  })
})

describe('differences', () => {
  it('are the first column minus the second, where both have a value', async () => {
    const { columns, values, remarks } = await declared({ differences: { growth: ['after', 'before'] } })
    expect(values('growth')).toEqual(['1.5', '0', '1.75', '-0.25', null, null])
    expect(remarks).toEqual(['differences: "growth" is "after" minus "before", in 4 rows with both.'])
    expect(columns[5]).toMatchObject({
      name: 'growth',
      declaredFormula: { form: 'difference', of: ['after', 'before'] },
    })
  })

  it('take codes that are texts', async () => {
    expect((await declared({ differences: { gap: ['q3', 'q1'] } })).values('gap')).toEqual([
      '1',
      '1',
      '-1',
      null,
      null,
      null,
    ])
  })

  it('refuse texts, and columns of which no row has both', async () => {
    expect(await faults({ differences: { gap: ['mood', 'q1'] } })).toEqual([
      '`differences` of "mood": a part of a difference holds numbers or codes, and the column holds other texts, such as "high"; give them numbers under `recode`, or declare those that are no answer under `missing`',
    ])
    expect(
      await faults({ missing: { after: [12, 20, 1.75, 3] }, differences: { growth: ['after', 'before'] } }),
    ).toEqual(['`differences` of "after": no row has a value of both "after" and "before"; take "growth" out'])
  })
})
