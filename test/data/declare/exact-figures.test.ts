import { expect, it } from 'vitest'
import { exactFigures } from '../../../src/data/declare/exact-figures.ts'
import { savBytes } from '../../formats/sav-bytes.ts'
import { tempFolder } from '../../formats/temp-folder.ts'

const folder = tempFolder()

it('the owner of a file is told its ends and quantiles as they are', async () => {
  const rows = Array.from(
    { length: 100 },
    (_, i) => `${19 + i},"${i},5",2024-01-${String(1 + (i % 30)).padStart(2, '0')},x\n`,
  )
  const path = folder.write('people.csv', `age,paid,day,kind\n${rows.join('')}`)
  const figures = await exactFigures(path)
  expect([...figures.keys()]).toEqual(['age', 'paid', 'day'])
  expect(figures.get('age')).toEqual({
    min: 19,
    max: 118,
    quantiles: { q05: 23, q25: 43, q50: 68, q75: 93, q95: 113 },
  })
  expect(figures.get('paid')).toMatchObject({ min: 0.5, max: 99.5 })
  expect(figures.get('day')).toMatchObject({ min: '2024-01-01', max: '2024-01-30', quantiles: { q50: '2024-01-14' } })
})

it('of a variable that nobody answered nothing is told', async () => {
  const path = folder.write(
    'survey.sav',
    savBytes({
      variables: [{ name: 'age' }, { name: 'other' }],
      rows: Array.from({ length: 20 }, (_, i) => [20 + i, null]),
    }),
  )
  expect([...(await exactFigures(path)).keys()]).toEqual(['age'])
})
