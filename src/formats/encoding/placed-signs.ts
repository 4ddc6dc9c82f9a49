/**
 * Signs in the places in which people write them: an apostrophe in "don’t", a dash in "18–24", a degree in "20 °C". A wrong
 * table puts letters there ("18ñ24"), and signs elsewhere, so a placed sign is evidence for the table that gives it.
 */

interface Place {
  readonly before: RegExp
  readonly after: RegExp
}

const START = /(?:^|[\s(/"])$/
const END = /^(?:$|[\s).,;:/!?"])/

const PLACES: Readonly<Record<string, readonly Place[]>> = {
  '’': [
    { before: /\p{L}$/u, after: /^(?:s|t|re|ll|ve|d|m)(?!\p{L})/iu },
    { before: /(?:^|\s)(?:[cdjlmnst]|qu)$/i, after: /^\p{L}/u },
  ],
  '‘': [{ before: START, after: /^[\p{L}\d]/u }],
  '“': [{ before: START, after: /^[\p{L}\d]/u }],
  '„': [{ before: START, after: /^[\p{L}\d]/u }],
  '”': [{ before: /[\p{L}\d.!?…]$/u, after: END }],
  ...each('–—', [
    { before: /\d[%+]?\s?$/, after: /^\s?[£$€]?\d/ },
    { before: /\S\s$/, after: /^\s\S/ },
  ]),
  '•': [{ before: /^\s*$/, after: /^\s/ }],
  ...each('£€¥', [
    { before: START, after: /^\s?\d/ },
    { before: /\d\s?[-–]$/, after: /^\d/ },
    { before: /\d\s?$/, after: END },
  ]),
  '°': [
    { before: /(?:\d\s?|^|\s|\()$/, after: /^[CF](?!\p{L})/u },
    { before: /\d$/, after: /^(?:$|[\s\d])/ },
  ],
  ...each('²³', [{ before: /[A-Za-z\d)]$/, after: END }]),
  ...each('½¼¾', [{ before: /(?:^|[\s\d(-])$/, after: /^(?:$|[\s)-])/ }]),
  ...each('±×÷', [{ before: /(?:^|[\s\d(])$/, after: /^[\s\d]/ }]),
  µ: [{ before: /[\s\d(]$/, after: /^[glmsMVWAF]/ }],
  ...each('§©', [{ before: START, after: /^\s?\d/ }]),
  ...each('ºª', [{ before: /\d\.?$/, after: END }]),
  ...each('®™', [{ before: /\p{L}$/u, after: END }]),
  ...each('¢‰', [{ before: /\d\s?$/, after: END }]),
  '\u00a0': [
    { before: /\d$/, after: /^(?:\d|[°%‰€£$¢]|[A-Za-z])/ },
    { before: /[\p{L}\d»"]$/u, after: /^[:;!?»%]/ },
    { before: /«$/, after: /^\S/ },
    { before: /[€£$]$/, after: /^\d/ },
  ],
}

function each(signs: string, places: readonly Place[]): Record<string, readonly Place[]> {
  return Object.fromEntries([...signs].map((sign) => [sign, places]))
}

/** Characters on either side that decide. */
const REACH = 4

/** Whether the character at a place of a line is a sign that people write there. */
export function isPlaced(line: readonly string[], at: number): boolean {
  const places = PLACES[line[at]!]
  if (places === undefined) return false
  const before = line.slice(Math.max(0, at - REACH), at).join('')
  const after = line.slice(at + 1, at + 1 + REACH).join('')
  return places.some((place) => place.before.test(before) && place.after.test(after))
}

/** Share of the characters beyond ASCII that are such signs. */
export function placedSigns(text: string): number {
  let beyondAscii = 0
  let placed = 0
  for (const line of text.split('\n')) {
    const characters = [...line]
    for (const [at, character] of characters.entries()) {
      if (character < '\x80') continue
      beyondAscii++
      if (isPlaced(characters, at)) placed++
    }
  }
  return placed / Math.max(1, beyondAscii)
}
