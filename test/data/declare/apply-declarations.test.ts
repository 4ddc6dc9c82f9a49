import { describe, expect, it } from 'vitest'
import type { RawColumn, RawTable } from '../../../src/base/raw-table.ts'
import { applyDeclarations } from '../../../src/data/declare/apply-declarations.ts'
import type { Declarations } from '../../../src/study/declarations.ts'
import { numbers, texts } from '../../engine/cleaning/raw-columns.ts'

function tableOf(columns: readonly RawColumn[]): RawTable {
  const first = columns[0]!
  const rows = 'codes' in first ? first.codes.length : first.values.length
  const droppedRows = { empty: 0, repeatedHeader: 0 }
  return { rowCount: rows, sampleRows: rows, columns, droppedRows, notes: [] }
}

/** Values of a column as its file has them; null is missing. */
function valuesOf(column: RawColumn): (string | number | null)[] {
  if ('codes' in column) return [...column.codes].map((code) => (code < 0 ? null : column.dictionary[code]!))
  return [...column.values].map((value, row) => (column.valid[row] === 0 ? null : value))
}

async function declared(columns: readonly RawColumn[], declarations: Declarations) {
  const { table, remarks } = await applyDeclarations(tableOf(columns), declarations)
  return {
    names: table.columns.map(({ name }) => name),
    column: (name: string) => table.columns.find((column) => column.name === name)!,
    values: (name: string) => valuesOf(table.columns.find((column) => column.name === name)!),
    remarks: remarks.map(({ key, text }) => `${key}: ${text}`),
  }
}

const AGE = numbers('age', [34, 98, 17, 99, null, 65])

