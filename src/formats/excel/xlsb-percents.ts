import { BUILT_IN_PERCENTS, countNumber, isPercentFormat, type PercentCells } from './percent-cells.ts'
import { xlsbRecords } from './xlsb-records.ts'

/** BrtFmt, BrtBeginCellXFs, BrtEndCellXFs and BrtXF ([MS-XLSB] 2.3.2). */
const [FORMAT, BEGIN_STYLES, END_STYLES, STYLE] = [44, 617, 618, 47]
/** BrtRowHdr; BrtCellRk, BrtCellReal and BrtFmlaNum, which hold numbers. */
const [ROW, RK, REAL, FORMULA] = [0, 2, 5, 9]

/**
 * The cell formats of an .xlsb workbook that show a number times 100, with a percent sign, by their place in the list that
 * cells refer to.
 *
 * @param part the part with the styles.
 */
export function xlsbPercentStyles(part: Buffer): ReadonlySet<number> {
  const formats = new Set(BUILT_IN_PERCENTS)
  const styles: number[] = []
  let isInStyles = false
  for (const { id, data } of xlsbRecords(part)) {
    if (id === FORMAT && data.length >= 6) {
      const format = data.readUInt16LE(0)
      if (isPercentFormat(data.toString('utf16le', 6, 6 + 2 * data.readUInt32LE(2)))) formats.add(format)
      else formats.delete(format)
    } else if (id === BEGIN_STYLES) isInStyles = true
    else if (id === END_STYLES) isInStyles = false
    else if (id === STYLE && isInStyles && data.length >= 4) styles.push(data.readUInt16LE(2))
  }
  return new Set(styles.flatMap((format, style) => (formats.has(format) ? [style] : [])))
}

/**
 * Where numbers with and without a percent format lie in a sheet, by column. The parser of the cells does not tell formats.
 *
 * @param part the part with the sheet.
 */
export function xlsbPercents(part: Buffer, styles: ReadonlySet<number>): ReadonlyMap<number, PercentCells> {
  const found = new Map<number, PercentCells>()
  if (styles.size === 0) return found
  let row = -1
  for (const { id, data } of xlsbRecords(part)) {
    if (id === ROW && data.length >= 4) row = data.readUInt32LE(0)
    else if ((id === RK || id === REAL || id === FORMULA) && data.length >= 8)
      // Column, then the style in 24 bits.
      countNumber(found, { row, column: data.readUInt32LE(0) }, styles.has(data.readUIntLE(4, 3)))
  }
  return found
}
