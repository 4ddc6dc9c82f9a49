import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/formats/read-table.ts'
import { readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
let files = 0

/** Amounts beside another column, which is repeated to the same length. */
async function read(paid: readonly string[], other: readonly string[]) {
  const lines = paid.map((cell, i) => `${cell};${other[i % other.length]}`)
  const path = folder.write(`amounts-${files++}.csv`, `${['paid;other', ...lines].join('\n')}\n`)
  const table = await readTable(path, { tempDir: folder.path })
  return { paid: readColumn(table, 'paid'), notes: table.notes }
}

const WHOLE = ['31', '40']

describe('amounts of which some have the sign of their currency', () => {
  it('are numbers of one unit, in every form that is read alone', async () => {
    const { paid, notes } = await read(['($3)', "'-4", '\u22125', '"=""6"""', '7', '$8.50'], WHOLE)
    expect(paid).toEqual([-3, -4, -5, 6, 7, 8.5])
    expect(notes).toContain(
      'Column "paid" has amounts in "$" and some without it, which were all read as numbers of one unit.',
    )
  })

  it.each([
    ['another currency', ['$3', '4', '€5', '$6']],
    ['percentages', ['$3', '4', '5%', '$6']],
  ])('are texts beside %s', async (_, cells) => {
    expect((await read(cells, WHOLE)).paid).toEqual(cells)
  })

  it('percentages are no fractions beside numbers without the sign', async () => {
    expect((await read(['3%', '0.04', '5%'], WHOLE)).paid).toEqual(['3%', '0.04', '5%'])
  })
})

describe('a mark before three digits in amounts', () => {
  it('is the decimal comma of the other columns, with a note: a price of a litre', async () => {
    const { paid, notes } = await read(['1,459 €', '1,389 €', '1,621 €'], ['119,47', '0,5'])
    expect(paid).toEqual([1.459, 1.389, 1.621])
    expect(notes).toContain(
      'Column "paid" has commas, each before three digits, which were read as decimal commas as in other columns.',
    )
  })

  it.each<[string, string[], string[], number[]]>([
    ['a comma beside decimal points', ['1,459 €', '1,389 €'], ['119.47', '0.5'], [1459, 1389]],
    ['a comma in a file that shows nothing else', ['$1,459', '$1,389'], WHOLE, [1459, 1389]],
    ['a point where the currency has decimal commas', ['R$ 1.459', 'R$ 2.389'], WHOLE, [1459, 2389]],
    ['a point behind which the currency stands', ['1.459 EUR', '2.389 EUR'], WHOLE, [1459, 2389]],
    ['a point in pesos of ten and more', ['$ 12.500', '$ 8.900', '$ 1.250.000'], WHOLE, [12_500, 8_900, 1_250_000]],
  ])('groups thousands: %s', async (_, cells, other, values) => {
    expect((await read(cells, other)).paid).toEqual(values)
  })

  it.each<[string, string[], string[]]>([
    ['beside decimal points', ['€ 3.459', '€ 3.389'], ['119.47', '0.5']],
    ['in dollars below ten', ['$3.459', '$3.389'], WHOLE],
  ])('is a decimal point %s', async (_, cells, other) => {
    expect((await read(cells, other)).paid).toEqual([3.459, 3.389])
  })
})
