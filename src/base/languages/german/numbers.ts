import { countIn, dayParts, type NumberForm } from '../../message/number-form.ts'

export const FORM: NumberForm = {
  decimal: ',',
  group: '.',
  fewestGrouped: 4,
  percent: '\u00a0',
  date: (iso) => {
    const [year, month, day] = dayParts(iso)
    return `${day}.${month}.${year}`
  },
}

export const count = (value: number): string => countIn(FORM, value)

/** `1 Zeile`, `2.000 Zeilen`. */
export const plural = (value: number, one: string, many: string): string =>
  `${count(value)} ${value === 1 ? one : many}`

export const rows = (value: number): string => plural(value, 'Zeile', 'Zeilen')
export const scenarios = (value: number): string => plural(value, 'Szenario', 'Szenarien')
export const differences = (value: number): string => plural(value, 'Differenz', 'Differenzen')
export const istOrSind = (value: number): string => (value === 1 ? 'ist' : 'sind')
export const hatOrHaben = (value: number): string => (value === 1 ? 'hat' : 'haben')
