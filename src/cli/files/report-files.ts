import * as fs from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type FileSystem, writeAtomically } from '../../base/atomic-file.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { SetupError } from '../../local/setup-error.ts'
import { JUNIT_MARK } from '../../report/report-junit.ts'
import type { ReporterChoice } from '../options/option-values.ts'

/** Excel takes a CSV file for the encoding of its own country unless it begins with this. */
export const BYTE_ORDER_MARK = '\ufeff'

/** A report to write. */
export interface ReportFile {
  /** As messages name it. */
  readonly name: string
  /** Absolute. */
  readonly path: string
  readonly content: string | Uint8Array
  /** How such a report begins; null: one cannot be told from other files of its kind. */
  readonly mark: string | null
}

/**
 * Refuses a place that is a link, a folder or anything but a file. Unless `overwrite`, refuses a file with other content
 * too, because it may be somebody's work. An empty file holds none.
 *
 * @throws SetupError (2)
 */
export async function checkReportPlace(fs: FileSystem, file: ReportFile, overwrite: boolean): Promise<void> {
  const { name, path, mark } = file
  const stats = await fs.lstat(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw notWritable(file, error)
  })
  if (stats === null) return
  if (stats.isSymbolicLink()) throw new SetupError(2, `${name}: it is a symbolic link; name the file itself`)
  if (!stats.isFile())
    throw new SetupError(2, `${name}: it is ${stats.isDirectory() ? 'a folder' : 'not a regular file'}`)
  if (overwrite || stats.size === 0) return
  if (mark === null) throw new SetupError(2, `${name}: the file exists; move it away or pass --overwrite`)
  const start = await startOf(fs, path, Buffer.byteLength(BYTE_ORDER_MARK + mark)).catch((error: unknown) => {
    throw notWritable(file, error)
  })
  if (![mark, BYTE_ORDER_MARK + mark].some((known) => start.indexOf(known) === 0))
    throw new SetupError(2, `${name}: the file exists and is not such a report; move it away or pass --overwrite`)
}

async function startOf(fs: FileSystem, path: string, length: number): Promise<Buffer> {
  const file = await fs.open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/**
 * Replaces the file as a whole. Two commands may write it at the same time, so each has its own temporary file.
 *
 * @throws SetupError (2)
 */
export async function writeReportFile(fs: FileSystem, file: ReportFile): Promise<void> {
  const { path, content } = file
  try {
    await fs.mkdir(dirname(path), { recursive: true })
    await writeAtomically(fs, path, content, { concurrent: true })
  } catch (error) {
    throw notWritable(file, error)
  }
}

function notWritable({ name }: ReportFile, error: unknown): SetupError {
  return new SetupError(2, `${name}: it cannot be written (${(error as NodeJS.ErrnoException).code})`)
}

export interface JunitFile {
  /** Replaces the file as a whole. */
  write(text: string): Promise<void>
}

/** The file of `--reporter junit=FILE`; its place is checked before any work begins. Null when none is wanted. */
export async function openJunitFile(choice: ReporterChoice | undefined, overwrite: boolean): Promise<JunitFile | null> {
  if (choice?.junit == null) return null
  const name = `--reporter junit=${escapeText(choice.junit)}`
  const file: ReportFile = { name, path: resolve(choice.junit), content: '', mark: JUNIT_MARK }
  await checkReportPlace(fs, file, overwrite)
  return { write: (content) => writeReportFile(fs, { ...file, content }) }
}
