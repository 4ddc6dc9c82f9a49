import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headerNotes } from '../../../src/formats/header/header-notes.ts'
import { findHeader } from '../../../src/formats/header/table-header.ts'

const cell = fc.constantFrom(
  '',
  ' ',
  '1',
  '2.5',
  '2024',
  'x',
  'y',
  'Response',
  'How?',
  'V1',
  'StartDate',
  'Respondent ID',
  '{"ImportId":"a"}',
)
const rows = fc.integer({ min: 1, max: 6 }).chain((width) =>
  fc.record({
    width: fc.constant(width),
    rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 9 }),
    merged: fc.array(
      fc
        .tuple(fc.nat(10), fc.nat(3), fc.nat(width - 1), fc.nat(width - 1))
        .map(([top, more, a, b]) => ({ top, bottom: top + more, left: Math.min(a, b), right: Math.max(a, b) })),
      { maxLength: 4 },
    ),
    headerRows: fc.option(fc.nat(11), { nil: undefined }),
  }),
)

describe('the header of any rows', () => {
  it('lies within the rows, and names as many columns as they have', () => {
    fc.assert(
      fc.property(rows, ({ rows, width, merged, headerRows }) => {
        const header = findHeader(rows, { width, merged, headerRows })
        const end = header.titleRows + header.headerRows
        expect(end).toBeLessThanOrEqual(rows.length)
        expect(header.names === null).toBe(header.headerRows === 0)
        expect(header.names?.length ?? width).toBe(width)
        expect([0, width]).toContain(header.labels.length)
        if (headerRows !== undefined) expect(header.headerRows).toBeLessThanOrEqual(headerRows)
        const numbers = Array.from({ length: header.headerRows + 1 }, (_, at) => header.titleRows + at + 1)
        for (const note of headerNotes(header, numbers, header.names ?? [])) expect(note).not.toMatch(/undefined|NaN/)
      }),
      { numRuns: 3_000 },
    )
  })

  it('is found at once when its cells are a megabyte of blanks or line ends', () => {
    for (const filler of [' ', '\n', '?)']) {
      const long = `a${filler.repeat(500_000)}b`
      const rows = [
        ['StartDate', 'Q1'],
        [long, 'How?'],
        ['{"ImportId":"a"}', '{"ImportId":"b"}'],
        ['1', '2'],
      ]
      expect(findHeader(rows, { width: 2 }).labels[0]?.length).toBeLessThanOrEqual(1_000)
    }
  })

  it('is also found in rows of unequal width', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { maxLength: 5 }), { minLength: 1, maxLength: 8 }),
        fc.nat(5),
        (rows, width) => {
          const { titleRows, headerRows } = findHeader(rows, { width })
          expect(titleRows + headerRows).toBeLessThanOrEqual(rows.length)
        },
      ),
      { numRuns: 3_000 },
    )
  })
})
