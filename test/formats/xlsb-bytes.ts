import { zipBytes } from './zip-bytes.ts'

/** A cell of an .xlsb workbook; `formula` makes its number the result of one. */
export interface XlsbCell {
  readonly value: number | string
  readonly format?: string
  readonly formula?: boolean
}

/** A sheet: rows from 0, all with cells from column 0 on. */
export interface XlsbSheet {
  readonly name: string
  readonly hidden?: boolean
  /** Rows and columns that it does not show, from 0. */
  readonly hiddenRows?: readonly number[]
  readonly hiddenColumns?: readonly number[]
  readonly rows: readonly (readonly XlsbCell[])[]
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

/**
 * A binary workbook written by hand ([MS-XLSB]). The parts of the sheets are numbered against the sequence of the sheets, as
 * in a workbook whose sheets were moved.
 */
export function xlsbBytes(sheets: readonly XlsbSheet[]): Buffer {
  const cells = sheets.flatMap(({ rows }) => rows.flat())
  const formats = [...new Set(cells.flatMap(({ format }) => (format === undefined ? [] : [format])))]
  const partOf = (sheet: number) => `sheet${sheets.length - sheet}.bin`
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
  const relationships = (...all: string[]) => `<Relationships xmlns="${PACKAGE}">${all.join('')}</Relationships>`
  return zipBytes([
    { name: '_rels/.rels', content: relationships(relation('r1', 'officeDocument', 'xl/workbook.bin')) },
    {
      name: 'xl/_rels/workbook.bin.rels',
      content: relationships(
        ...sheets.map((_, i) => relation(`s${i}`, 'worksheet', `worksheets/${partOf(i)}`)),
        relation('styles', 'styles', 'styles.bin'),
      ),
    },
    {
      name: 'xl/workbook.bin',
      content: Buffer.concat([
        record(131),
        record(143),
        ...sheets.map(({ name, hidden }, i) => record(156, u32(hidden ? 1 : 0), u32(i + 1), text(`s${i}`), text(name))),
        record(144),
        record(132),
      ]),
    },
    {
      name: 'xl/styles.bin',
      content: Buffer.concat([
        record(278),
        record(615, u32(formats.length)),
        ...formats.map((format, i) => record(44, u16(164 + i), text(format))),
        record(616),
        // Formats of named styles, which no cell refers to.
        record(626, u32(1)),
        record(47, u16(0xffff), u16(9), Buffer.alloc(12)),
        record(627),
        record(617, u32(formats.length + 1)),
        record(47, u16(0), u16(0), Buffer.alloc(12)),
        ...formats.map((_, i) => record(47, u16(0), u16(164 + i), Buffer.alloc(12))),
        record(618),
        record(279),
      ]),
    },
    ...sheets.map(({ rows, hiddenRows = [], hiddenColumns = [] }, i) => ({
      name: `xl/worksheets/${partOf(i)}`,
      content: Buffer.concat([
        record(129),
        ...hiddenColumns.map((at) => record(60, u32(at), u32(at), u32(2_000), u32(0), u16(1))),
        record(145),
        ...rows.flatMap((row, at) => [
          record(0, u32(at), Buffer.alloc(7), Buffer.from([hiddenRows.includes(at) ? 0x10 : 0]), Buffer.alloc(5)),
          ...row.map((cell, column) => cellRecord(cell, column, formats)),
        ]),
        record(146),
        record(130),
      ]),
    })),
  ])
}

/** Whole numbers are short (BrtCellRk), others doubles (BrtCellReal); texts stand in their cells (BrtCellSt). */
function cellRecord({ value, format, formula = false }: XlsbCell, column: number, formats: readonly string[]): Buffer {
  const style = format === undefined ? 0 : 1 + formats.indexOf(format)
  const head = [u32(column), u32(style)]
  if (typeof value === 'string') return record(6, ...head, text(value))
  if (formula) return record(9, ...head, double(value), u16(0), u32(0), u32(0))
  return Number.isInteger(value) ? record(2, ...head, u32(value * 4 + 2)) : record(5, ...head, double(value))
}

function record(id: number, ...data: readonly Buffer[]): Buffer {
  const body = Buffer.concat(data)
  return Buffer.concat([...[id, body.length].map(inSevenBits), body])
}

function inSevenBits(number: number): Buffer {
  const bytes: number[] = []
  for (let rest = number; bytes.length === 0 || rest > 0; rest >>= 7)
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
  return Buffer.from(bytes)
}

const text = (value: string) => Buffer.concat([u32(value.length), Buffer.from(value, 'utf16le')])

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}
