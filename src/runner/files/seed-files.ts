import { basename, extname, resolve } from 'node:path'
import { isInside } from '../../base/paths.ts'
import type { RawTable } from '../../base/raw-table.ts'
import { hashFile } from '../../base/sha256.ts'
import { standInFault } from '../../base/stand-in-file.ts'
import { MAX_SEED_FILE_BYTES } from '../../contract/limits.ts'
import type { DeclarationRemark } from '../../data/declare/declaration-error.ts'
import { declaredSeed } from '../../data/declare/declared-seed.ts'
import type { Declarations } from '../../study/declarations.ts'
import { diagnose } from '../../study/diagnostics/diagnose.ts'
import { type LockedSeed, ownSha256 } from '../../study/lock/lock.ts'
import type { FileDataset, SeedObject, Study } from '../../study/study.ts'
import { type ExitReason, RunRefusalError, verdict } from '../interface/exit-code.ts'
import type { FaultCode } from '../interface/fault-meanings.ts'
import type { RunEnvironment } from '../interface/run-options.ts'
import { refuseHiddenSeed } from './hidden-paths.ts'
import { type LineEnds, lineEndsText, otherLineEnds } from './line-ends.ts'
import { outsideProject, realPlace } from './project-paths.ts'

export interface HashedSeedFile {
  /** Of the seed file, without links. */
  readonly path: string
  /** Of the bytes that are sent: of the file, or of what its declarations make of it. */
  readonly sha256: string
  readonly bytes: number
  /** Of the file as it lies there. */
  readonly fileSha256: string
  readonly fileBytes: number
  /** Set where the file is not the one of the lock file only because of its line ends: those that it has. */
  readonly lineEnds?: LineEnds
  /** What the declarations did; null: there are none, and the file is sent as it is. */
  readonly remarks: readonly DeclarationRemark[] | null
  /** Of a workbook that declarations made another file of: the sheet that was read. */
  readonly sheet?: RawTable['sheet']
}

export interface SeedFileOptions {
  readonly studyFolder: string
  readonly projectRoot: string
  readonly allowOutside: boolean
  readonly allowHidden: boolean
  readonly env: Pick<RunEnvironment, 'fs' | 'onEvent' | 'objects'>
  readonly signal: AbortSignal
}

/**
 * Finds, checks and hashes the seed file of a dataset, or brings the object that it names to this disk. Before anything is read, it refuses files that a study from a
 * pull request must not reach: places outside the project, hidden files, devices, pipes and folders. Rejects with
 * `RunRefusalError`.
 */
export async function hashSeedFile(dataset: FileDataset, options: SeedFileOptions): Promise<HashedSeedFile> {
  const { signal } = options
  const isUnusable = (cause: unknown): never => {
    signal.throwIfAborted()
    throw cause instanceof RunRefusalError ? cause : notReadable(dataset, cause)
  }
  const { path, sha256, sizeBytes } = await (dataset.object === undefined
    ? readOwnFile(dataset, options, isUnusable)
    : copyObject(dataset, dataset.object, options, isUnusable))
  const declarations = declarationsOf(dataset)
  const own = { path, fileSha256: sha256, fileBytes: sizeBytes }
  if (declarations === null) return { ...own, sha256, bytes: sizeBytes, remarks: null }
  return { ...own, ...(await hashDeclared(dataset, declarations, path, signal)) }
}

/** A seed file with its digest, which is the one of the study where it has one. */
interface ReadSeed {
  readonly path: string
  readonly sha256: string
  readonly sizeBytes: number
}

async function readOwnFile(
  dataset: FileDataset,
  options: SeedFileOptions,
  isUnusable: (cause: unknown) => never,
): Promise<ReadSeed> {
  const { env, signal } = options
  const path = await findSeedFile(dataset, options).catch(isUnusable)
  const stats = await env.fs.stat(path).catch(isUnusable)
  if (!stats.isFile()) {
    const what = stats.isDirectory() ? 'a folder' : 'not a regular file'
    throw refusal(dataset, 'S1304', 'seed_file_not_regular', `it is ${what}; name the file with the rows`)
  }
  const totalBytes = Number(stats.size)
  if (totalBytes > MAX_SEED_FILE_BYTES) {
    const detail = `it has ${totalBytes} bytes, and the service accepts at most ${MAX_SEED_FILE_BYTES} (500 MB)`
    throw refusal(dataset, 'S1305', 'seed_file_too_large', detail)
  }
  const fault = await standInFault(env.fs, path, signal).catch(isUnusable)
  if (fault !== null) throw refusal(dataset, 'S1304', 'seed_file_not_data', `it ${fault}`)
  env.onEvent({ type: 'dataset.hashing', dataset: dataset.id, totalBytes })
  const { sha256, sizeBytes } = await hashFile(path, { signal }).catch(isUnusable)
  env.onEvent({ type: 'dataset.hashed', dataset: dataset.id, totalBytes: sizeBytes, sha256 })
  if (dataset.sha256 !== null && dataset.sha256 !== sha256) {
    const ends = await otherLineEnds(env.fs, path, dataset.sha256, signal).catch(isUnusable)
    const why = ends === null ? '' : `\n${lineEndsText(ends, basename(dataset.file))}`
    const detail = `its sha256 is ${sha256},\nthe study pins ${dataset.sha256}${why}`
    throw refusal(dataset, 'S1306', 'seed_file_changed', detail)
  }
  return { path, sha256, sizeBytes }
}

