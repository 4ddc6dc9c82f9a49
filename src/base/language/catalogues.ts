import { ENGLISH, type Words } from '../languages/english/english.ts'

/** The languages of reports, by their BCP 47 codes. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'zh'] as const
/** A language of reports. */
export type Language = (typeof LANGUAGES)[number]

/** The catalogue of a language, which is loaded when it is first asked for. */
export async function wordsOf(language: Language): Promise<Words> {
  switch (language) {
    case 'en':
      return ENGLISH
    case 'de':
      return (await import('../languages/german/german.ts')).GERMAN
    case 'es':
      return (await import('../languages/spanish/spanish.ts')).SPANISH
    case 'fr':
      return (await import('../languages/french/french.ts')).FRENCH
    case 'zh':
      return (await import('../languages/chinese/chinese.ts')).CHINESE
  }
}
