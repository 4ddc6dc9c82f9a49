import * as fs from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { writeAtomically } from '../base/atomic-file.ts'
import { listText } from '../base/text/amount-text.ts'
import { escapeText } from '../base/text/escape-text.ts'
import { fileFaultText } from '../base/text/file-fault.ts'
import { readMarginsFiles } from '../runner/files/margins-files.ts'
import type { Diagnostic } from '../study/diagnostics/diagnostic.ts'
import { suggest } from '../study/diagnostics/did-you-mean.ts'
import { loadStudy } from '../study/load/load-study.ts'
import type { MarginsFile } from '../study/margins/margins-file.ts'
import type { Study } from '../study/study.ts'
import { projectRootOf } from './project-root.ts'
import { SetupError } from './setup-error.ts'

/** A study file as the commands use it. */
export interface StudyFile {
  /** Absolute; its folder has no links, like the project root. */
  readonly path: string
  readonly projectRoot: string
  /** Relative to the project root, with `/`: its name in messages. */
  readonly name: string
  readonly text: string
  /** Read for a service that may sample rows. */
  readonly isSampled: boolean
  /** Null when `diagnostics` holds an error. */
  readonly study: Study | null
  readonly diagnostics: readonly Diagnostic[]
  /** The files of margins that it names, by path as it writes them. */
  readonly marginsFiles: ReadonlyMap<string, MarginsFile | Diagnostic>
}

/** The same file with this text; nothing is written. */
export function withText(file: StudyFile, text: string): StudyFile {
  const { name: filename, isSampled, marginsFiles: margins } = file
  const { study, diagnostics } = loadStudy(text, { filename, isSampled, margins })
  return { ...file, text, study, diagnostics }
}

/**
 * Replaces the text of a study file atomically, keeping its mode and, if it is a link, the link. Refuses when somebody
 * else has changed the file since it was read.
 */
export async function replaceStudyFile(file: StudyFile, text: string): Promise<void> {
  const refuse = (why: string) => new SetupError(2, `study file ${escapeText(file.name)}: ${why}; nothing was written`)
  try {
    const path = await fs.realpath(file.path)
    if ((await fs.readFile(path, 'utf8')) !== file.text) throw refuse('it has changed since it was read')
    const { mode } = await fs.stat(path)
    await writeAtomically(fs, path, text, { mode: mode & 0o777, concurrent: true })
  } catch (error) {
    if (error instanceof SetupError) throw error
    throw refuse(`it cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** The language refuses larger files (1 MiB); reading stops as soon as a file is certainly too large. */
const MOST_BYTES = 2 ** 21

const STUDY_FILE = /\.study\.ya?ml$/

/** Data files, which people pass instead of a study. */
const SEED_FILE = /\.(?:csv|tsv|parquet|xlsx?|z?sav)$/i

export async function readStudyFile(file: string, { isSampled = false } = {}): Promise<StudyFile> {
  let path = resolve(file)
  let bytes: Buffer
  try {
    // State and messages identify the study by its place in the project, without links.
    path = join(await fs.realpath(dirname(path)), basename(path))
    bytes = await fs.readFile(path)
  } catch (error) {
    throw new SetupError(2, `study file ${escapeText(file)}: ${fileFaultText(error)}`, await studiesNear(file, error))
  }
  if (SEED_FILE.test(path))
    throw new SetupError(
      2,
      `study file ${escapeText(file)}: it is a seed file`,
      `whatif init ${escapeText(file)} writes a study for it.`,
    )
  const projectRoot = projectRootOf(path)
  const name = relative(projectRoot, path).replaceAll('\\', '/')
  const text = decode(bytes.subarray(0, MOST_BYTES), file)
  const other = otherDocument(text)
  if (other !== null)
    throw new SetupError(2, `study file ${escapeText(file)}: it is ${other.what}`, other.hint(escapeText(file)))
  const read = { path, projectRoot, name, text, isSampled, study: null, diagnostics: [], marginsFiles: new Map() }
  const { margins: named } = loadStudy(text, { filename: name, isSampled, margins: 'unread' })
  if (named.length === 0) return withText(read, text)
  const marginsFiles = await readMarginsFiles(named, { fs, projectRoot, studyFolder: dirname(path) })
  return withText({ ...read, marginsFiles }, text)
}

/** Studies that a message names. */
const MOST_NAMED = 5

/** The studies of a folder that was named, or of the folder of a file that is not there; null: there are none. */
async function studiesNear(file: string, error: unknown): Promise<string | null> {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOENT' && code !== 'EISDIR') return null
  const folder = code === 'EISDIR' ? file : dirname(file)
  const names = await fs.readdir(folder).catch(() => [])
  const studies = names.filter((name) => STUDY_FILE.test(name)).sort()
  if (studies.length === 0) return null
  const likely = code === 'EISDIR' ? [] : suggest(basename(file), studies)
  const shown = (name: string) => escapeText(join(folder, name))
  return likely.length > 0
    ? `Did you mean ${shown(likely[0]!)}?`
    : `Studies there: ${listText(studies.map(shown), MOST_NAMED)}.`
}

/** Reads all files, each once, before processing any. All unreadable files are reported together. */
export async function readStudyFiles(
  files: readonly string[],
  options: { readonly isSampled?: boolean } = {},
): Promise<readonly StudyFile[]> {
  const read = new Map<string, StudyFile>()
  const faults: SetupError[] = []
  for (const file of files) {
    try {
      if (!read.has(resolve(file))) read.set(resolve(file), await readStudyFile(file, options))
    } catch (error) {
      if (!(error instanceof SetupError)) throw error
      faults.push(error)
    }
  }
  const [first] = faults
  if (first === undefined) return [...read.values()]
  const hints = [...new Set(faults.flatMap(({ hint }) => (hint === null ? [] : [hint])))]
  throw new SetupError(
    first.exitCode,
    faults.map(({ message }) => message).join('; '),
    hints.length === 0 ? null : hints.join('\n'),
  )
}

/** JSON documents that the runner writes, by a key that only they have. */
const OTHER_DOCUMENTS = [
  { key: 'manifest_version', what: 'the manifest of a run', hint: (file: string) => `whatif report ${file} shows it.` },
  { key: 'lock_version', what: 'a lock file', hint: () => 'Name the study that it belongs to.' },
  {
    key: 'plan_version',
    what: 'a saved plan',
    hint: (file: string) => `whatif run STUDY --plan ${file} carries it out.`,
  },
] as const

function otherDocument(text: string): (typeof OTHER_DOCUMENTS)[number] | null {
  if (!/^\s*\{\s*"/.test(text)) return null
  try {
    const document = JSON.parse(text) as object
    return OTHER_DOCUMENTS.find(({ key }) => Object.hasOwn(document, key)) ?? null
  } catch {
    return null
  }
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    // The parser handles the byte order mark: it counts in offsets.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new SetupError(2, `study file ${escapeText(file)}: it is not UTF-8 text`, 'Save it as UTF-8.')
  }
}
