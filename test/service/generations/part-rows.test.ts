import { describe, expect, it } from 'vitest'
import { LEAST_PARTED_ROWS, UNIT_ROWS } from '../../../src/engine/sampling/batches.ts'
import { ROW_GROUP_ROWS } from '../../../src/formats/join-tables.ts'
import { PART_ROWS, partsOf } from '../../../src/service/generations/part-rows.ts'
import { SERVICE_SETTINGS } from '../../../src/service/settings/settings-table.ts'

describe('the parts of a generation', () => {
  it('are none up to the limit', () => {
    expect(partsOf(2_000_000, 2_000_000)).toEqual([])
    expect(partsOf(2_000_001, 2_000_000)).toHaveLength(5)
  })

  it.each([2_000_001, 20_000_000, 49_152_000, 49_152_001, 1_000_000_000])(
    'of %i rows are whole units and row groups, cover all rows, and are 100 at most',
    (rows) => {
      const parts = partsOf(rows, 2_000_000)
      expect(parts.length).toBeLessThanOrEqual(100)
      let next = 0
      for (const { firstRow, endRow } of parts) {
        expect(firstRow).toBe(next)
        expect(firstRow % UNIT_ROWS).toBe(0)
        expect(firstRow % ROW_GROUP_ROWS).toBe(0)
        expect(endRow).toBeGreaterThan(firstRow)
        next = endRow
      }
      expect(next).toBe(rows)
    },
  )

  it('have 491,520 rows, and more only where there would be more than 100', () => {
    expect(PART_ROWS).toBe(491_520)
    expect(partsOf(100 * PART_ROWS, 2_000_000)[0]).toEqual({ firstRow: 0, endRow: PART_ROWS })
    expect(partsOf(100 * PART_ROWS + 1, 2_000_000)[0]).toEqual({ firstRow: 0, endRow: 2 * PART_ROWS })
  })

  it('are of tables that the engine can cut', () => {
    const { parse } = SERVICE_SETTINGS.splitRows
    expect(parse(String(LEAST_PARTED_ROWS))).toBe(LEAST_PARTED_ROWS)
    expect(() => parse(String(LEAST_PARTED_ROWS - 1))).toThrow(`a whole number of at least ${LEAST_PARTED_ROWS}`)
    expect(partsOf(LEAST_PARTED_ROWS, 1)).toEqual([])
  })
})