/** The copy of an object; its digest was checked when it was read. */
async function copyObject(
  dataset: FileDataset,
  object: SeedObject,
  { env, signal }: SeedFileOptions,
  isUnusable: (cause: unknown) => never,
): Promise<ReadSeed> {
  const { id } = dataset
  const sha256 = dataset.sha256 as string
  try {
    if (env.objects === undefined) throw new RunRefusalError('usage', 'seed_object', NO_OBJECTS)
    const { path, bytes } = await env.objects.copyOf(
      { ...object, sha256 },
      { signal, onSize: (totalBytes) => env.onEvent({ type: 'dataset.hashing', dataset: id, totalBytes }) },
    )
    const fault = await standInFault(env.fs, path, signal)
    if (fault !== null) throw new RunRefusalError('usage', 'seed_file_not_data', `it ${fault}`)
    env.onEvent({ type: 'dataset.hashed', dataset: id, totalBytes: bytes, sha256 })
    return { path, sha256, sizeBytes: bytes }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof RunRefusalError)) return isUnusable(error)
    const { code, message, reason, cause } = error
    const fault = OBJECT_FAULTS[code] ?? 'S1304'
    throw refusal(dataset, fault, code as FaultCode, message, cause, reason)
  }
}

const NO_OBJECTS = 'this program reads no objects in buckets; download it, and name the file'

const OBJECT_FAULTS: Partial<Record<RunRefusalError['code'], keyof typeof FAULTS>> = {
  seed_bucket: 'S1310',
  seed_file_changed: 'S1306',
  seed_file_too_large: 'S1305',
}

/** The same file with its line ends, where the lock has it with others. */
export async function withLineEnds(
  file: HashedSeedFile,
  locked: LockedSeed | null | undefined,
  { env, signal }: Pick<SeedFileOptions, 'env' | 'signal'>,
): Promise<HashedSeedFile> {
  const sha256 = locked == null ? null : ownSha256(locked)
  if (sha256 === null || sha256 === file.fileSha256) return file
  const lineEnds = await otherLineEnds(env.fs, file.path, sha256, signal)
  return lineEnds === null ? file : { ...file, lineEnds }
}

/** What a study declares about a dataset's file; null: nothing. */
export function declarationsOf({ declarations }: FileDataset): Declarations | null {
  const isDeclared = Object.values(declarations ?? {}).some((declared) => declared !== undefined)
  return isDeclared ? (declarations ?? null) : null
}

/**
 * Carries out the declarations of a dataset, for the digest of what is sent. The file itself is not kept: it holds data
 * of people, and the upload makes it again.
 */
export async function hashDeclared(
  dataset: FileDataset,
  declarations: Declarations,
  path: string,
  signal: AbortSignal,
): Promise<Pick<HashedSeedFile, 'sha256' | 'bytes' | 'remarks' | 'sheet'>> {
  const { file, faults } = await declaredSeed(path, declarations, { signal }).catch((cause: NodeJS.ErrnoException) => {
    signal.throwIfAborted()
    if (cause.syscall === undefined) throw cause
    const detail = `the file to be sent cannot be written (${cause.code}): TMPDIR names the folder for temporary files`
    throw refusal(dataset, 'S1320', 'declarations', detail, cause)
  })
  if (file === null) throw refusal(dataset, 'S1320', 'declarations', faults.join('\n'))
  await file.remove()
  return {
    sha256: file.sha256,
    bytes: file.sizeBytes,
    remarks: file.remarks,
    ...(file.sheet && { sheet: file.sheet }),
  }
}

