/** Phrases of one or more words, as `wordsOf` returns them. The longest phrase that begins at a position counts. */

/** A longer text is not a level of a known scale. */
export const LONGEST_TEXT = 120

export class PhraseTable<Meaning> {
  readonly #meanings = new Map<string, Meaning>()
  /** By first word, how many words its longest phrase has. */
  readonly #longest = new Map<string, number>()

  /** @param phrases separated by commas; `satisfech{o|a}` covers both forms. */
  add(phrases: string, meaning: Meaning): void {
    for (const phrase of phrases.split(',')) {
      for (const form of formsOf(phrase.trim().replaceAll(/\s+/g, ' '))) {
        if (form !== '') this.#set(form, meaning)
      }
    }
  }

  #set(phrase: string, meaning: Meaning): void {
    const words = phrase.split(' ')
    this.#meanings.set(phrase, meaning)
    this.#longest.set(words[0]!, Math.max(words.length, this.#longest.get(words[0]!) ?? 0))
  }

  get(phrase: string): Meaning | undefined {
    return this.#meanings.get(phrase)
  }

  /** The longest phrase from `start` on, and how many words it has. */
  longestAt(words: readonly string[], start: number): { meaning: Meaning; phrase: string; length: number } | null {
    const longest = this.#longest.get(words[start] ?? '') ?? 0
    for (let length = Math.min(longest, words.length - start); length > 0; length--) {
      const phrase = words.slice(start, start + length).join(' ')
      const meaning = this.#meanings.get(phrase)
      if (meaning !== undefined) return { meaning, phrase, length }
    }
    return null
  }
}

function formsOf(phrase: string): string[] {
  const open = phrase.indexOf('{')
  if (open < 0) return [phrase]
  const close = phrase.indexOf('}', open)
  const endings = phrase.slice(open + 1, close).split('|')
  return endings.flatMap((ending) => formsOf(phrase.slice(0, open) + ending + phrase.slice(close + 1)))
}
