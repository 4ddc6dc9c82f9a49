import { describe, expect, it } from 'vitest'
import { dateReader, isoTime } from '../../../src/data/declare/read-dates.ts'

/** Format, text, and what it says; null: it does not match. */
const DATES: readonly (readonly [format: string, text: string, iso: string | null])[] = [
  ['DD/MM/YYYY', '03/04/2024', '2024-04-03'],
  ['MM/DD/YYYY', '03/04/2024', '2024-03-04'],
  ['D/M/YY', '3/4/24', '2024-04-03'],
  ['D/M/YY', '3/4/69', '1969-04-03'],
  ['DDMMMYYYY', '21apr2023', '2023-04-21'],
  ['DDMMMYYYY', '21xyz2023', null],
  ['D.M.YYYY', '29.2.2024', '2024-02-29'],
  ['D.M.YYYY', '29.2.2023', null],
  ['D.M.YYYY', '29-2-2024', null],
  ['DD/MM/YYYY', '3/4/2024', null],
  ['DD/MM/YYYY', '31/12/2024 ', null],
  ['DD/MM/YYYY HH:mm', '31/12/2024 23:59', '2024-12-31T23:59:00'],
  ['DD/MM/YYYY HH:mm', '31/12/2024 24:00', null],
  ['YYYY-MM-DDTHH:mm:ss', '2024-12-31T23:59:58', '2024-12-31T23:59:58'],
  ['DD/MM/YYYY', '2024-12-31', '2024-12-31'],
  ['YYYYMMDD', '20241231', '2024-12-31'],
  ['YYYY-MM', '2024-12', '2024-12-01'],
  ['MMM-YY', 'Jun-24', '2024-06-01'],
  ['MM/YYYY', '13/2024', null],
  ['DD/MM/YYYY', '31/12/0000', null],
]

describe('a declared format of dates', () => {
  it.each(DATES)('%s reads %s as %s', (format, text, iso) => {
    const time = dateReader(format)!(text)
    const expected = iso === null ? null : Date.parse(iso.includes('T') ? `${iso}Z` : iso)
    expect(time).toBe(expected)
  })

  it.each(['', 'DD/YYYY', 'DD/MM/YYYY/DD', 'dd/mm/yyyy', 'DD/MM/JJJJ', 'HH:mm'])('refuses the format %j', (format) => {
    expect(dateReader(format)).toBeNull()
  })

  it('reads RFC 3339 without a zone', () => {
    expect(isoTime('2024-12-31 10:30')).toBe(Date.UTC(2024, 11, 31, 10, 30))
    expect(isoTime('2024-13-31')).toBeNull()
  })
})
