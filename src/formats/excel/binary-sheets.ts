import { readXls, readXlsb, type Workbook } from 'hucre/xlsx'
import { couldBeHeader } from '../header/merged-groups.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { refuseEncryptedXls } from './encrypted-xls.ts'
import {
  MAX_BINARY_SHEET_CELLS,
  MAX_PART_BYTES,
  type SheetExtent,
  type SheetRow,
  type SheetSource,
} from './sheet-source.ts'
import { xlsPercents } from './xls-percents.ts'
import { DAMAGED, type ZipParts } from './zip-parts.ts'

/** Sheets of an .xls workbook (BIFF8, Excel 97 to 2003). */
export async function xlsSheets(bytes: Buffer): Promise<SheetSource[]> {
  refuseEncryptedXls(bytes)
  const workbook = await readXls(bytes)
  return inMemory(workbook, (name) => isHiddenInXls(bytes, name), xlsPercents(bytes))
}

/** Sheets of an .xlsb workbook; its cells are counted in the records before they are loaded into memory. */
export async function xlsbSheets(bytes: Buffer, zip: ZipParts, signal?: AbortSignal): Promise<SheetSource[]> {
  const hidden = new Set<string>()
  for (const name of zip.names) {
    if (!/^(xl|_rels)\/.*(\.bin|\.rels)$|\.rels$/i.test(name)) continue
    const part = await zip.whole(name, MAX_PART_BYTES, signal)
    if (/worksheets\/[^/]+\.bin$/i.test(name)) checkSize(part)
    if (/workbook\.bin$/i.test(name)) for (const sheet of hiddenInXlsb(part)) hidden.add(sheet)
  }
  return inMemory(await readXlsb(bytes), (name) => hidden.has(name))
}

/** @param percents by sheet; empty where they are not known. */
function inMemory(
  workbook: Workbook,
  isHidden: (name: string) => boolean,
  percents: readonly SheetExtent['percents'][] = [],
): SheetSource[] {
  return workbook.sheets.map(({ name, rows, merges }, i) => ({
    name,
    hidden: isHidden(name),
    extent: async () => extentOf(rows, merges ?? [], percents[i] ?? new Map()),
    rows: async function* () {
      // Rows that were never written are holes.
      for (let index = 0; index < rows.length; index++) yield { index, values: rows[index] ?? [] }
    },
  }))
}

function extentOf(
  rows: readonly (SheetRow['values'] | null | undefined)[],
  merges: NonNullable<Workbook['sheets'][number]['merges']>,
  percents: SheetExtent['percents'],
): SheetExtent {
  let first = Number.POSITIVE_INFINITY
  let last = -1
  for (const row of rows) {
    for (const [column, value] of (row ?? []).entries()) {
      if (value === null || value === undefined || value === '') continue
      first = Math.min(first, column)
      last = Math.max(last, column)
    }
  }
  const ranges = merges.map(({ startRow, endRow, startCol, endCol }) => ({
    ...{ top: startRow, bottom: endRow, left: startCol, right: endCol },
  }))
  return {
    rows: null,
    columns: last < 0 ? null : { first, last },
    formulasWithoutValue: 0,
    merged: ranges.filter(couldBeHeader),
    mergedDown: ranges.filter(({ top, bottom }) => bottom > top),
    totals: [],
    percents,
  }
}

/** BOUNDSHEET8 ([MS-XLS] 2.4.28): position, state (0 = visible), kind, then the name's length, its width and the name. */
function isHiddenInXls(bytes: Buffer, name: string): boolean {
  for (const wide of [0, 1]) {
    const text = Buffer.from(name, wide === 0 ? 'latin1' : 'utf16le')
    const tail = Buffer.concat([Buffer.from([name.length, wide]), text])
    for (let at = bytes.indexOf(tail); at >= 10; at = bytes.indexOf(tail, at + 1)) {
      const isRecord = bytes.readUInt16LE(at - 10) === 0x85 && bytes.readUInt16LE(at - 8) === 6 + tail.length
      if (isRecord) return (bytes[at - 2]! & 3) !== 0
    }
  }
  return false
}

/** BrtBundleSh ([MS-XLSB] 2.4.304): state (0 = visible), tab id, relation id and name. */
function hiddenInXlsb(part: Buffer): string[] {
  const names: string[] = []
  for (const { id, data } of records(part)) {
    if (id !== 156 || data.length < 16 || data.readUInt32LE(0) === 0) continue
    const relation = data.readUInt32LE(8)
    const at = 12 + (relation === 0xffffffff ? 0 : 2 * relation)
    if (at + 4 > data.length) continue
    names.push(data.toString('utf16le', at + 4, at + 4 + 2 * data.readUInt32LE(at)))
  }
  return names
}

/** Rows begin with BrtRowHdr (0); cells are 1 to 11 and begin with their column. */
function checkSize(part: Buffer): void {
  let width = 0
  let cells = 0
  for (const { id, data } of records(part)) {
    if (id === 0) {
      cells += width
      width = 0
    } else if (id <= 11 && data.length >= 4) width = Math.max(width, data.readUInt32LE(0) + 1)
    if (cells + width > MAX_BINARY_SHEET_CELLS) {
      throw new UnreadableFileError(
        `The workbook has more than ${MAX_BINARY_SHEET_CELLS / 1e6} million cells, the limit for an .xlsb file. ` +
          'Save it as .xlsx, CSV or Parquet and send that.',
      )
    }
  }
}

/** Records of a binary part ([MS-XLSB] 2.1.4): id and length in 7 bits per byte. */
function* records(part: Buffer): Generator<{ readonly id: number; readonly data: Buffer }> {
  let at = 0
  const number = (maxBytes: number) => {
    let value = 0
    for (let i = 0; i < maxBytes; i++) {
      const byte = part[at++]
      if (byte === undefined) throw new UnreadableFileError(DAMAGED)
      value |= (byte & 0x7f) << (7 * i)
      if (byte < 0x80) break
    }
    return value
  }
  while (at < part.length) {
    const id = number(2)
    const length = number(4)
    if (at + length > part.length) throw new UnreadableFileError(DAMAGED)
    yield { id, data: part.subarray(at, at + length) }
    at += length
  }
}
