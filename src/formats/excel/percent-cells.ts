import { xmlAttributes } from './xml-attributes.ts'

/** Where numbers with and without a percent format lie in a column of a sheet; rows from 0, -1: nowhere. */
export interface PercentCells {
  readonly lastPercent: number
  readonly lastOther: number
}

/** `some`: only some of the numbers have a percent format. */
export type PercentUse = 'none' | 'some' | 'all'

/** Which numbers below the header have a percent format. */
export function percentUse(cells: PercentCells | undefined, lastHeaderRow: number): PercentUse {
  if (cells === undefined || cells.lastPercent <= lastHeaderRow) return 'none'
  return cells.lastOther > lastHeaderRow ? 'some' : 'all'
}

/**
 * A stored 0.12 as Excel shows it: `12%`. Excel computes with 15 digits, so that the sum of 0.1 and 0.02, which is
 * stored as 0.12000000000000001, is 12 % too.
 *
 * @param text of a finite number.
 */
export function percentText(text: string): string {
  const [mantissa, exponent = '0'] = String(Number(Number(text).toPrecision(15))).split('e')
  return `${Number(`${mantissa}e${Number(exponent) + 2}`)}%`
}

/** Excel's own formats 0% and 0.00% (ECMA-376, 18.8.30), which no list of formats names. */
export const BUILT_IN_PERCENTS: readonly number[] = [9, 10]

/** Enters a number of a cell. Cells of a column may come in any sequence. */
export function countNumber(
  found: Map<number, PercentCells>,
  { row, column }: { readonly row: number; readonly column: number },
  isPercent: boolean,
): void {
  const { lastPercent, lastOther } = found.get(column) ?? { lastPercent: -1, lastOther: -1 }
  found.set(
    column,
    isPercent
      ? { lastPercent: Math.max(lastPercent, row), lastOther }
      : { lastPercent, lastOther: Math.max(lastOther, row) },
  )
}

/**
 * The cell formats that show a number times 100, with a percent sign, by their place in the list that cells refer to
 * (ECMA-376, 18.8.10).
 *
 * @param xml the part with the styles of a workbook.
 */
export function percentStyles(xml: string): ReadonlySet<number> {
  const percents = new Set(BUILT_IN_PERCENTS.map(String))
  for (const [, tag] of xml.matchAll(/<(?:[\w.-]+:)?numFmt\s([^<>]*)>/g)) {
    const format = xmlAttributes(tag!)
    const id = format.get('numFmtId') ?? ''
    if (isPercentFormat(format.get('formatCode') ?? '')) percents.add(id)
    else percents.delete(id)
  }
  const start = xml.search(/<(?:[\w.-]+:)?cellXfs[\s>]/)
  if (start < 0) return new Set()
  const length = xml.slice(start).search(/<\/(?:[\w.-]+:)?cellXfs\s*>/)
  const list = length < 0 ? '' : xml.slice(start, start + length)
  const styles = [...list.matchAll(/<(?:[\w.-]+:)?xf\s([^<>]*)>/g)].map(([, tag]) => xmlAttributes(tag!))
  return new Set(styles.flatMap((style, i) => (percents.has(style.get('numFmtId') ?? '') ? [i] : [])))
}

/** Texts and signs that a format shows as they stand, and its conditions and colours. */
const LITERAL = /"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/gs

/** Whether every section of a format that shows digits multiplies by 100 once. */
export function isPercentFormat(code: string): boolean {
  const sections = code
    .replaceAll(LITERAL, '')
    .split(';')
    .filter((section) => /[0#?]/.test(section))
  return sections.length > 0 && sections.every((section) => section.split('%').length === 2)
}
