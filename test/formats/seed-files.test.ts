import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CleanedTable, cleanTable } from '../../src/engine/clean.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { tempFolder } from './temp-folder.ts'

const shared = resolve(import.meta.dirname, '../../../shared/data')
const folder = tempFolder()

async function clean(name: string): Promise<CleanedTable> {
  const raw = await readTable(resolve(shared, name), { tempDir: folder.path })
  return cleanTable(raw, { autoClean: true })
}

const kinds = ({ schema }: CleanedTable) => ({
  categorical: schema.filter((entry) => entry.type === 'categorical').map((entry) => entry.name),
  numeric: schema.filter((entry) => entry.type === 'numeric').map((entry) => entry.name),
})
const entry = ({ schema }: CleanedTable, name: string) => schema.find((candidate) => candidate.name === name)

describe.skipIf(!existsSync(shared))('public tables', () => {
  it('adult has 15 columns, underscores renamed, and loses rare levels in four of them', async () => {
    const cleaned = await clean('adult.csv')
    expect(cleaned.report).toMatchObject({
      inputRows: 32_561,
      cleanRows: 32_561,
      inputColumns: 15,
      cleanColumns: 15,
      droppedColumns: [],
    })
    expect(kinds(cleaned).numeric).toEqual([
      ...['age', 'fnlwgt', 'education.num', 'capital.gain', 'capital.loss', 'hours.per.week'],
    ])
    expect(cleaned.report.renamedColumns).toContainEqual({ from: 'marital_status', to: 'marital.status' })
    expect(cleaned.report.droppedLevels).toMatchObject([
      { column: 'workclass', levels: ['Without-pay', 'Never-worked'], rows: 21 },
      { column: 'marital.status', levels: ['Married-AF-spouse'], rows: 23 },
      { column: 'occupation', levels: ['Armed-Forces'], rows: 9 },
      { column: 'native.country', rows: 304 },
    ])
    expect(entry(cleaned, 'age')).toMatchObject({ min: 17, max: 90, integer: true })
    expect(entry(cleaned, 'income')).toMatchObject({ levels: ['<=50K', '>50K'] })
  })

  it('telco has 20 columns, with 0/1 as levels, charges as decimals and 11 missing totals', async () => {
    const cleaned = await clean('telco.csv')
    expect(cleaned.report).toMatchObject({
      cleanRows: 7_043,
      cleanColumns: 20,
      droppedColumns: [],
      droppedLevels: [],
      renamedColumns: [],
    })
    expect(kinds(cleaned).numeric).toEqual(['tenure', 'MonthlyCharges', 'TotalCharges'])
    expect(entry(cleaned, 'SeniorCitizen')).toMatchObject({ type: 'categorical', levels: ['0', '1'] })
    expect(entry(cleaned, 'TotalCharges')).toMatchObject({ integer: false, missingShare: 11 / 7_043 })
  })

  it('sd2011 has 24 columns, and keeps the code -8 as a number', async () => {
    const cleaned = await clean('sd2011.csv')
    expect(cleaned.report).toMatchObject({ cleanRows: 5_000, cleanColumns: 24, droppedColumns: [] })
    expect(kinds(cleaned).numeric).toEqual([
      ...['age', 'unempdur', 'income', 'depress', 'nofriend', 'nociga', 'height', 'weight', 'bmi'],
    ])
    expect(entry(cleaned, 'nociga')).toMatchObject({ min: -8, max: 100 })
    expect(entry(cleaned, 'region')).toMatchObject({ levels: expect.arrayContaining(['Mazowieckie']) })
  })

  it('a marketing campaign loses constants and near-constants, and has dates', async () => {
    const cleaned = await clean('surveys/marketing_campaign.csv')
    expect(cleaned.report.droppedColumns.map(({ name, reason }) => `${name}: ${reason}`)).toEqual(
      expect.arrayContaining(['Z_CostContact: constant', 'Z_Revenue: constant']),
    )
    expect(cleaned.report.cleanColumns).toBe(cleaned.report.inputColumns - cleaned.report.droppedColumns.length)
    expect(entry(cleaned, 'Dt.Customer')).toMatchObject({ type: 'numeric', format: 'date' })
  })

  it('a coffee survey loses its index column as an identifier, and its questions with several answers are split', async () => {
    const cleaned = await clean('surveys/coffee_survey.csv')
    expect(cleaned.report).toMatchObject({ inputColumns: 43, cleanColumns: 54 })
    expect(
      cleaned.report.splitColumns.map(({ from, into }) => `${from}: ${into.map(({ option }) => option).join(' | ')}`),
    ).toEqual([
      'where_drink: At home | At the office | At a cafe | On the go | None of these',
      'additions: No - just black | Milk, dairy alternative, or coffee creamer | Sugar or sweetener | Flavor syrup | Other',
      'sweetener: Granulated Sugar | Raw Sugar (Turbinado) | Artificial Sweeteners (e.g., Splenda) | Brown Sugar | Honey | ' +
        'Stevia | Maple Syrup | Agave Nectar',
    ])
    expect(cleaned.report.droppedColumns).toContainEqual(
      expect.objectContaining({ name: 'column.1', reason: 'identifier' }),
    )
  })
})
