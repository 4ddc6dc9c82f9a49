import { CATALAN } from './catalan.ts'
import { DUTCH } from './dutch.ts'
import { ENGLISH } from './english.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import { ITALIAN } from './italian.ts'
import type { Language } from './language.ts'
import { POLISH } from './polish.ts'
import { PORTUGUESE } from './portuguese.ts'
import { SPANISH } from './spanish.ts'

export const LANGUAGES: readonly Language[] = [
  ENGLISH,
  SPANISH,
  CATALAN,
  GERMAN,
  FRENCH,
  ITALIAN,
  PORTUGUESE,
  DUTCH,
  POLISH,
]
