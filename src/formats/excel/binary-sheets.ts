import { readXls, readXlsb, type Workbook } from 'hucre/xlsx'
import { couldBeHeader } from '../header/merged-groups.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { refuseEncryptedXls } from './encrypted-xls.ts'
import { type HiddenCells, hiddenInXls, hiddenInXlsb, NOTHING_HIDDEN } from './hidden-cells.ts'
import { relations, relationsPath } from './relations.ts'
import {
  MAX_BINARY_SHEET_CELLS,
  MAX_PART_BYTES,
  type SheetExtent,
  type SheetRow,
  type SheetSource,
} from './sheet-source.ts'
import { xlsPercents } from './xls-percents.ts'
import { xlsbPercentStyles, xlsbPercents } from './xlsb-percents.ts'
import { xlsbRecords } from './xlsb-records.ts'
import type { ZipParts } from './zip-parts.ts'

/** Sheets of an .xls workbook (BIFF8, Excel 97 to 2003). */
export async function xlsSheets(bytes: Buffer): Promise<SheetSource[]> {
  refuseEncryptedXls(bytes)
  const workbook = await readXls(bytes)
  return inMemory(workbook, (name) => isHiddenInXls(bytes, name), xlsPercents(bytes), hiddenInXls(bytes))
}

/** Sheets of an .xlsb workbook; its cells are counted in the records before they are loaded into memory. */
export async function xlsbSheets(bytes: Buffer, zip: ZipParts, signal?: AbortSignal): Promise<SheetSource[]> {
  const part = (name: string) => zip.whole(name, MAX_PART_BYTES, signal)
  const stylesPath = zip.names.find((name) => /styles\.bin$/i.test(name))
  const styles = stylesPath === undefined ? new Set<number>() : xlsbPercentStyles(await part(stylesPath))
  const percents = new Map<string, SheetExtent['percents']>()
  const hidden = new Map<string, HiddenCells>()
  const listed: ListedSheet[] = []
  for (const name of zip.names) {
    if (!/^(xl|_rels)\/.*(\.bin|\.rels)$|\.rels$/i.test(name)) continue
    const records = await part(name)
    if (/worksheets\/[^/]+\.bin$/i.test(name)) {
      checkSize(records)
      percents.set(name, xlsbPercents(records, styles))
      hidden.set(name, hiddenInXlsb(records))
    }
    if (!/workbook\.bin$/i.test(name)) continue
    const rels = relationsPath(name)
    const parts = zip.has(rels) ? relations((await part(rels)).toString('utf8'), name.replace(/\/?[^/]*$/, '')) : []
    listed.push(...listedSheets(records, new Map(parts.map(({ id, path }) => [id, path]))))
  }
  const byName = new Map(listed.map((sheet) => [sheet.name, sheet]))
  const workbook = await readXlsb(bytes)
  const paths = workbook.sheets.map(({ name }) => byName.get(name)?.path ?? '')
  return inMemory(
    workbook,
    (name) => byName.get(name)?.isHidden ?? false,
    paths.map((path) => percents.get(path) ?? new Map()),
    paths.map((path) => hidden.get(path) ?? NOTHING_HIDDEN),
  )
}

/** @param percents and @param hidden by sheet; empty where they are not known. */
function inMemory(
  workbook: Workbook,
  isHidden: (name: string) => boolean,
  percents: readonly SheetExtent['percents'][],
  hidden: readonly HiddenCells[],
): SheetSource[] {
  return workbook.sheets.map(({ name, rows, merges }, i) => ({
    name,
    hidden: isHidden(name),
    extent: async () => extentOf(rows, merges ?? [], percents[i] ?? new Map(), hidden[i] ?? NOTHING_HIDDEN),
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
  hidden: HiddenCells,
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
    hidden,
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

interface ListedSheet {
  readonly name: string
  /** Of its part. */
  readonly path: string | undefined
  readonly isHidden: boolean
}

/**
 * BrtBundleSh ([MS-XLSB] 2.4.304): state (0 = visible), tab id, relation id and name.
 *
 * @param paths of the parts of the workbook, by relation id.
 */
function listedSheets(part: Buffer, paths: ReadonlyMap<string, string>): ListedSheet[] {
  const sheets: ListedSheet[] = []
  for (const { id, data } of xlsbRecords(part)) {
    if (id !== 156 || data.length < 16) continue
    const relation = textAt(data, 8)
    const name = relation && textAt(data, relation.end)
    if (relation && name)
      sheets.push({ name: name.text, path: paths.get(relation.text), isHidden: data.readUInt32LE(0) !== 0 })
  }
  return sheets
}

/** A text with its length in characters; null where the record ends before it. */
function textAt(data: Buffer, at: number): { readonly text: string; readonly end: number } | null {
  if (at + 4 > data.length) return null
  const length = data.readUInt32LE(at)
  const end = at + 4 + (length === 0xffffffff ? 0 : 2 * length)
  return { text: data.toString('utf16le', at + 4, end), end }
}

/** Rows begin with BrtRowHdr (0); cells are 1 to 11 and begin with their column. */
function checkSize(part: Buffer): void {
  let width = 0
  let cells = 0
  for (const { id, data } of xlsbRecords(part)) {
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
