import { countIn, dayParts, type NumberForm } from '../../message/number-form.ts'

/** Numbers of four digits have no group, as the academies recommend. */
export const FORM: NumberForm = {
  decimal: ',',
  group: '\u202f',
  fewestGrouped: 5,
  percent: '\u00a0',
  date: (iso) => {
    const [year, month, day] = dayParts(iso)
    return `${day}/${month}/${year}`
  },
}

export const count = (value: number): string => countIn(FORM, value)

/** `1 fila`, `2000 filas`. */
export const plural = (value: number, one: string, many: string): string =>
  `${count(value)} ${value === 1 ? one : many}`

export const rows = (value: number): string => plural(value, 'fila', 'filas')
export const scenarios = (value: number): string => plural(value, 'escenario', 'escenarios')
export const differences = (value: number): string => plural(value, 'diferencia', 'diferencias')
export const tiene = (value: number): string => (value === 1 ? 'tiene' : 'tienen')
