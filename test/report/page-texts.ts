/** What a reader of a page reads: texts, labels that are read aloud, and tips. */

const decoded = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** Names of a study or its data, and what is copied, are in no language. */
const withoutNames = (page: string): string =>
  page
    .replaceAll(/<(style|script|pre|code|bdi)\b[^>]*>.*?<\/\1>/gs, ' ')
    .replaceAll(/<span (?:class="asked" )?dir="auto">.*?<\/span>/gs, ' ')
    .replaceAll(/<h1 dir="auto">.*?<\/h1>/gs, ' ')

/** Words that stand in nearly every English sentence, and in no text of the other languages. */
export const ENGLISH =
  /\b(?:the|of|and|is|are|with|from|rows|which|have|than|their|that|each|by|beyond|within|against)\b/i

/** Texts with English words in them. */
export function englishIn(page: string): string[] {
  const body = withoutNames(page)
  const labels = [...body.matchAll(/(?:aria-label|data-tip|data-save)="([^"]*)"/g)].map(([, text]) => text!)
  const texts = body.split(/<[^>]*>/)
  return [...new Set([...labels, ...texts].map((text) => decoded(text).trim()))].filter((text) => ENGLISH.test(text))
}

/** The digits of each cell, and of each text in a picture, in sequence: figures without what languages write between their digits. */
export const figuresOf = (page: string): string[] =>
  [...page.matchAll(/<(td|text)\b[^>]*>(.*?)<\/\1>/gs)].map(([, , text]) =>
    decoded(text!.replaceAll(/<[^>]*>/g, '')).replaceAll(/\D/g, ''),
  )
