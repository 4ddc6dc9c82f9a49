import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RawTable } from '../../base/raw-table.ts'
import { hashFile } from '../../base/sha256.ts'
import { countText, plural, sizeText } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { readTable } from '../../formats/read-table.ts'
import { UnreadableFileError } from '../../formats/reading/unreadable-file-error.ts'
import type { DecimalMark, Declarations } from '../../study/declarations.ts'
import { applyDeclarations } from './apply-declarations.ts'
import { DeclarationError, type DeclarationRemark, quoted } from './declaration-error.ts'
import { type LeftOutRows, leaveOutRows } from './leave-out-rows.ts'
import { isDeclaredMissing } from './missing-codes.ts'
import { StudyNames } from './rename-columns.ts'
import { writeDeclared } from './write-declared.ts'

/** The Parquet file that is sent in place of a seed file. */
export interface DeclaredFile {
  readonly path: string
  readonly sha256: string
  readonly sizeBytes: number
  readonly remarks: readonly DeclarationRemark[]
  /** Of a workbook: the sheet that was read. */
  readonly sheet: RawTable['sheet']
  /** Removes the file. */
  remove(): Promise<void>
}

/** Values of a table in memory at once: about 0.5 GB. */
const MAX_CELLS = 50_000_000
/** Bytes of the different texts of a column. */
const MAX_TEXT_BYTES = 64 * 2 ** 20
/** More notes on the reading of a file would not be read. */
const MAX_NOTES = 100

/**
 * Carries out the declarations of a study on a seed file: reads all of its rows and writes what was declared as a Parquet
 * file that only this user can read. The same file and declarations give the same bytes.
 *
 * @param options `tempDir`: existing folder, in which a folder of this user's is made; default the system's. `leftOut`: rows that are
 * not written; default: none.
 * @throws {DeclarationError} when the data contradict the declarations, or the file cannot be read or is too large; and
 * the signal's reason after an abort. Nothing is left on the disk then.
 */
export async function carryOut(
  path: string,
  declarations: Declarations,
  {
    signal,
    tempDir = tmpdir(),
    leftOut,
  }: { readonly signal?: AbortSignal; readonly tempDir?: string; readonly leftOut?: LeftOutRows | undefined } = {},
): Promise<DeclaredFile> {
  signal?.throwIfAborted()
  const folder = await mkdtemp(join(tempDir, 'whatif-declared-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const whole = await readWhole(path, declarations, folder, signal)
    const { table: all, remarks } = await applyDeclarations(whole, declarations, signal)
    const table = leftOut === undefined ? all : leaveOutRows(all, leftOut)
    refuseLongTexts(table)
    signal?.throwIfAborted()
    const written = join(folder, 'declared.parquet')
    // The writer keeps the mode of a file that is there.
    await writeFile(written, '', { mode: 0o600, flag: 'wx' })
    await writeDeclared(written, table, folder)
    await chmod(written, 0o600)
    const hash = await hashFile(written, signal === undefined ? {} : { signal })
    return {
      path: written,
      ...hash,
      remarks: [...fileRemarks(table), ...readingRemarks(declarations), ...remarks],
      sheet: whole.sheet,
      remove,
    }
  } catch (error) {
    await remove()
    throw error instanceof UnreadableFileError ? new DeclarationError([error.detail], { cause: error }) : error
  }
}

async function readWhole(
  path: string,
  declarations: Declarations,
  tempDir: string,
  signal: AbortSignal | undefined,
): Promise<RawTable> {
  const { sheet, headerRows, encoding, decimal, fillDown = [] } = declarations
  const names = new StudyNames(declarations.columns)
  const table = await readTable(path, {
    tempDir,
    maxSampleRows: Number.MAX_SAFE_INTEGER,
    maxSampleCells: MAX_CELLS,
    textColumns: new Set(textColumns(declarations).map((name) => names.inFile(name))),
    isNoAnswer: (column, value) => isDeclaredMissing(declarations.missing ?? {}, names.of(column), value),
    levelsOf: (column) => namedTexts(declarations, names.of(column)),
    filledColumns: new Set(fillDown.map((name) => names.inFile(name))),
    ...(sheet !== undefined && { sheet }),
    ...(headerRows !== undefined && { headerRows }),
    ...(encoding !== undefined && { encoding }),
    ...(decimal !== undefined && { decimalMark: (column: string) => markOf(decimal, names.of(column)) }),
    ...(signal !== undefined && { signal }),
  })
  if (table.sampleRows === table.rowCount) return table
  throw new UnreadableFileError(
    `The file has ${countText(table.rowCount)} rows of ${countText(table.columns.length)} columns. Declarations are carried ` +
      `out in memory, on at most ${countText(MAX_CELLS)} values. Take a sample of the rows, or remove columns from the file.`,
  )
}

function markOf(decimal: NonNullable<Declarations['decimal']>, column: string): DecimalMark | undefined {
  if (typeof decimal === 'string') return decimal
  return Object.hasOwn(decimal, column) ? decimal[column] : undefined
}

/** Texts of the file that a declaration names as levels, or as values that get another word. */
function namedTexts({ levels = {}, recode = {} }: Declarations, column: string): ReadonlySet<string> {
  const order = Object.hasOwn(levels, column) ? levels[column]! : []
  const words = Object.hasOwn(recode, column) ? Object.keys(recode[column]!) : []
  return new Set([...order, ...words])
}

/** Columns whose texts a declaration reads itself: codes keep their zeros, dates their format. */
function textColumns({ recode = {}, types = {}, levels = {}, multiple = {}, dates = {} }: Declarations): string[] {
  const asWritten = Object.entries(types).filter(([, type]) => type !== 'numeric' && type !== 'datetime')
  return [...asWritten.map(([name]) => name), ...[recode, levels, multiple, dates].flatMap(Object.keys)]
}

/** How the file was read. A service sees only what is sent, so its own notes cannot say this. */
function fileRemarks({ notes }: RawTable): DeclarationRemark[] {
  const listed = notes.slice(0, MAX_NOTES).map((note) => ({ key: 'file', text: escapeText(note) }) as const)
  const more = notes.length - listed.length
  return more > 0 ? [...listed, { key: 'file', text: `${plural(more, 'more note')} on the file.` }] : listed
}

function readingRemarks({ sheet, headerRows, encoding, decimal }: Declarations): DeclarationRemark[] {
  return [
    ...(sheet === undefined ? [] : [{ key: 'sheet', text: `Sheet ${quoted(sheet)} was read.` } as const]),
    ...(headerRows === undefined
      ? []
      : [{ key: 'header_rows', text: `The header has ${plural(headerRows, 'row')}.` } as const]),
    ...(encoding === undefined
      ? []
      : [{ key: 'encoding', text: `The file was read as ${quoted(encoding)}.` } as const]),
    ...(typeof decimal !== 'string'
      ? []
      : [{ key: 'decimal', text: `The decimal mark of numbers is ${quoted(decimal)}.` } as const]),
  ]
}

/** Distinct texts go through one statement of the writer. */
function refuseLongTexts({ columns }: RawTable): void {
  const faults = columns.flatMap((column) => {
    if ('values' in column) return []
    const bytes = column.dictionary.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    if (bytes <= MAX_TEXT_BYTES) return []
    const found = `its different texts have ${sizeText(bytes)}, and at most ${sizeText(MAX_TEXT_BYTES)} can be sent`
    return [{ key: 'drop', column: column.name, found, advice: 'add the column to `drop`' } as const]
  })
  if (faults.length > 0) throw new DeclarationError(faults)
}
