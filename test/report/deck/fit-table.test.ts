import { describe, expect, it } from 'vitest'
import { columnWidths, fittedNames } from '../../../src/report/deck/fit-table.ts'

const ROOM = 12.3

describe('a table of a slide', () => {
  it('has columns as wide as their figures, whatever a language makes of them, in the same room', () => {
    const columns = [
      { head: 'Szenario', width: 0.3 },
      { head: '', width: 0.34 },
      { head: 'Basis → Szenario', width: 0.15, align: 'right' as const },
      { head: '95-%-Intervall', width: 0.11, align: 'right' as const },
      { head: 'Differenz', width: 0.1, align: 'right' as const },
    ]
    const rows = [['a', '', '10,02 % → 7,79 %', '-12.199,25 bis -10.173,75', '-2,24 Prozentpunkte']]
    const widths = columnWidths({ columns, rows }, ROOM)
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(ROOM, 9)
    // 25 letters of 11 points, each 0.6 of its size wide.
    expect(widths[3]).toBeGreaterThan((25 * 11 * 0.6) / 72)
    expect(widths[4]).toBeGreaterThan((19 * 11 * 0.6) / 72)
    expect(widths[0]! / widths[1]!).toBeCloseTo(0.3 / 0.34, 9)
  })

  it('has its shares where all figures have room', () => {
    const columns = [
      { head: 'Scenario', width: 0.5 },
      { head: 'Rows', width: 0.5, align: 'right' as const },
    ]
    expect(columnWidths({ columns, rows: [['a', '1']] }, 10)).toEqual([5, 5])
  })

  it('shows names in letters of one size, and in two lines before one is cut', () => {
    const names = ['home most · region north · job doctors-and-other-staff-in-hospitals', 'status-quo']
    expect(fittedNames(names, 3.7, 0.345)).toEqual({
      points: 8,
      texts: names.map((text) => ({ text, isCut: false })),
    })
    expect(fittedNames(['status-quo'], 3.7, 0.345).points).toBe(11)
    expect(fittedNames(['x'.repeat(43)], 3.7, 0.345).points).toBe(10)
  })

  it('cuts what two lines do not hold, in its middle', () => {
    const { texts } = fittedNames([`first ${'x'.repeat(200)} last`], 3.7, 0.42)
    expect(texts[0]!.isCut).toBe(true)
    expect(texts[0]!.text).toMatch(/^first x+…x+ last$/)
  })
})
