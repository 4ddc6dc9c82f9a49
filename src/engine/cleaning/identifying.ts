/** Columns that name people rather than describe them, told by their header or by their texts. */
import type { RawTextColumn } from '../../base/raw-table.ts'

/** Words of a header that say that the numbers below it name respondents, households or devices. */
const ID_WORDS = new Set([
  'id',
  'ids',
  'identifier',
  'uuid',
  'guid',
  'idcode',
  'idnumber',
  'caseid',
  'customerid',
  'recordid',
  'respid',
  'respondentid',
  'responseid',
  'sessionid',
  'userid',
  'phone',
  'telephone',
  'mobile',
  'serial',
])

/** `RespondentID`, `user_id`, `Phone number`: whether a header has the word of an identifier. */
export function isIdentifierName(header: string): boolean {
  return header
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => ID_WORDS.has(word))
}

const MAIL_SHARE = 0.9
const MAIL = /^[^\s@]{1,64}@[^\s@]{1,250}\.[^\s@.]{2,}$/

/** Whether (nearly) all texts of a column are e-mail addresses, which name people however often they come. */
export function holdsMailAddresses({ dictionary, counts }: RawTextColumn): boolean {
  if (dictionary.length < 2 || !dictionary[0]!.concat(dictionary[1]!).includes('@')) return false
  let mails = 0
  let all = 0
  for (let i = 0; i < dictionary.length; i++) {
    all += counts[i]!
    if (MAIL.test(dictionary[i]!)) mails += counts[i]!
  }
  return mails >= MAIL_SHARE * all
}
