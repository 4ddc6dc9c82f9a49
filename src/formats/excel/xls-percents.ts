import { compoundStream } from './compound-stream.ts'
import { BUILT_IN_PERCENTS, countNumber, isPercentFormat, type PercentCells } from './percent-cells.ts'
import { xlsRecordsAt } from './xls-records.ts'

/** Records of BIFF8 ([MS-XLS] 2.4). */
const [BOUND_SHEET, FORMAT, XF] = [0x0085, 0x041e, 0x00e0]
const [NUMBER, RK, MUL_RK, FORMULA] = [0x0203, 0x027e, 0x00bd, 0x0006]
/** In place of the last bytes of a number: the result of the formula is none. */
const NO_NUMBER = 0xffff

/**
 * Where numbers with and without a percent format lie in the sheets of an .xls workbook, by sheet in their sequence and by
 * column. The parser of the cells does not tell formats. Empty for a workbook that is not understood.
 */
export function xlsPercents(bytes: Buffer): readonly ReadonlyMap<number, PercentCells>[] {
  const stream = compoundStream(bytes, ['Workbook', 'Book'])
  if (stream === null) return []
  const formats = new Set(BUILT_IN_PERCENTS)
  const styles: number[] = []
  const sheets: number[] = []
  for (const { id, data } of xlsRecordsAt(stream, 0)) {
    if (id === FORMAT && data.length >= 5) {
      const format = data.readUInt16LE(0)
      if (isPercentFormat(textAt(data, 2))) formats.add(format)
      else formats.delete(format)
    } else if (id === XF && data.length >= 4) styles.push(data.readUInt16LE(2))
    else if (id === BOUND_SHEET && data.length >= 4) sheets.push(data.readUInt32LE(0))
  }
  const percents = new Set(styles.flatMap((format, style) => (formats.has(format) ? [style] : [])))
  return sheets.map((at) => (percents.size === 0 ? new Map() : percentsOf(stream, at, percents)))
}

function percentsOf(stream: Buffer, at: number, percents: ReadonlySet<number>): Map<number, PercentCells> {
  const found = new Map<number, PercentCells>()
  const count = (row: number, column: number, style: number) => countNumber(found, { row, column }, percents.has(style))
  for (const { id, data } of xlsRecordsAt(stream, at)) {
    const isCell = id === NUMBER || id === RK || (id === FORMULA && data.length >= 14)
    if (isCell && data.length >= 6) {
      if (id === FORMULA && data.readUInt16LE(12) === NO_NUMBER) continue
      count(data.readUInt16LE(0), data.readUInt16LE(2), data.readUInt16LE(4))
    } else if (id === MUL_RK && data.length >= 6) {
      // Row, first column, six bytes for each cell, last column.
      for (let i = 0; 4 + 6 * i + 6 <= data.length - 2; i++)
        count(data.readUInt16LE(0), data.readUInt16LE(2) + i, data.readUInt16LE(4 + 6 * i))
    }
  }
  return found
}

/** A text with its length in characters, and a byte that says how wide they are. */
function textAt(data: Buffer, at: number): string {
  const isWide = (data[at + 2]! & 1) === 1
  const end = at + 3 + data.readUInt16LE(at) * (isWide ? 2 : 1)
  return data.toString(isWide ? 'utf16le' : 'latin1', at + 3, Math.min(end, data.length))
}
