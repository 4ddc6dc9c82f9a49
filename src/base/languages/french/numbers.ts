import { countIn, dayParts, type NumberForm } from '../../message/number-form.ts'

export const FORM: NumberForm = {
  decimal: ',',
  group: '\u202f',
  fewestGrouped: 4,
  percent: '\u00a0',
  date: (iso) => {
    const [year, month, day] = dayParts(iso)
    return `${day}/${month}/${year}`
  },
}

export const count = (value: number): string => countIn(FORM, value)

/** `1 ligne`, `2 000 lignes`; 0 is singular. */
export const plural = (value: number, one: string, many: string): string => `${count(value)} ${value < 2 ? one : many}`

export const rows = (value: number): string => plural(value, 'ligne', 'lignes')
export const scenarios = (value: number): string => plural(value, 'scénario', 'scénarios')
export const differences = (value: number): string => plural(value, 'différence', 'différences')
export const est = (value: number): string => (value < 2 ? 'est' : 'sont')
export const a = (value: number): string => (value < 2 ? 'a' : 'ont')
