import { expect, it } from 'vitest'
import { applyDeclarations } from '../../../src/data/declare/apply-declarations.ts'
import { numbers, table, texts } from '../../engine/cleaning/raw-columns.ts'
import { readColumn } from '../../formats/read-column.ts'

const area = texts('area', [null, 'North', null, null, 'South', null])
const year = numbers('year', [2023, null, null, 2024, null, null])
const visits = numbers('visits', [4, 7, null, 1, 3, 9])

it('`fill_down` gives empty cells the value above, and leaves other columns as they are', async () => {
  const declared = await applyDeclarations(table(area, year, visits), { fillDown: ['area', 'year'] })
  expect(readColumn(declared.table, 'area')).toEqual([null, 'North', 'North', 'North', 'South', 'South'])
  expect(readColumn(declared.table, 'year')).toEqual([2023, 2023, 2023, 2024, 2024, 2024])
  expect(readColumn(declared.table, 'visits')).toEqual([4, 7, null, 1, 3, 9])
  expect(declared.table.columns[0]).toMatchObject({ missing: 1, distinct: 2, counts: Float64Array.of(3, 2) })
  expect(declared.remarks).toEqual([
    { key: 'fill_down', text: '"area": 3 empty cells took the value above them.' },
    { key: 'fill_down', text: '"year": 4 empty cells took the value above them.' },
  ])
})

it('`fill_down` comes before codes for missing values, and names columns of the file', async () => {
  const declared = await applyDeclarations(table(area, visits), { fillDown: ['area'], missing: { area: ['North'] } })
  expect(readColumn(declared.table, 'area')).toEqual([null, null, null, null, 'South', 'South'])
  await expect(applyDeclarations(table(area, visits), { fillDown: ['areas'] })).rejects.toThrow(
    '`fill_down` of "areas": the file has no such column; did you mean "area"?',
  )
})
