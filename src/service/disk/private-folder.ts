import { chmodSync, type Dirent, lstatSync, mkdirSync, readdirSync, realpathSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { UnusableError } from '../settings/unusable-error.ts'

const PRIVATE_FOLDER = 0o700
const PRIVATE_FILE = 0o600
/** Rights of the group and of others. */
const OF_OTHERS = 0o077

export interface PrivateFolderOptions {
  /**
   * How to handle a folder with content that others can enter. `refuse`: the operator must check it first, because
   * others may have read or replaced its content. `mend`: it is made private silently.
   */
  readonly ifOpen: 'refuse' | 'mend'
}

/**
 * Makes `path` a folder that only its owner can enter, whatever the umask is: mode 700, folders in it 700, files 600. A
 * missing folder is created. A folder that is empty, or that only its owner can enter, is corrected silently, because
 * nobody else was there. Links in it are not followed. Does nothing on Windows, which has no such modes.
 *
 * @throws UnusableError with the command to run, for a folder with content that others can enter.
 */
export function openPrivateFolder(path: string, { ifOpen }: PrivateFolderOptions): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER })
  if (process.platform === 'win32') return
  // A link says nothing about the modes of its target.
  const real = realpathSync(path)
  const folder = lstatSync(real)
  if (isOpen(folder)) {
    if (ifOpen === 'refuse' && !isEmpty(real)) throw openFolder(path, folder)
    tighten(real, folder, PRIVATE_FOLDER)
    // Checked again: until now others could put something there, and not every mode can be changed.
    if (ifOpen === 'refuse' && (isOpen(lstatSync(real)) || !isEmpty(real))) throw openFolder(path, folder)
  }
  makeContentPrivate(real)
}

/**
 * Makes everything in a folder private to its owner. Entries that cannot be changed stay as they are, because nobody
 * else can enter the folder. Entries that another process removes meanwhile are ignored.
 */
export function makeContentPrivate(folder: string): void {
  if (process.platform === 'win32') return
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    const file = isPlain(entry) ? lstatSync(path, { throwIfNoEntry: false }) : undefined
    if (file === undefined) continue
    tighten(path, file, entry.isDirectory() ? PRIVATE_FOLDER : PRIVATE_FILE)
    if (entry.isDirectory()) makeContentPrivate(path)
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** A new volume has this folder, which belongs to the system. */
function isEmpty(folder: string): boolean {
  return readdirSync(folder).every((name) => name === 'lost+found')
}

/** Leaves a mode that cannot be changed: another user's file, or a file system without modes. */
function tighten(path: string, file: Stats, mode: number): void {
  if (!isOpen(file)) return
  try {
    chmodSync(path, mode)
  } catch {
    // The caller checks again if it matters.
  }
}

function isPlain(entry: Dirent): boolean {
  return entry.isDirectory() || entry.isFile()
}

function isOpen({ mode }: Stats): boolean {
  return (mode & OF_OTHERS) !== 0
}

function openFolder(path: string, { mode, uid }: Stats): UnusableError {
  const found = `mode ${(mode & 0o777).toString(8)}`
  const isOurs = uid === process.getuid?.()
  const owner = isOurs ? '' : ` as its owner (user ${uid})`
  return new UnusableError(
    'setting_invalid',
    `other users of this machine can enter the data folder ${path} (${found}): it holds keys, hashes of secrets and seed files. Run "chmod -R go-rwx ${shellWord(path)}"${owner}, or name a folder inside it with --data, which is then made private`,
  )
}

/** A path as one word of a POSIX shell. */
function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
