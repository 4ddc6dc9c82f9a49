import { randomBytes } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { type FileSystem, writeAtomically } from '../../manifest/atomic-file.ts'

/** A report that cannot be put where it was wanted; nothing was changed there. */
export class ReportFault extends Error {
  override readonly name = 'ReportFault'
}

/** A report to write. */
export interface ReportFile {
  /** Absolute. */
  readonly path: string
  readonly text: string
  /** How such a report begins. */
  readonly mark: string
}

/**
 * Refuses a place that is a link, a folder or anything but a file, and, unless `overwrite`, a file with other content than
 * such a report: it may be somebody's work. Empty files hold none.
 */
export async function checkReportPlace(fs: FileSystem, { path, mark }: ReportFile, overwrite: boolean): Promise<void> {
  const stats = await fs.lstat(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw faultOf(error)
  })
  if (stats === null) return
  if (stats.isSymbolicLink()) throw new ReportFault('it is a symbolic link; name the file itself')
  if (!stats.isFile()) throw new ReportFault(`it is ${stats.isDirectory() ? 'a folder' : 'no regular file'}`)
  if (overwrite || stats.size === 0 || (await beginsWith(fs, path, mark))) return
  throw new ReportFault('it is there and no such report; move it away or pass --overwrite')
}

async function beginsWith(fs: FileSystem, path: string, mark: string): Promise<boolean> {
  const expected = Buffer.from(mark)
  const file = await fs.open(path, 'r').catch((error: unknown) => {
    throw faultOf(error)
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(expected.length), 0, expected.length, 0)
    return bytesRead === expected.length && expected.equals(buffer)
  } finally {
    await file.close()
  }
}

/** Replaces the file as a whole. Two commands may write it at once, so each has a temporary file of its own. */
export async function writeReportFile(fs: FileSystem, { path, text }: ReportFile): Promise<void> {
  try {
    await fs.mkdir(dirname(path), { recursive: true })
    const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
    await writeAtomically(fs, path, text, temporary)
  } catch (error) {
    throw faultOf(error)
  }
}

function faultOf(error: unknown): ReportFault {
  return new ReportFault(`it cannot be written (${(error as NodeJS.ErrnoException).code})`, { cause: error })
}
