import { join, resolve } from 'node:path'
import { removeIfThere, writeNew } from '../../base/atomic-file.ts'
import type { Generation } from '../../client/replies.ts'
import type { DownloadedArtifact } from '../../client/service-client.ts'
import { ServiceError } from '../../client/service-error.ts'
import { coversColumns, measuredColumns } from '../../manifest/measure-artifact.ts'
import type { Measurement, StoredArtifact } from '../../plan/study-state.ts'
import type { Scenario } from '../../study/study.ts'
import { artifactPath } from '../files/project-paths.ts'
import { hashIfRegular } from '../files/scan-artifacts.ts'
import { seedPlaces } from '../files/seed-places.ts'
import { WorkFailedError } from '../interface/fault-text.ts'
import type { RunContext } from '../session/run-context.ts'
import type { FinishedWork } from './generation-record.ts'
import type { LocalWork } from './in-parallel.ts'

/** Artifacts up to this size are written at once and counted from memory; as many as wait for that are bounded (`inParallel`). */
const HELD_BYTES = 256 * 1024

/** Answers to a download that a fresh address can cure: managed links die after 15 minutes. */
const STALE_LINK_STATUSES = [401, 403, 404, 410]

/**
 * Downloads the artifact of a finished generation, beside its place unless it is small. What it resolves with needs the
 * service no more: it writes what is held, and once the work is recorded verifies, counts and renames the file. Half a file
 * never stands under a final name, and the hash is in the journal before the file is in its place, so that a crash between
 * the two leaves a file that is recognised.
 */
export async function fetchArtifact(
  context: RunContext,
  scenario: Scenario,
  { key, generation, recorded }: FinishedWork,
): Promise<LocalWork> {
  const part = join(context.places.outputFolder, `${scenario.id}.${scenario.format}.part`)
  const orRemove = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      await removeIfThere(context.env.fs, part).catch(() => {})
      throw error
    }
  }
  const file = await orRemove(download(context, scenario, generation, part))
  const keep = async (): Promise<void> => {
    const { content } = file
    // First of all: a disk without room stops the run before it orders much more.
    if (content !== undefined) await writeNew(context.env.fs, part, content)
    await recorded
    context.signal.throwIfAborted()
    const measured = await verify(context, scenario, key, { part, file })
    const stored = { sha256: file.sha256, bytes: file.bytes, measured }
    // Fewer rows than asked for are a partial result, whatever the service calls it: the policy is to judge them.
    const counted = measured.rows < scenario.rows ? ({ status: 'partial' } as const) : {}
    await context.store.record({ kind: 'generation', id: key, set: { artifact: stored, ...counted } })
    await place(context, scenario, key, stored, part)
    context.emit({
      type: 'scenario.downloaded',
      scenario: scenario.id,
      path: artifactPath(context.places, scenario),
      bytes: stored.bytes,
      sha256: stored.sha256,
    })
  }
  return () => orRemove(keep())
}

async function download(
  context: RunContext,
  scenario: Scenario,
  generation: Generation,
  part: string,
): Promise<DownloadedArtifact> {
  const client = await context.client()
  const call = context.call(`scenario ${scenario.id}`)
  const onProgress = (receivedBytes: number): void =>
    context.emit({ type: 'scenario.downloading', scenario: scenario.id, receivedBytes })
  const from = async (told: Generation) => {
    const url = told.artifact_url ?? ''
    const file = await client.downloadArtifact({ url, path: part, heldBytes: HELD_BYTES, onProgress }, call)
    return { file, told }
  }
  const { file, told } = await from(generation).catch(async (error: unknown) => {
    if (!(error instanceof ServiceError) || !STALE_LINK_STATUSES.includes(error.status ?? 0)) throw error
    const fresh = (await client.getGeneration(generation.generation_id, call)).value
    if (fresh.artifact_url === undefined) throw error
    return from(fresh)
  })
  const announced = told.artifact
  if (announced !== undefined && (announced.sha256 !== file.sha256 || announced.bytes !== file.bytes)) {
    throw new WorkFailedError(
      'artifact_damaged',
      `the artifact that arrived (${file.bytes} bytes, ${file.sha256}) is not the one announced (${announced.bytes} bytes, ${announced.sha256})`,
      file.requestId,
    )
  }
  return file
}

/** What is wrong with a file names the request that brought it. */
async function verify(
  context: RunContext,
  scenario: Scenario,
  key: string,
  { part, file }: { readonly part: string; readonly file: DownloadedArtifact },
): Promise<Measurement> {
  try {
    const measured = await measure(context, scenario, part, file.content)
    checkCounts(scenario, measured, context.generation(key).rowsReported)
    return measured
  } catch (error) {
    throw error instanceof WorkFailedError
      ? WorkFailedError.fromService(error.code, error.message, file.requestId)
      : error
  }
}

function measure(context: RunContext, scenario: Scenario, path: string, content?: Buffer): Promise<Measurement> {
  const columns = measuredColumns(scenario, context.study.comparisons)
  const { tempFolder: tempDir } = context.places
  const request = { path, format: scenario.format, tempDir, ...columns, ...(content && { content }) }
  return context.env.measure(request, context.signal).catch((cause: unknown) => {
    context.signal.throwIfAborted()
    // What is spilled while counting needs room as well; the artifact may be in order.
    if (cause instanceof Error && /no space left/i.test(cause.message)) {
      throw Object.assign(new Error('reading it needs room', { cause }), { code: 'ENOSPC' })
    }
    throw new WorkFailedError(
      'artifact_unreadable',
      `the artifact is not a readable ${scenario.format} file: ${why(cause)}`,
    )
  })
}

