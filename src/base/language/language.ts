/**
 * The words of documents in the language of their readers. English is the source: each text of a report is a member of its catalogue,
 * and every other catalogue has its type, so that the compiler names a text that is missing.
 *
 * A document is made in one go. While it is made, its language is in effect for all that it calls, and no function passes it on. All
 * else is English: terminal, CSV, JUnit, records.
 */

import { ENGLISH, type Words } from '../languages/english/english.ts'

export type { Words }

let inEffect: Words = ENGLISH

/** Those in effect. They are asked for where a text is made, never kept. */
export const words = (): Words => inEffect

/** Makes a document in a language. `make` is finished when it returns: what it left for later would be in another language. */
export function inWords<T>(of: Words, make: () => T): T {
  const before = inEffect
  inEffect = of
  try {
    return make()
  } finally {
    inEffect = before
  }
}
