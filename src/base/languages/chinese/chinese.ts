import { ENGLISH } from '../english/english.ts'
export const CHINESE = ENGLISH
