import { describe, expect, it } from 'vitest'
import { parseDateFormat } from '../../src/base/date-format.ts'

const kinds = (format: string) => {
  const read = parseDateFormat(format)
  return 'parts' in read ? read.parts.map((part) => (part.kind === 'text' ? part.text : part.kind)) : read
}

describe('a date format', () => {
  it.each([
    ['DD/MM/YYYY', ['day', '/', 'month', '/', 'year']],
    ['MM/DD/YYYY', ['month', '/', 'day', '/', 'year']],
    ['YYYY-MM-DD', ['year', '-', 'month', '-', 'day']],
    ['D/M/YY', ['day', '/', 'month', '/', 'year']],
    ['MM/YYYY', ['month', '/', 'year']],
    ['DDmonYYYY', ['day', 'month', 'year']],
    ['DDMMMYYYY', ['day', 'month', 'year']],
    ['YYYYMMDD', ['year', 'month', 'day']],
    ['D.M.YYYY H:mm', ['day', '.', 'month', '.', 'year', ' ', 'hour', ':', 'minute']],
    ['YYYY-MM-DDTHH:mm:ss', ['year', '-', 'month', '-', 'day', 'T', 'hour', ':', 'minute', ':', 'second']],
  ])('%s is read into its parts', (format, parts) => {
    expect(kinds(format)).toEqual(parts)
  })

  it.each([
    ['dd.mm.yy', '"d" is no part of a date', 'DD.MM.YY'],
    ['%Y-%m-%dT%H:%M:%S', '"%" is no part of a date', 'YYYY-MM-DDTHH:mm:ss'],
    ['d-MMM-yyyy', '"d" is no part of a date', 'D-mon-YYYY'],
    ['DD/MM/YYYY HH:MM', 'it has the month twice', 'DD/MM/YYYY HH:mm'],
    ['DD/YYYY', 'it has no month', null],
    ['DD/MM/YYYY HH', 'it has the hour and not the minute', null],
    ['DD/MM/YYYY mm:ss', 'it has the minute and not the hour', null],
    ['DMYYYY', 'a number of one or two digits needs a separator after it', null],
    ['DD/MM/YYYY 😀', '"😀" is no part of a date', null],
    ['', 'it has no year', null],
  ])('%s is refused with the fault and a likely format', (format, fault, likely) => {
    expect(parseDateFormat(format)).toEqual({ fault, likely })
  })
})
