import { countIn, type NumberForm } from '../../message/number-form.ts'

export const FORM: NumberForm = { decimal: '.', group: ',', fewestGrouped: 4, percent: ' ', date: (iso) => iso }

export const count = (value: number): string => countIn(FORM, value)

/** `1 row`, `2,000 rows`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

export const isOrAre = (value: number): string => (value === 1 ? 'is' : 'are')
export const hasOrHave = (value: number): string => (value === 1 ? 'has' : 'have')