/** Only a reader's own words are known to name no path and to quote no row. */
function why(cause: unknown): string {
  const { name, message, code } = cause as NodeJS.ErrnoException
  if (name === 'UnreadableFileError') return message
  return `reading it failed${typeof code === 'string' ? ` (${code})` : ''}`
}

function checkCounts(scenario: Scenario, measured: Measurement, reported: number | null): void {
  if (reported !== null && measured.rows !== reported) {
    const said = `the service reports ${reported} rows, the artifact has ${measured.rows}`
    throw new WorkFailedError('row_count_mismatch', said)
  }
  if (measured.rows > scenario.rows) {
    throw new WorkFailedError(
      'too_many_rows',
      `the artifact has ${measured.rows} rows, ${scenario.rows} were requested`,
    )
  }
  const absent = [...scenario.shares.keys(), ...scenario.ranges.keys()].filter((c) => measured.absent.includes(c))
  if (absent.length > 0) {
    throw new WorkFailedError('column_missing', `the artifact has no column ${absent.map((c) => `"${c}"`).join(', ')}`)
  }
}

/**
 * Moves a verified file to its scenario's place. What is there already stays when it has the same bytes, is replaced when
 * this study wrote it, and is otherwise somebody else's: not touched without `--overwrite`.
 */
async function place(
  context: RunContext,
  scenario: Scenario,
  key: string,
  stored: StoredArtifact,
  part: string,
): Promise<void> {
  const { fs } = context.env
  const path = artifactPath(context.places, scenario)
  const target = resolve(context.places.anchor, path)
  const present = await whatIsAt(context, target)
  if (present === stored.sha256) {
    await removeIfThere(fs, part)
  } else {
    if (present === 'folder') throw new WorkFailedError('file_exists', `${path} is a folder; move it away`)
    if (present !== 'nothing' && (await (await seedPlaces(context)).has(target)))
      throw new WorkFailedError('file_exists', `${path} is a seed file of this study`)
    if (present !== 'nothing' && !context.options.overwrite && !isOurs(context, present)) {
      throw new WorkFailedError(
        'file_exists',
        `${path} is there and is not what this study wrote; move it away or pass --overwrite (what was generated is kept by the service for a while and will not be paid again)`,
      )
    }
    await fs.rename(part, target)
    await context.syncOutput()
  }
  await remember(context, scenario, key, stored)
}

async function remember(context: RunContext, scenario: Scenario, key: string, stored: StoredArtifact): Promise<void> {
  const path = artifactPath(context.places, scenario)
  context.files.set(path, stored.sha256)
  const { fingerprint } = context.generation(key)
  const set = { scenario: scenario.id, key, fingerprint, path, sha256: stored.sha256 }
  const isDrawn = context.state.seeds.has(scenario.id)
  await Promise.all([
    context.store.record({ kind: 'scenario', id: scenario.id, set }),
    ...(isDrawn ? [context.store.record({ kind: 'seed', id: scenario.id, seed: null })] : []),
  ])
}

/** SHA-256 of a regular file, `nothing`, `folder`, or `other` for what is none of them (a link). */
async function whatIsAt(context: RunContext, path: string): Promise<string> {
  const stats = await context.env.fs.lstat(path).catch(() => null)
  if (stats === null) return 'nothing'
  if (stats.isDirectory()) return 'folder'
  return (await hashIfRegular(path, context.places, context.env, context.signal)) ?? 'other'
}

function isOurs(context: RunContext, sha256: string): boolean {
  for (const record of context.state.generations.values()) if (record.artifact?.sha256 === sha256) return true
  for (const record of context.state.scenarios.values()) if (record.sha256 === sha256) return true
  return false
}

/**
 * Puts an artifact that is on disk under another name in a scenario's place: moved when it is a renamed scenario's old file,
 * copied otherwise. `from` is relative to the anchor.
 */
export async function adoptArtifact(
  context: RunContext,
  scenario: Scenario,
  key: string,
  from: string,
  how: 'move' | 'copy',
): Promise<void> {
  const stored = context.generation(key).artifact
  if (stored === null) throw new RangeError(`generation ${key} has no artifact`)
  const { fs } = context.env
  const source = resolve(context.places.anchor, from)
  const part = join(context.places.outputFolder, `${scenario.id}.${scenario.format}.part`)
  await removeIfThere(fs, part)
  if (how === 'move') {
    await fs.rename(source, part)
    context.files.delete(from)
  } else {
    await fs.copyFile(source, part)
    const copy = await fs.open(part, 'r+')
    await copy.sync().finally(() => copy.close())
  }
  try {
    await place(context, scenario, key, stored, part)
  } catch (error) {
    if (how === 'move') await fs.rename(part, source)
    else await removeIfThere(fs, part)
    throw error
  }
}

/** Counts again what is asked for now and was not when the artifact came: a comparison was added since. */
export async function refreshMeasurement(context: RunContext, scenario: Scenario, key: string): Promise<void> {
  const stored = context.generation(key).artifact
  if (stored === null) return
  const columns = measuredColumns(scenario, context.study.comparisons)
  if (coversColumns(stored.measured, columns)) return
  const path = resolve(context.places.anchor, artifactPath(context.places, scenario))
  const measured = await measure(context, scenario, path)
  await context.store.record({ kind: 'generation', id: key, set: { artifact: { ...stored, measured } } })
}
