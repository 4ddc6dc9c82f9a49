import { describe, expect, it } from 'vitest'
import { carryOut } from '../../../src/data/declare/carry-out.ts'
import { readTable } from '../../../src/formats/read-table.ts'
import type { Declarations } from '../../../src/study/declarations.ts'
import { readColumn } from '../../formats/read-column.ts'
import { tempFolder } from '../../formats/temp-folder.ts'

const folder = tempFolder()
let files = 0

/** Lines of visitors with a unit or a word among them, and another column; what is sent of the visitors. */
async function sent(visitors: readonly string[], weights: readonly string[], declarations: Declarations) {
  const lines = visitors.map((cell, i) => `${cell};${weights[i % weights.length]}`)
  const path = folder.write(`marks-${files++}.csv`, `${['visitors;kg', ...lines].join('\n')}\n`)
  const options = { tempDir: folder.path }
  const file = await carryOut(path, declarations, options)
  try {
    const table = await readTable(file.path, options)
    return { visitors: readColumn(table, 'visitors'), remarks: file.remarks.map(({ text }) => text) }
  } finally {
    await file.remove()
  }
}

const COMMAS = ['161,9', '178,65', '160,4']
const POINTS = ['161.9', '178.65', '160.4']
const WHOLE = ['61', '78', '60']
const AS_THOUSANDS = '"visitors" has points, which were read as thousands separators.'

describe('numbers that a declaration reads in texts', () => {
  const units = ['2.155 km', '9.834 km', '3.932 km']
  const words = ['2.155', 'k. A.', '9.834']

  it('have the decimal mark of the other columns of the file', async () => {
    const { visitors, remarks } = await sent(units, COMMAS, { types: { visitors: 'numeric' } })
    expect(visitors).toEqual([2155, 9834, 3932])
    expect(remarks).toContain(AS_THOUSANDS)
  })

  it('have that mark without their codes for no answer', async () => {
    const { visitors, remarks } = await sent(words, COMMAS, { missing: { visitors: ['k. A.'] } })
    expect(visitors).toEqual([2155, null, 9834])
    expect(remarks).toContain(AS_THOUSANDS)
  })

  it('have that mark beside words of the study, which have points', async () => {
    const recode = { visitors: { 'k. A.': '10000' } }
    expect((await sent(words, COMMAS, { recode })).visitors).toEqual([2155, 10_000, 9834])
    expect((await sent(words, COMMAS, { recode: { visitors: { 'k. A.': '0.5' } } })).visitors).toEqual([
      2155, 0.5, 9834,
    ])
  })

  it('have the declared mark', async () => {
    const declarations: Declarations = { types: { visitors: 'numeric' }, decimal: { visitors: ',' } }
    expect((await sent(units, WHOLE, declarations)).visitors).toEqual([2155, 9834, 3932])
  })

  it('keep their points in a file with decimal points, and have a note where nothing shows the mark', async () => {
    const types = { visitors: 'numeric' } as const
    expect((await sent(units, POINTS, { types })).visitors).toEqual([2.155, 9.834, 3.932])
    const { visitors, remarks } = await sent(units, WHOLE, { types })
    expect(visitors).toEqual([2.155, 9.834, 3.932])
    expect(remarks).toContain(
      '"visitors" has points, each before three digits, which were read as decimal points; where they separate thousands, declare `decimal: ","`.',
    )
  })
})
