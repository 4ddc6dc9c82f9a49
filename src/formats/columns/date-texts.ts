import { latinDigits } from './latin-digits.ts'

/** How survey programs and spreadsheets of other languages write dates and times, in the terms of `date-forms.ts`. */

/** Nearly all dates: nothing is to be changed in them. */
const PLAIN = /^(?!\d{8}T)[\d\-/.:TZ+]+(?: [\d:.+-]+)?(?: [AP]M)?$/
const BLANKS = /[\u00a0\u2009\u202f]/g

const FORENOON = String.raw`a\. ?m\.?|vorm\.?|午前|上午|오전`
const AFTERNOON = String.raw`p\. ?m\.?|nachm\.?|午後|下午|오후`
const CLOCK = String.raw`\d{1,2}:\d{2}(?::\d{2})?`
const HALF_BEFORE = new RegExp(`(${FORENOON}|${AFTERNOON}) ?(${CLOCK})`, 'i')
const HALF_BEHIND = new RegExp(`(${CLOCK}) ?(${FORENOON}|${AFTERNOON})(?![\\p{L}])`, 'iu')
const IS_FORENOON = new RegExp(`^(?:${FORENOON})$`, 'i')

/** Monday to Sunday, whole and short, in languages that put them before dates; `Mar 5, 2022` has a month. */
const WEEKDAY =
  /^(?:mon(?:day|tag)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|mo|di|mi|do|fr|sa|so|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|lun(?:di|es)?|mar(?:di|tes)?|mer(?:credi)?|mi[eé](?:rcoles)?|jeu(?:di)?|jue(?:ves)?|ven(?:dredi)?|vie(?:rnes)?|sam(?:edi)?|s[aá]b(?:ado)?|dim(?:anche)?|dom(?:ingo)?)\.?,? (?!\d{1,2}(?:st|nd|rd|th)?,? \d{4})(?=\p{L}{3}|\d)/iu

/** No date is longer. */
const MAX_LENGTH = 80

let last = ''
let lastPlain = ''

/** The text with the signs of ISO 8601 and of English in place of those of other languages. */
export function plainDate(text: string): string {
  if (text.length > MAX_LENGTH || PLAIN.test(text)) return text
  // Each form of dates asks for the same text.
  if (text !== last) {
    lastPlain = /\p{Nd}/u.test(text) ? rewritten(text) : text
    last = text
  }
  return lastPlain
}

function rewritten(text: string): string {
  return daysOf(timesOf(latinDigits(text).replaceAll(BLANKS, ' ')))
}

/** `10h30`, `10時30分`, `10:30 Uhr`, `午後3:05`, `3:05 p. m.`, and words between date and time. */
function timesOf(text: string): string {
  return (
    text
      .replace(/(\d{1,2}) ?(?:時|시) ?(\d{1,2}) ?(?:分|분)(?: ?(\d{1,2}) ?(?:秒|초))?/, (_, hour, minute, second) =>
        [hour, ...[minute, second].filter((part) => part !== undefined).map((part) => part.padStart(2, '0'))].join(':'),
      )
      .replace(/(?<=(?:^|[ T])\d{1,2}) ?h ?(?=\d{2}\b)/, ':')
      .replace(/(?<=(?:^|[ T])\d{1,2})\.(?=\d{2} ?Uhr$)/, ':')
      .replace(/(?<=:\d{2}) ?(?:Uhr|h)$/, '')
      .replace(HALF_BEFORE, (_, half: string, clock: string) => `${clock} ${IS_FORENOON.test(half) ? 'AM' : 'PM'}`)
      .replace(HALF_BEHIND, (_, clock: string, half: string) => `${clock} ${IS_FORENOON.test(half) ? 'AM' : 'PM'}`)
      .replace(/(?<=\d|\p{L})(?:,| à| um| at| a las) ?(?= ?\d{1,2}:\d{2})/u, ' ')
      .replace(/ {2,}/g, ' ')
      .replace(/(?<=[+-]\d{4}) \([^()]*\)$/, '')
      // As Java writes it: -05:00[America/New_York].
      .replace(/(?<=Z|[+-]\d{2}:?\d{2})\[[\w/+-]{3,40}\]$/, '')
  )
}

/** `2024年1月5日`, `2024. 1. 5.`, `Mon, 1 Jan`, `1 de enero de`, `1. Januar`, `1st`, `1er`, `20240105T101500Z`. */
function daysOf(text: string): string {
  return (
    text
      .replace(/^(\d{2,4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]/, '$1/$2/$3')
      .replace(/^(\d{4})\. ?(\d{1,2})\. ?(\d{1,2})\.?(?= |$)/, '$1/$2/$3')
      .replace(WEEKDAY, '')
      .replace(
        /^(\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?(?: de| of)? (\p{L}{3,12})\.?,?(?: del?| of)? (?=\d{2,4})/u,
        '$1 $2 ',
      )
      .replace(/^(\p{L}{3,12})\.? (\d{1,2})(?:st|nd|rd|th)?,? (?=\d{4})/u, '$1 $2 ')
      // The year is called one: 5 марта 2024 г., 14:05; 5 marca 2024 r.
      .replace(/(?<=\p{L}{3} \d{4}) ?(?:г\.|года|r\.|roku),?(?= |$)/u, '')
      .replace(
        /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})?(?=Z|[+-]|$)/,
        (_, year, month, day, hour, minute, second) => `${year}-${month}-${day}T${hour}:${minute}:${second ?? '00'}`,
      )
  )
}
