import { expect, it } from 'vitest'
import { ROW_DENSITY_RISK, rowDensityNote } from '../../src/contract/row-density.ts'

it('more than 20 rows for each row of the seed have a note', () => {
  expect(rowDensityNote(20_000, 1000)).toBeNull()
  expect(rowDensityNote(20_001, 1000)).toBe(
    `20,001 rows are more than 20 for each of the 1,000 rows of the seed data. ${ROW_DENSITY_RISK}`,
  )
})

it('a seed whose rows are not known has none', () => {
  expect(rowDensityNote(20_001, 0)).toBeNull()
})

it('the risk is described in complete sentences', () => {
  expect(ROW_DENSITY_RISK).toMatch(
    /^Further rows add no information, .* under the ROC curve of [\d.]+ at 1, .* rows per seed row \(.*\)\.$/,
  )
})
