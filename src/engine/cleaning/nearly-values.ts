/** Columns that are numbers, dates or times for a reader, and were read as text for a few other values. */

import type { RawTextColumn } from '../../base/raw-table.ts'
import { countText, listText } from '../../base/text/amount-text.ts'
import { LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import { quoted } from './quoted-text.ts'

/** `open`: numbers beside values without an upper or a lower end, "85+"; `behind`: whole numbers with a minus behind them, "321-". */
export type NearlyKind = 'numbers' | 'open' | 'behind' | 'dates' | 'times'

export interface Nearly {
  readonly kind: NearlyKind
  /** The other values that may be named, and in how many answers they are. */
  readonly others: string
}

/** Digits with the signs that surround them: "-1,5", "$3", "(3)", "12%", "1 234,50 €", "CHF 20". */
const NUMBER =
  /^[-+\u2212\u2013'=("]*(?:[A-Z]{0,3}\p{Sc}|CHF|EUR|USD|GBP|Fr\.|kr)? ?[-+\u2212]?\d+(?:[.,'\u2019 \u00a0\u202f]\d+)*(?: ?(?:%|\p{Sc}|CHF|EUR|USD|GBP|kr|zł|Kč))?[)"]*$/u
const DATE = new RegExp(
  [
    String.raw`^(?:\d{4}([-/.])\d{1,2}\1\d{1,2}`,
    String.raw`\d{1,2}([-/. ])(?:\d{1,2}|[A-Za-z]{3,9})\2(?:\d{4}|\d{2})`,
    String.raw`\d{1,2}(?:st|nd|rd|th|er|\.)?(?: de| of)? \p{L}{3,12}\.?,?(?: del?| of)? \d{4}`,
    String.raw`\p{L}{3,12}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}`,
    String.raw`\d{4} ?[年년] ?\d{1,2} ?[月월] ?\d{1,2} ?[日일])(?:[T, ]+\d{1,2}:\d{2}.*)?$`,
  ].join('|'),
  'u',
)
/** Of a day, or a duration in three parts. */
const TIME =
  /^(?:(?:[01]?\d|2[0-3])[:h][0-5]\d(?: ?[AaPp]\.? ?[Mm]\.?)?|-?\d{1,4}:[0-5]\d:[0-5]\d(?:\.\d+)?(?: ?[AP]M)?)$/
const OPEN =
  /^(?:(?:[<>\u2264\u2265]=?|under|over|below|above) ?\d+(?:[.,]\d+)*|\d+(?:[.,]\d+)* ?(?:[+-]|(?:or|and) (?:more|over|older|less|younger|under)))$/i

/** Whether a text is a date, alone or with a time. */
export const isDateText = (text: string): boolean => DATE.test(text)

const BEHIND = /^\d{1,3}(?:\d*|(?:[.,'\u2019 \u00a0\u202f]\d{3})*) ?-$/

const LIKE_SHARE = 0.9
/** Least share of numbers where all others are open. */
const OPEN_SHARE = 0.3
/** Fewer different values may be levels. */
const MIN_VALUES = 11
/** A column is likely to be one of numbers, dates or times if one of these shares of its texts is. */
const PROBES = [0, 0.25, 0.5, 0.75]

const KINDS = [
  ['numbers', NUMBER],
  ['dates', DATE],
  ['times', TIME],
] as const

/**
 * The other values of a column of which nine tenths are different numbers, dates or times; null for other columns.
 *
 * @param isKept the column is modelled, so that values which `LEAST_ROWS` rows have may be named.
 */
export function nearlyValues(column: RawTextColumn, isKept: boolean): Nearly | null {
  const behind = minusBehind(column)
  if (behind !== null) return behind
  for (const [kind, like] of KINDS) {
    const found = othersAmong(kind, like, column, isKept)
    if (found !== null) return found
  }
  return null
}

/** Whether all texts of a column that are no numbers are values without an end: "85+", "<5". */
export function hasOpenEnds({ dictionary }: RawTextColumn): boolean {
  const others = dictionary.filter((text) => !NUMBER.test(text))
  return others.length > 0 && others.every((text) => OPEN.test(text))
}

/** Many different numbers with a minus behind them, alone or beside others, are no open ends. */
function minusBehind({ dictionary, counts }: RawTextColumn): Nearly | null {
  if (!dictionary.some((text) => BEHIND.test(text))) return null
  let different = 0
  let rows = 0
  let behind = 0
  let plain = 0
  for (const [i, text] of dictionary.entries()) {
    rows += counts[i]!
    if (BEHIND.test(text)) {
      different++
      behind += counts[i]!
    } else if (NUMBER.test(text)) plain += counts[i]!
  }
  if (different < MIN_VALUES || behind + plain < LIKE_SHARE * rows) return null
  return { kind: 'behind', others: `${countText(behind)} of ${countText(rows)} answers` }
}

function othersAmong(kind: 'numbers' | 'dates' | 'times', like: RegExp, column: RawTextColumn, isKept: boolean) {
  const { dictionary, counts } = column
  if (!PROBES.some((share) => like.test(dictionary[Math.floor(share * dictionary.length)] ?? ''))) return null
  const quotable: string[] = []
  let others = 0
  let rows = 0
  let alike = 0
  for (const [i, text] of dictionary.entries()) {
    rows += counts[i]!
    if (like.test(text)) {
      alike += counts[i]!
      if (kind === 'numbers' && /^0\d/.test(text)) return null
    } else {
      others++
      if (isKept && counts[i]! >= LEAST_ROWS) quotable.push(text)
    }
  }
  const isOpen = kind === 'numbers' && hasOpenEnds(column)
  if (others === 0 || dictionary.length - others < MIN_VALUES) return null
  if (alike < (isOpen ? OPEN_SHARE : LIKE_SHARE) * rows) return null
  const named =
    quotable.length === 0
      ? ''
      : `${listText(quotable.map(quoted), 3)}${quotable.length < others ? ' and others' : ''} in `
  return {
    kind: isOpen ? ('open' as const) : kind,
    others: `${named}${countText(rows - alike)} of ${countText(rows)} answers`,
  }
}
