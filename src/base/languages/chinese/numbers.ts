import { countIn, type NumberForm } from '../../message/number-form.ts'

export const FORM: NumberForm = { decimal: '.', group: ',', fewestGrouped: 4, percent: '', date: (iso) => iso }

export const count = (value: number): string => countIn(FORM, value)