describe('applying the declarations of a study', () => {
  it('drops columns and shows none of their values', async () => {
    const { names, remarks } = await declared([AGE, texts('name', ['Ann', 'Bo', 'Cy', 'Di', 'Ed', 'Flo'])], {
      drop: ['name'],
    })
    expect(names).toEqual(['age'])
    expect(remarks).toEqual(['drop: Not sent: "name".'])
  })

  it('makes codes missing, in one column and in all of them', async () => {
    const answer = texts('answer', ['yes', '-', 'no', 'NS/NR', 'yes', null])
    const { values, remarks } = await declared([AGE, answer], { missing: { age: [98, 99], '*': ['-', 'NS/NR', 'x'] } })
    expect(values('age')).toEqual([34, null, 17, null, null, 65])
    expect(values('answer')).toEqual(['yes', null, 'no', null, 'yes', null])
    expect(remarks).toEqual([
      'missing: "-" became missing in 1 column (1 value).',
      'missing: "NS/NR" became missing in 1 column (1 value).',
      'missing: "x" occurs in no column.',
      'missing: "98" of "age" became missing (1 value).',
      'missing: "99" of "age" became missing (1 value).',
    ])
  })

  it('matches a code in quotes in columns of text only', async () => {
    const zip = texts('zip', ['98', '-', '28013', '98', '99', 'x'])
    const { values, remarks } = await declared([AGE, zip], { missing: { age: ['99'], '*': ['98'] } })
    expect(values('age')).toEqual([34, 98, 17, 99, null, 65])
    expect(values('zip')).toEqual([null, '-', '28013', null, '99', 'x'])
    expect(remarks).toEqual([
      'missing: "98" became missing in 1 column (2 values).',
      'missing: "99" of "age" is text, and the column holds numbers: write it without quotes.',
    ])
  })

  it('counts codes in the columns that are sent', async () => {
    const secret = texts('secret', ['x', '-', '-', 'x', 'y', 'y'])
    const { remarks } = await declared([AGE, secret], { drop: ['secret'], missing: { '*': ['-', 98], secret: ['x'] } })
    expect(remarks).toEqual([
      'drop: Not sent: "secret".',
      'missing: "-" occurs in no column that is sent.',
      'missing: "98" became missing in 1 column (1 value).',
    ])
  })

  it('measures a column again after its codes became missing', async () => {
    const { column } = await declared([AGE], { missing: { age: [98, 99] } })
    expect(column('age')).toMatchObject({ type: 'number', missing: 3, distinct: 3, min: 17, max: 65, decimals: 0 })
  })

  it('finds the numbers of a column whose only texts were codes', async () => {
    const { column, values, remarks } = await declared([texts('hours', ['7.5', 'refused', '40', null])], {
      missing: { hours: ['refused'] },
    })
    expect(column('hours')).toMatchObject({ type: 'number', decimals: 1 })
    expect(values('hours')).toEqual([7.5, null, 40, null])
    expect(remarks).toContain('missing: Without its codes "hours" holds numbers alone.')
  })

  it('finds the numbers of a column named like a property of every object', async () => {
    const { column } = await declared([texts('toString', ['1', '-', '2'])], { missing: { '*': ['-'] }, types: {} })
    expect(column('toString').type).toBe('number')
  })

  it('keeps codes with leading zeros as texts', async () => {
    const { values } = await declared([texts('zip', ['08001', '-', '28013'])], { missing: { '*': ['-'] } })
    expect(values('zip')).toEqual(['08001', null, '28013'])
  })

  it('gives columns their types', async () => {
    const columns = [
      numbers('year', [2019, 2020, null]),
      numbers('score', [1, 2, 1]),
      texts('weightish', ['1,5', '2', null]),
      texts('agree', ['Yes', 'no', null]),
      texts('day', ['2024-12-31', '2025-01-01', null]),
    ]
    const { column, values, remarks } = await declared(columns, {
      types: { year: 'categorical', score: 'numeric', weightish: 'numeric', agree: 'boolean', day: 'datetime' },
    })
    expect(values('year')).toEqual(['2019', '2020', null])
    expect(column('year').declaredType).toBe('categorical')
    expect(column('score')).toMatchObject({ type: 'number', declaredType: 'numeric' })
    expect(values('weightish')).toEqual([1.5, 2, null])
    expect(values('agree')).toEqual(['true', 'false', null])
    expect(column('day').type).toBe('date')
    expect(values('day')).toEqual([Date.UTC(2024, 11, 31), Date.UTC(2025, 0, 1), null])
    expect(remarks[0]).toBe('types: "year" is categorical with 2 levels.')
  })

  it('orders levels as listed, and numbers by themselves', async () => {
    const often = texts('often', ['often', 'never', 'always', null])
    const { column, remarks } = await declared([often, numbers('rank', [10, 9, 1, 2])], {
      types: { often: 'ordinal', rank: 'ordinal' },
      levels: { often: ['never', 'sometimes', 'often', 'always'] },
    })
    expect(column('often').declaredOrder).toEqual(['never', 'sometimes', 'often', 'always'])
    expect(column('rank').declaredOrder).toEqual(['1', '2', '9', '10'])
    expect(remarks).toContain(
      'levels: "often" is ordered: "never" < "sometimes" < "often" < "always"; no row has "sometimes".',
    )
  })

  it('says where the order of words is looked for, and not of numbers', async () => {
    const { remarks } = await declared([texts('mood', ['so', 'so', 'la la']), numbers('rank', [10, 9, 1])], {
      types: { mood: 'ordinal', rank: 'ordinal' },
    })
    expect(remarks).toEqual([
      'types: "mood" is ordinal with 2 levels. Their order is looked for in their words; `levels` states it, in ascending order.',
      'types: "rank" is ordinal with 3 levels.',
    ])
  })

  it('makes bands of a column, also of one that is dropped', async () => {
    const bands = { 'age.band': { of: 'age', at: [18, 30, 31, 65] } }
    const { names, column, values } = await declared([AGE, texts('a', ['x', 'x', 'y', 'y', 'x', 'y'])], {
      missing: { age: [98, 99] },
      bands,
      drop: ['age'],
    })
    expect(names).toEqual(['age.band', 'a'])
    expect(values('age.band')).toEqual(['31-64', null, 'under 18', null, null, '65 and over'])
    expect(column('age.band')).toMatchObject({
      declaredType: 'ordinal',
      declaredOrder: ['under 18', '18-29', '30', '31-64', '65 and over'],
    })
  })

  it('names bands with fractions by their bounds', async () => {
    const { values } = await declared([numbers('hours', [7.5, 40, 20])], {
      bands: { part: { of: 'hours', at: [20, 35.5] } },
    })
    expect(values('part')).toEqual(['under 20', '35.5 and over', '20 to under 35.5'])
  })

  it('reads dates in the declared format', async () => {
    const visited = texts('visited', ['03/04/24', '28/02/1999', '2024-12-31', null])
    const { column, values, remarks } = await declared(
      [texts('short', ['03/04/24', '01/01/70', '31/12/68', null]), visited],
      {
        dates: { short: 'DD/MM/YY', visited: 'D/M/YYYY' },
        missing: { visited: ['03/04/24'] },
      },
    )
    expect(column('short').type).toBe('date')
    expect(values('short')).toEqual([Date.UTC(2024, 3, 3), Date.UTC(1970, 0, 1), Date.UTC(2068, 11, 31), null])
    expect(values('visited')).toEqual([null, Date.UTC(1999, 1, 28), Date.UTC(2024, 11, 31), null])
    expect(remarks).toContain(
      'dates: "short" was read as "DD/MM/YY", from 1970-01-01 to 2068-12-31; years 69 to 99 are 1969 to 1999.',
    )
  })

  it('keeps fractions of a second and years of five digits', async () => {
    const seen = texts('seen', ['2024-12-31 23:59:58.25', '2024-12-31T00:00:00', '-'])
    const far = numbers('far', [Date.UTC(12024, 0, 31), Date.UTC(2024, 0, 31), null], 'date')
    const { column, values } = await declared([seen, far], {
      missing: { seen: ['-'] },
      types: { seen: 'datetime', far: 'categorical' },
    })
    expect(column('seen').type).toBe('date-time')
    expect(values('seen')).toEqual([Date.UTC(2024, 11, 31, 23, 59, 58, 250), Date.UTC(2024, 11, 31), null])
    expect(values('far')).toEqual(['+012024-01-31', '2024-01-31', null])
  })

  it('shows no date of a dropped column', async () => {
    const { remarks } = await declared([AGE, texts('born', ['31/12/1980', null, null, null, null, null])], {
      drop: ['born'],
      dates: { born: 'DD/MM/YYYY' },
    })
    expect(remarks).toContain('dates: "born" was read as "DD/MM/YYYY".')
  })

  it('reports the range and the mean of the weights', async () => {
    const { names, remarks } = await declared([AGE, numbers('pondera', [0.5, 1.5, 1, 1, 0, 2])], { weight: 'pondera' })
    expect(names).toContain('pondera')
    expect(remarks).toEqual(['weight: Column "pondera" weights the rows, from 0 to 2, 1 on average.'])
  })

  it('keeps labels, and leaves other columns unchanged', async () => {
    const labelled = { ...AGE, label: 'How old are you?' }
    const { column } = await declared([labelled, texts('a', ['x', 'x', 'y', 'y', 'x', 'y'])], {
      missing: { age: [98] },
    })
    expect(column('age').label).toBe('How old are you?')
    expect(column('a').declaredType).toBeUndefined()
  })

  it('refuses a sample of the rows', async () => {
    const table = { ...tableOf([AGE]), rowCount: 7 }
    await expect(applyDeclarations(table, { drop: ['age'] })).rejects.toThrow('all rows')
  })

  it('ends with the reason of an abort', async () => {
    const reason = new Error('enough')
    await expect(applyDeclarations(tableOf([AGE]), {}, AbortSignal.abort(reason))).rejects.toBe(reason)
  })
})
