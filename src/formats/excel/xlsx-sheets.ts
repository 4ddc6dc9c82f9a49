import { streamXlsxRows } from 'hucre/xlsx'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { cellRange } from './cell-range.ts'
import { percentStyles } from './percent-cells.ts'
import { relations, relationsPath } from './relations.ts'
import { scanSheetXml } from './scan-sheet.ts'
import { type CellRange, MAX_LIST_BYTES, MAX_PART_BYTES, MAX_SHEET_BYTES, type SheetSource } from './sheet-source.ts'
import { xmlAttributes } from './xml-attributes.ts'
import { DAMAGED, type ZipParts } from './zip-parts.ts'

/**
 * Sheets of an .xlsx or .xlsm workbook (ECMA-376 transitional and strict), without chart sheets. Parts that the parser
 * loads as a whole are decompressed and measured here first.
 */
export async function xlsxSheets(bytes: Buffer, zip: ZipParts, signal?: AbortSignal): Promise<SheetSource[]> {
  const text = async (name: string) => (await zip.whole(name, MAX_LIST_BYTES, signal)).toString('utf8')
  if (zip.has('[Content_Types].xml')) await text('[Content_Types].xml')
  const root = relations(await text('_rels/.rels'), '')
  const workbook = root.find(({ type }) => type === 'officeDocument')?.path
  if (workbook === undefined) throw new UnreadableFileError(DAMAGED)
  const folder = workbook.includes('/') ? workbook.slice(0, workbook.lastIndexOf('/')) : ''
  const relsPath = relationsPath(workbook)
  const parts = zip.has(relsPath) ? relations(await text(relsPath), folder) : []
  for (const { type, path } of parts) {
    if (type === 'sharedStrings' && zip.has(path)) await measure(zip, path, signal)
  }
  const styles = parts.find(({ type, path }) => type === 'styles' && zip.has(path))?.path
  const percents =
    styles === undefined
      ? new Set<number>()
      : percentStyles((await zip.whole(styles, MAX_PART_BYTES, signal)).toString('utf8'))
  const listed = [...(await text(workbook)).matchAll(/<(?:[\w.-]+:)?sheet\s([^<>]*)>/g)]
    .map((match) => xmlAttributes(match[1]!))
    .map((sheet) => ({
      name: sheet.get('name') ?? '',
      id: sheet.get('r:id') ?? [...sheet].find(([key]) => key.endsWith(':id'))?.[1] ?? '',
      hidden: (sheet.get('state') ?? 'visible') !== 'visible',
    }))
    .filter(({ name, id }) => name !== '' && id !== '')
  return listed.flatMap(({ name, id, hidden }, index): SheetSource[] => {
    const path = parts.find((part) => part.id === id && part.type === 'worksheet')?.path
    if (path === undefined || !zip.has(path)) return []
    return [
      {
        name,
        hidden,
        extent: async () => ({
          ...(await scanSheetXml(zip.chunks(path, MAX_SHEET_BYTES, signal), percents)),
          totals: await totalsRows(path, zip, text),
        }),
        rows: () => streamXlsxRows(bytes, { sheet: index }),
      },
    ]
  })
}

/** Rows of totals of the tables that lie on a sheet (ECMA-376, 18.5.1.2). */
async function totalsRows(
  sheet: string,
  zip: ZipParts,
  text: (name: string) => Promise<string>,
): Promise<readonly CellRange[]> {
  const folder = sheet.slice(0, sheet.lastIndexOf('/') + 1)
  const relsPath = relationsPath(sheet)
  if (!zip.has(relsPath)) return []
  const found: CellRange[] = []
  for (const { type, path } of relations(await text(relsPath), folder)) {
    if (type !== 'table' || !zip.has(path)) continue
    const table = xmlAttributes(/<(?:[\w.-]+:)?table\s([^<>]*)>/.exec(await text(path))?.[1] ?? '')
    const range = cellRange(table.get('ref') ?? '')
    const rows = Number(table.get('totalsRowCount') ?? 0)
    if (range !== null && rows > 0) found.push({ ...range, top: Math.max(range.top + 1, range.bottom - rows + 1) })
  }
  return found
}

async function measure(zip: ZipParts, path: string, signal?: AbortSignal): Promise<void> {
  const chunks = zip.chunks(path, MAX_PART_BYTES, signal)
  while (!(await chunks.next()).done);
}
