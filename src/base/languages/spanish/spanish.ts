import { ENGLISH } from '../english/english.ts'
export const SPANISH = ENGLISH
