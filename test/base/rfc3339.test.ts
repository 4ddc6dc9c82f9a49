import { describe, expect, it } from 'vitest'
import { momentOf, momentTexts, startOfDay } from '../../src/base/rfc3339.ts'

const DAY = Date.UTC(2026, 9, 5)

describe('the end of a range in RFC 3339', () => {
  it.each([
    ['2026-10-05', DAY, DAY + 86_400_000 - 1],
    ['2026-10-05T08:00:00Z', DAY + 8 * 3_600_000, DAY + 8 * 3_600_000],
    ['2026-10-05t10:00:00.25+02:00', DAY + 8 * 3_600_000 + 250, DAY + 8 * 3_600_000 + 250],
    ['2024-02-29', Date.UTC(2024, 1, 29), Date.UTC(2024, 2, 1) - 1],
  ])('%s gives the first and the last moment in UTC', (text, min, max) => {
    expect([momentOf(text, 'min'), momentOf(text, 'max')]).toEqual([min, max])
  })

  it.each(['2026-02-29', '2026-13-01', '2026-10-05T08:00:00', '2026-10-05T24:00:00Z', '5.10.2026', '2026', ''])(
    '"%s" is refused',
    (text) => {
      expect(momentOf(text, 'min')).toBe(null)
    },
  )
})

describe('the ends of a range as text', () => {
  it.each([
    [DAY, DAY + 86_400_000 - 1, '2026-10-05', '2026-10-05'],
    [DAY, DAY, '2026-10-05', '2026-10-05'],
    [DAY, DAY + 1000, '2026-10-05T00:00:00Z', '2026-10-05T00:00:01Z'],
    [DAY + 1, Number.POSITIVE_INFINITY, '2026-10-05T00:00:00.001Z', null],
    [Number.NEGATIVE_INFINITY, DAY - 1, null, '2026-10-04'],
    [0, 9e15, '1970-01-01T00:00:00Z', '9000000000000000'],
  ])('are written from %d to %d', (min, max, least, most) => {
    expect(momentTexts({ min, max })).toEqual({ min: least, max: most })
  })

  it('begin a day at midnight, also before 1970', () => {
    expect([startOfDay(DAY + 5), startOfDay(-1)]).toEqual([DAY, -86_400_000])
  })
})
