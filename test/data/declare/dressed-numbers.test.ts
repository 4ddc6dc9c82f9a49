import { expect, it } from 'vitest'
import { carryOut } from '../../../src/data/declare/carry-out.ts'
import { readTable } from '../../../src/formats/read-table.ts'
import { readColumn } from '../../formats/read-column.ts'
import { tempFolder } from '../../formats/temp-folder.ts'

const folder = tempFolder()

it('a declared column of numbers may hold every form that is read alone', async () => {
  const cells = ['($3)', "'-4", '\u22125', '"=""6"""', '7', '(8)']
  const seed = folder.write('forms.csv', `${['loss,age', ...cells.map((cell, i) => `${cell},${20 + i}`)].join('\n')}\n`)
  const file = await carryOut(seed, { types: { loss: 'numeric' } }, { tempDir: folder.path })
  const table = await readTable(file.path, { tempDir: folder.path })
  await file.remove()
  expect(readColumn(table, 'loss')).toEqual([-3, -4, -5, 6, 7, -8])
})
