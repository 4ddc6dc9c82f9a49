/** How a language writes numbers and dates. */
export interface NumberForm {
  readonly decimal: '.' | ','
  /** Between thousands. */
  readonly group: string
  /** Digits of the shortest count that has one. */
  readonly fewestGrouped: 4 | 5
  /** Between a number and its percent sign. */
  readonly percent: string
  /** Of a day in ISO 8601: `2026-11-24`. */
  readonly date: (iso: string) => string
}

/** `1,234,567`. The first `toLocaleString` of a process takes 20 ms, too long for commands that count little. */
export function countIn({ group, fewestGrouped }: NumberForm, count: number): string {
  const text = String(count)
  return text.length < fewestGrouped ? text : text.replace(/\B(?=(?:\d{3})+$)/g, group)
}

/** The parts of a day in ISO 8601, which may have a sign and six digits of years. */
export const dayParts = (iso: string): readonly [year: string, month: string, day: string] => {
  const [day = '', month = '', ...year] = iso.split('-').reverse()
  return [year.reverse().join('-'), month, day]
}
