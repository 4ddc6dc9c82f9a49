import { ENGLISH } from '../english/english.ts'
export const FRENCH = ENGLISH
