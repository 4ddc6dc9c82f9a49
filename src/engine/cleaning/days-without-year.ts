/** Columns of days without a year, which are no dates: "5/7", "5.7.", "5-Jan", "Jan 5". */

import type { RawTextColumn } from '../../base/raw-table.ts'
import { monthNamed } from '../../base/text/month-names.ts'

const NUMBERS = /^(\d{1,2})([-/.])(\d{1,2})\.?$/
const DAY_AND_NAME = /^(\d{1,2})(?:st|nd|rd|th|\.)?[- ]?(?:de )?(\p{L}{3,12}\.?)$/u
/** `Jan-24` may be a month of a year, which another note names. */
const NAME_AND_DAY = /^(\p{L}{3,12}\.?) (\d{1,2})(?:st|nd|rd|th)?$/u
/** `5月7日`. */
const EASTERN = /^(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]$/

/** Fewer different days may be levels, such as those of waves. */
const MIN_DAYS = 11
const DAY_SHARE = 0.9

/** Whether nearly all texts are days of a year. Fractions, results and ranges are none: they have no part above 12, or are in order. */
export function areDaysWithoutYear({ dictionary, counts }: RawTextColumn): boolean {
  let rows = 0
  let days = 0
  let different = 0
  let isFirstLarge = false
  let isSecondLarge = false
  let hasNames = false
  let isInOrder = true
  for (const [i, text] of dictionary.entries()) {
    rows += counts[i]!
    const pair = NUMBERS.exec(text)
    if (pair !== null) {
      const first = Number(pair[1])
      const second = Number(pair[3])
      if (Math.min(first, second) < 1 || Math.min(first, second) > 12 || Math.max(first, second) > 31) return false
      isFirstLarge ||= first > 12
      isSecondLarge ||= second > 12
      isInOrder &&= first <= second
    } else if (isNamedDay(text)) hasNames = true
    else continue
    days += counts[i]!
    different++
  }
  const areDays = hasNames || (isFirstLarge !== isSecondLarge && !isInOrder)
  return areDays && different >= MIN_DAYS && days >= DAY_SHARE * rows
}

function isNamedDay(text: string): boolean {
  const eastern = EASTERN.exec(text)
  if (eastern !== null) return isDay(Number(eastern[1]), Number(eastern[2]))
  const behind = DAY_AND_NAME.exec(text)
  const [, name = '', day = ''] = behind === null ? (NAME_AND_DAY.exec(text) ?? []) : ['', behind[2]!, behind[1]!]
  return isDay(monthNamed(name), Number(day))
}

const isDay = (month: number, day: number): boolean => month >= 1 && month <= 12 && day >= 1 && day <= 31
