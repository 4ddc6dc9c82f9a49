import { words } from './language.ts'

/** A plain number, such as `12.5`, with the decimal mark of the language in effect. */
export const localNumber = (plain: string): string => plain.replace('.', words().numbers.decimal)

/** `34.7 %`, of the plain number in front of the sign. */
export const percentSign = (plain: string): string => `${localNumber(plain)}${words().numbers.percent}%`
