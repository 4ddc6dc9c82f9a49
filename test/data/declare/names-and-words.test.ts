import { describe, expect, it } from 'vitest'
import { carryOut } from '../../../src/data/declare/carry-out.ts'
import { DeclarationError } from '../../../src/data/declare/declaration-error.ts'
import { readTable } from '../../../src/formats/read-table.ts'
import type { Declarations } from '../../../src/study/declarations.ts'
import { columnOf } from '../../formats/read-column.ts'
import { savBytes } from '../../formats/sav-bytes.ts'
import { tempFolder } from '../../formats/temp-folder.ts'

const folder = tempFolder()
const QUESTION = 'How likely are you to stay with us for another year?'

/** 40 guests: an answer on a scale, a letter, a code of a district with zeros, an age with a word for the oldest. */
const CSV = `"${QUESTION}",breakfast,district,age\n${Array.from({ length: 40 }, (_, i) =>
  [['low', 'high'][i % 2], ['Y', 'N', 'y'][i % 3], `0${1 + (i % 4)}`, i === 3 ? '90 and older' : 20 + (i % 30)].join(
    ',',
  ),
).join('\n')}\n`

async function sent(declarations: Declarations, content: string | Uint8Array = CSV, extension = 'csv') {
  const options = { tempDir: folder.path }
  const file = await carryOut(folder.write(`seed.${extension}`, content), declarations, options)
  try {
    return {
      table: await readTable(file.path, options),
      remarks: file.remarks.map(({ key, text }) => `${key}: ${text}`),
    }
  } finally {
    await file.remove()
  }
}

/** The messages of faults. */
async function faultsOf(declarations: Declarations): Promise<readonly string[]> {
  const error = await sent(declarations).catch((thrown: unknown) => thrown)
  if (!(error instanceof DeclarationError)) throw error
  return error.texts
}

const dictionary = (column: ReturnType<typeof columnOf>) => ('codes' in column ? column.dictionary : column.type)

describe('columns', () => {
  it('gives a column of the file a name, and its old name stays as its label', async () => {
    const { table, remarks } = await sent({ columns: { stay: QUESTION } })
    expect(table.columns.map(({ name }) => name)).toEqual(['stay', 'breakfast', 'district', 'age'])
    expect(columnOf(table, 'stay').label).toBe(QUESTION)
    expect(remarks).toContain(`columns: "stay" is "${QUESTION}" in the file.`)
  })

  it('keeps the label that the file has', async () => {
    const bytes = savBytes({
      variables: [{ name: 'Q7', label: 'Would you come again?' }, { name: 'Q8' }],
      rows: Array.from({ length: 20 }, (_, i) => [i % 2, i]),
    })
    const { table } = await sent({ columns: { again: 'Q7' } }, bytes, 'sav')
    expect(columnOf(table, 'again').label).toBe('Would you come again?')
  })

  it('is the name that all other declarations use', async () => {
    const { table } = await sent({
      columns: { stay: QUESTION, area: 'district', years: 'age' },
      types: { area: 'text', years: 'numeric' },
      levels: { stay: ['low', 'high'] },
      missing: { years: ['90 and older'] },
      drop: ['breakfast'],
    })
    expect(columnOf(table, 'stay').declaredOrder).toEqual(['low', 'high'])
    expect(dictionary(columnOf(table, 'area'))).toEqual(['01', '02', '03', '04'])
    expect(columnOf(table, 'years')).toMatchObject({ type: 'number', missing: 1 })
    expect(table.columns).toHaveLength(3)
  })

  it('may swap two names', async () => {
    const { table } = await sent({ columns: { age: 'district', district: 'age' }, types: { age: 'text' } })
    expect(table.columns.slice(2).map(({ name }) => name)).toEqual(['age', 'district'])
    expect(dictionary(columnOf(table, 'age'))).toEqual(['01', '02', '03', '04'])
  })

  it('that does not exist, or whose name is taken, is refused', async () => {
    expect(await faultsOf({ columns: { years: 'agee', district: 'breakfast' } })).toEqual([
      '`columns` of "years": the file has no column "agee"; did you mean "age"?',
      '`columns` of "district": the file has another column of this name; choose another name, or name that column as well',
    ])
  })

  it('refuses the name of the file in other declarations', async () => {
    expect(await faultsOf({ columns: { years: 'age' }, missing: { age: [99] } })).toEqual([
      '`missing` of "age": `columns` names it "years"; write that name here',
    ])
  })
})

describe('recode', () => {
  it('puts words in place of values, several for one, and leaves the others', async () => {
    const { table, remarks } = await sent({ recode: { breakfast: { Y: 'taken', y: 'taken' } } })
    const column = columnOf(table, 'breakfast')
    expect(dictionary(column)).toEqual(['N', 'taken'])
    expect('codes' in column && [...column.counts]).toEqual([13, 27])
    expect(remarks).toContain('recode: Values of "breakfast": "Y" became "taken" (14), "y" became "taken" (13).')
  })

  it('comes before all that names levels', async () => {
    const { table } = await sent({
      recode: { breakfast: { Y: 'yes', y: 'yes', N: 'no answer' }, [QUESTION]: { low: 'unlikely' } },
      missing: { breakfast: ['no answer'] },
      levels: { [QUESTION]: ['unlikely', 'high'] },
    })
    expect(dictionary(columnOf(table, 'breakfast'))).toEqual(['yes'])
    expect(columnOf(table, QUESTION).declaredOrder).toEqual(['unlikely', 'high'])
  })

  it('keeps the zeros of codes that it does not name', async () => {
    const { table } = await sent({ recode: { district: { '04': 'Harbour' } } })
    expect(dictionary(columnOf(table, 'district'))).toEqual(['01', '02', '03', 'Harbour'])
  })

  it('makes numbers of a column that holds nothing else afterwards', async () => {
    const { table } = await sent({ recode: { age: { '90 and older': '90' } } })
    expect(columnOf(table, 'age')).toMatchObject({ type: 'number', max: 90, missing: 0 })
  })

  it('names numbers by their digits, and labels of SPSS by their text', async () => {
    const labels = [
      [1, 'never'],
      [2, 'often'],
    ] as const
    const bytes = savBytes({
      variables: [{ name: 'q', labels }, { name: 'n' }],
      rows: Array.from({ length: 20 }, (_, i) => [1 + (i % 2), i % 4]),
    })
    const words = { recode: { q: { never: 'not once' }, n: { 0: 'none', 1: 'one', 2: 'some', 3: 'some' } } }
    const { table } = await sent(words, bytes, 'sav')
    expect(dictionary(columnOf(table, 'q'))).toEqual(['not once', 'often'])
    expect(dictionary(columnOf(table, 'n'))).toEqual(['none', 'one', 'some'])
  })

  it('says which listed values never occur, and refuses a list of which none does', async () => {
    const { remarks } = await sent({ recode: { breakfast: { Y: 'yes', X: 'other' } } })
    expect(remarks).toContain('recode: "X" of "breakfast" never occurs.')
    expect(await faultsOf({ recode: { breakfast: { yes: 'Y' } } })).toEqual([
      '`recode` of "breakfast": no row has any of the listed values; the column holds "N", "Y", "y"',
    ])
  })

  it('quotes nothing of a column that is dropped', async () => {
    const bands = { 'age.band': { of: 'age', at: [30] } }
    const { remarks } = await sent({ recode: { age: { '90 and older': '90' } }, bands, drop: ['age'] })
    expect(remarks.join()).not.toContain('90 and older')
  })
})
