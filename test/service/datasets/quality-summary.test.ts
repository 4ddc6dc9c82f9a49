import { describe, expect, it } from 'vitest'
import { qualitySummary } from '../../../src/service/datasets/quality-summary.ts'
import { surveyTable } from '../../engine/survey-table.ts'

const OPTIONS = { threads: 1, disclosure: 'protected' } as const

describe('the quality in the summary of a training', () => {
  const table = surveyTable(300)

  it('is not measured where a setting turns it off', async () => {
    expect(await qualitySummary(table, false, OPTIONS)).toEqual({
      quality: null,
      quality_note: 'This service does not measure quality.',
    })
  })

  it('fails no training: the summary has the error in its place', async () => {
    const broken = {
      ...table,
      columns: table.columns.map((column) => ({ ...column, levels: [], values: null as never })),
    }
    expect(await qualitySummary(broken, true, OPTIONS)).toEqual({
      quality: null,
      quality_note: expect.stringMatching(/^Measuring failed \(\w*Error\); the model is complete\.$/),
    })
  })

  it('is aborted with its training', async () => {
    const reason = new Error('cancelled')
    await expect(qualitySummary(table, true, { ...OPTIONS, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  it('has numbers of four decimals, and four digits of pMSE', async () => {
    const { quality } = await qualitySummary(table, true, OPTIONS)
    const { pmse, ...others } = quality!
    const numbers = JSON.stringify(others).match(/\d+\.\d+/g) ?? []
    expect(numbers.length).toBeGreaterThan(5)
    for (const number of numbers) expect(number).toMatch(/^\d+\.\d{1,4}$/)
    for (const value of [pmse!.value, pmse!.expected]) expect(value).toBe(Number(value.toPrecision(4)))
  })

  it('has each figure, or the reason why these data do not give it', async () => {
    const { quality } = await qualitySummary(table, true, OPTIONS)
    const figures = ['correlations', 'item_blocks', 'differences', 'pmse'] as const
    const missing = (quality!.not_measured ?? []).map(({ figure }) => figure)
    for (const figure of figures) expect([figure, figure in quality!]).toEqual([figure, !missing.includes(figure)])
    expect(quality!.not_measured).toContainEqual({
      figure: 'item_blocks',
      reason: expect.stringMatching(/^No 4 columns/),
    })
    expect(quality!.membership).toMatchObject({
      model_rows: 300,
      at: [{ rows_per_row: 1 }, { rows_per_row: 10 }, { rows_per_row: 20 }],
    })
  })
})
