import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeProject, type Project } from '../cli/project-folder.ts'

/** The workbook has answers on one sheet, and what the study asks for on another. */
const answers = Array.from({ length: 120 }, (_, i) => [['North', 'South'][i % 2]!, 20 + (i % 40)])
const incomes = Array.from({ length: 60 }, (_, i) => [1000 + 37 * i, 1 + (i % 5)])

const study = (declared: string) => `version: 1
name: sheets
datasets:
  panel: { file: panel.xlsx${declared} }
scenarios:
  richer: { rows: 100, seed: 1, means: { income: 3000 } }
`

let project: Project
beforeAll(async () => {
  project = await makeProject({ sharesProcess: true })
  const sheets = [
    { name: 'Answers', rows: [['region', 'age'], ...answers] },
    { name: 'Households', rows: [['income', 'size'], ...incomes] },
    { name: 'Read me', rows: [['Asked in May']] },
  ]
  await project.write('panel.xlsx', await writeXlsx({ sheets }))
})
afterAll(() => project.remove())

it.each([
  ['the file as it is', ''],
  // What is sent is made of the sheet, so that the service never sees the workbook.
  ['a file with declarations', ', missing: { age: [59] }'],
])('a column that the sheet lacks is refused with the sheet that was read and the others: %s', async (_, declared) => {
  await project.write('sheets.study.yaml', study(declared))
  const { code, stderr } = await project.whatif(['run', 'sheets.study.yaml', '--quiet'])
  expect({ code, stderr }).toMatchObject({ code: 4 })
  expect(stderr).toContain(`error S2102 column "income" does not exist after cleaning`)
  expect(stderr).toContain(
    '  sheet: "Answers" was read; the workbook also has Households, Read me ("sheet: NAME" in the dataset chooses)\n',
  )
})

it('the study that names the other sheet runs', async () => {
  await project.write('sheets.study.yaml', study(', sheet: Households'))
  const { code, stderr } = await project.whatif(['run', 'sheets.study.yaml', '--quiet'])
  expect({ code, stderr }).toMatchObject({ code: 0 })
})