/** The path of a seed file, without links. Rejects with `RunRefusalError` when a study may not read it. */
export async function findSeedFile(
  dataset: FileDataset,
  options: Omit<SeedFileOptions, 'env' | 'signal'> & { readonly env: Pick<RunEnvironment, 'fs'> },
): Promise<string> {
  const { fs } = options.env
  const written = resolve(options.studyFolder, dataset.file)
  if (!options.allowHidden)
    await refuseHiddenSeed(fs, options.projectRoot, { text: dataset.file, path: written, range: dataset.fileRange })
  const [place, root] = await Promise.all([realPlace(fs, written), realPlace(fs, options.projectRoot)])
  if (!options.allowOutside && !isInside(root, place)) {
    const detail = 'put it inside; for a file that you trust, --allow-outside reads it where it is'
    throw outsideProject(dataset.fileRange, `the seed file "${dataset.file}" is outside the project`, detail)
  }
  return place
}

/** Extension with its dot, for the upload. The rest of the name is not sent. */
export function seedExtension(path: string): string {
  const extension = extname(path).toLowerCase()
  return /^\.[a-z0-9]{1,10}$/.test(extension) ? extension : '.dat'
}

/**
 * Hashes the seed files of all scenarios of a study. Files that no selected scenario needs may be missing; then the
 * study's digest is unknown in this run. All unusable files are refused at once.
 */
export async function hashSeedFiles(
  study: Study,
  options: SeedFileOptions & { readonly needed: ReadonlySet<string> },
): Promise<Map<string, HashedSeedFile>> {
  const used = new Set(study.scenarios.map((s) => s.dataset))
  const hashed = new Map<string, HashedSeedFile>()
  const refused: RunRefusalError[] = []
  for (const dataset of study.datasets.values()) {
    if (dataset.kind !== 'file' || !used.has(dataset.id)) continue
    try {
      hashed.set(dataset.id, await hashSeedFile(dataset, options))
    } catch (error) {
      if (!(error instanceof RunRefusalError)) throw error
      if (options.needed.has(dataset.id)) refused.push(error)
    }
  }
  if (refused.length > 0) throw allRefused(refused)
  return hashed
}

/** Several refusals as one: the exit code of the most severe, the findings of all. */
function allRefused(refusals: readonly RunRefusalError[]): RunRefusalError {
  const { reason } = verdict(refusals.map((refused) => refused.reason))
  const { code, message } = refusals.find((refused) => refused.reason === reason)!
  const others = refusals.length - 1
  const more = others === 0 ? '' : `; and ${others} more seed ${others === 1 ? 'file' : 'files'}`
  const diagnostics = refusals.flatMap((refused) => refused.diagnostics)
  return new RunRefusalError(reason, code, `${message}${more}`, { diagnostics, cause: refusals[0]!.cause })
}

const FAULTS = {
  S1304: { reason: 'usage', what: 'cannot be read' },
  S1305: { reason: 'does_not_fit_data', what: 'is too large' },
  S1306: { reason: 'does_not_fit_data', what: 'does not match its pin' },
  S1310: { reason: 'usage', what: 'is in a bucket that may not be read' },
  S1320: { reason: 'does_not_fit_data', what: 'does not fit its declarations' },
} as const

function refusal(
  dataset: FileDataset,
  fault: keyof typeof FAULTS,
  code: FaultCode,
  detail: string,
  cause?: unknown,
  reason: ExitReason = FAULTS[fault].reason,
): RunRefusalError {
  const { what } = FAULTS[fault]
  const { file, fileRange: range } = dataset
  const summary = `the seed file "${file}" of dataset "${dataset.id}" ${what}`
  const message = `${range.filename}:${range.start.line}:${range.start.column}: ${summary}: ${detail.replaceAll('\n', ' ')}`
  return new RunRefusalError(reason, code, message, {
    cause,
    diagnostics: [diagnose(fault, { summary, range, detail })],
  })
}

/** The remedy for a file that does not exist or cannot be opened. */
const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; paths are relative to the study file',
  ENOTDIR: 'a part of its path is a file and not a folder',
  EACCES: 'you may not read it; change the rights of the file or its folder',
  EPERM: 'you may not read it; change the rights of the file or its folder',
  ELOOP: 'its symbolic links form a circle',
  ENAMETOOLONG: 'the path is too long for this disk',
}

function notReadable(dataset: FileDataset, cause: unknown): RunRefusalError {
  const code = String((cause as NodeJS.ErrnoException).code)
  const word = code === 'ENOENT' ? 'seed_file_missing' : 'seed_file_unreadable'
  return refusal(dataset, 'S1304', word, UNREADABLE[code] ?? `the disk reports ${code}`, cause)
}
