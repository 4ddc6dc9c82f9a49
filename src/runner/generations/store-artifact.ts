import { join, resolve } from 'node:path'
import { coversBins, coversColumns, coversQuantiles } from '../../answers/counts/covers.ts'
import { measuredColumns } from '../../answers/counts/measure.ts'
import { removeIfThere, writeNew } from '../../base/atomic-file.ts'
import { hasCode } from '../../base/whatif-error.ts'
import type { Generation } from '../../client/replies.ts'
import type { DownloadedArtifact } from '../../client/service-client.ts'
import { ServiceError } from '../../client/service-error.ts'
import type { StoredArtifact } from '../../records/state/generations.ts'
import type { Measurement } from '../../records/state/measurements.ts'
import { columnsOf } from '../../study/conditions/condition.ts'
import type { Scenario } from '../../study/study.ts'
import { artifactPath } from '../files/project-paths.ts'
import { WorkFailedError } from '../interface/fault-text.ts'
import type { ResultSource } from '../interface/run-event.ts'
import { knownFacts } from '../session/dataset-records.ts'
import type { PlannedRun } from '../session/plan-run.ts'
import { rulesOfDataset } from '../session/rules-of-dataset.ts'
import { exportResult } from './export-results.ts'
import { bringHere, fetchShared, forget } from './fetch-shared.ts'
import { type FinishedWork, traced } from './generation-record.ts'
import type { Fetch, LocalWork } from './in-parallel.ts'
import { finishDone } from './scenario-results.ts'
import { takePlace } from './take-place.ts'

/**
 * Artifacts up to this size are written at once and counted from memory; `inParallel` bounds how many wait for that.
 */
const HELD_BYTES = 256 * 1024

/** Download failures that a fresh address can cure: managed links expire after 15 minutes. */
const STALE_LINK_STATUSES = [401, 403, 404, 410]

/** The remaining steps for finished work: fetch and store the artifact, then end the scenario. */
export function fetchFinished(run: PlannedRun, scenario: Scenario, work: FinishedWork, how: ResultSource): Fetch {
  return async () => {
    const keep = await traced(run, work.key, () => fetchArtifact(run, scenario, work))
    return async () => {
      await keep()
      await exportResult(run, scenario, work.key)
      finishDone(run, scenario.id, work.key, how)
    }
  }
}

/**
 * Downloads the artifact of a finished generation, into a file next to its place unless it is small. The returned work
 * needs no service: it writes an artifact held in memory, and once the work is recorded verifies, counts and renames
 * the file. A partial file never has a final name, and the hash is in the journal before the file is in its place, so
 * that a crash between the two leaves a file that is recognised.
 */
async function fetchArtifact(
  run: PlannedRun,
  scenario: Scenario,
  { key, generation, recorded }: FinishedWork,
): Promise<LocalWork> {
  const part = join(run.places.outputFolder, `${scenario.id}.${scenario.format}.part`)
  const orRemove = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      await removeIfThere(run.env.fs, part).catch(() => {})
      throw error
    }
  }
  const file = await orRemove(download(run, scenario, generation, part))
  const keep = async (): Promise<void> => {
    const { content } = file
    // Written first: a full disk stops the run before it requests much more.
    if (content !== undefined) await writeNew(run.env.fs, part, content)
    await recorded
    run.signal.throwIfAborted()
    const measured = await verify(run, scenario, key, { part, file })
    const stored = { sha256: file.sha256, bytes: file.bytes, measured }
    // Fewer rows than requested are a partial result, whatever the service's status: the policy applies to them.
    const counted = measured.rows < scenario.rows ? ({ status: 'partial' } as const) : {}
    await run.store.record({ kind: 'generation', id: key, set: { artifact: stored, ...counted } })
    await place(run, scenario, key, stored, part)
    run.emit({
      type: 'scenario.downloaded',
      scenario: scenario.id,
      path: artifactPath(run.places, scenario),
      bytes: stored.bytes,
      sha256: stored.sha256,
    })
  }
  return () => orRemove(keep())
}

async function download(
  run: PlannedRun,
  scenario: Scenario,
  generation: Generation,
  part: string,
): Promise<DownloadedArtifact> {
  const client = await run.service.client()
  const call = run.service.call(`scenario ${scenario.id}`)
  const onProgress = (receivedBytes: number): void =>
    run.emit({ type: 'scenario.downloading', scenario: scenario.id, receivedBytes })
  const from = async (source: Generation) => {
    const url = source.artifact_url ?? ''
    const file = await client.downloadArtifact({ url, path: part, heldBytes: HELD_BYTES, onProgress }, call)
    return { file, source }
  }
  const { file, source } = await from(generation).catch(async (error: unknown) => {
    if (!(error instanceof ServiceError) || !STALE_LINK_STATUSES.includes(error.status ?? 0)) throw error
    const fresh = (await client.getGeneration(generation.generation_id, call)).value
    if (fresh.artifact_url === undefined) throw error
    return from(fresh)
  })
  const announced = source.artifact
  if (announced !== undefined && (announced.sha256 !== file.sha256 || announced.bytes !== file.bytes)) {
    throw new WorkFailedError(
      'artifact_damaged',
      `the artifact that arrived (${file.bytes} bytes, ${file.sha256}) is not the one announced (${announced.bytes} bytes, ${announced.sha256})`,
      file.requestId,
    )
  }
  return file
}

/** Errors about a file name the request that fetched it. */
async function verify(
  run: PlannedRun,
  scenario: Scenario,
  key: string,
  { part, file }: { readonly part: string; readonly file: DownloadedArtifact },
): Promise<Measurement> {
  try {
    const measured = await measure(run, scenario, part, file.content)
    checkCounts(scenario, measured, run.store.generation(key).rowsReported)
    return measured
  } catch (error) {
    throw error instanceof WorkFailedError
      ? WorkFailedError.fromService(error.code, error.message, file.requestId)
      : error
  }
}

function measure(run: PlannedRun, scenario: Scenario, path: string, content?: Buffer): Promise<Measurement> {
  const columns = neededColumns(run, scenario)
  const { tempFolder: tempDir } = run.places
  const request = { path, format: scenario.format, tempDir, ...columns, ...(content && { content }) }
  return run.env.measure(request, run.signal).catch((cause: unknown) => {
    run.signal.throwIfAborted()
    // Temporary data of counting needs room as well; the artifact may be valid.
    if (cause instanceof Error && /no space left/i.test(cause.message)) {
      throw Object.assign(new Error('reading it needs room', { cause }), { code: 'ENOSPC' })
    }
    throw new WorkFailedError(
      'artifact_unreadable',
      `the artifact is not a readable ${scenario.format} file: ${why(cause)}`,
    )
  })
}

function neededColumns(run: PlannedRun, scenario: Scenario): ReturnType<typeof measuredColumns> {
  return measuredColumns(
    scenario,
    run.study.comparisons,
    knownFacts(run, scenario.dataset)?.schema ?? null,
    rulesOfDataset(run, scenario.dataset),
  )
}

/** Only messages of our own readers are certain to name no path and quote no row. */
function why(cause: unknown): string {
  if (hasCode(cause, 'unreadable_file')) return cause.message
  const { code } = cause as NodeJS.ErrnoException
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
  const absent = scenario.conditions.flatMap(columnsOf).filter((c) => measured.absent.includes(c))
  if (absent.length > 0) {
    throw new WorkFailedError('column_missing', `the artifact has no column ${absent.map((c) => `"${c}"`).join(', ')}`)
  }
}

/** Moves a verified artifact to its scenario's place, and records it there. */
async function place(
  run: PlannedRun,
  scenario: Scenario,
  key: string,
  stored: StoredArtifact,
  part: string,
): Promise<void> {
  await takePlace(run, { part, path: artifactPath(run.places, scenario), sha256: stored.sha256 })
  await remember(run, scenario, key, stored)
}

async function remember(run: PlannedRun, scenario: Scenario, key: string, stored: StoredArtifact): Promise<void> {
  const path = artifactPath(run.places, scenario)
  const { fingerprint } = run.store.generation(key)
  // A result file is recorded with its artifact, and is made again when the artifact is another one.
  const exported = run.store.state.scenarios.get(scenario.id)?.exported
  const set = { scenario: scenario.id, key, fingerprint, path, sha256: stored.sha256, ...(exported && { exported }) }
  const isDrawn = run.store.state.seeds.has(scenario.id)
  await Promise.all([
    run.store.record({ kind: 'scenario', id: scenario.id, set }),
    ...(isDrawn ? [run.store.record({ kind: 'seed', id: scenario.id, seed: null })] : []),
  ])
}

/**
 * Puts an artifact that is on disk under another name in a scenario's place: moved when it is a renamed scenario's old
 * file, copied otherwise. `from` is relative to the anchor.
 */
export async function adoptArtifact(
  run: PlannedRun,
  scenario: Scenario,
  key: string,
  from: string,
  how: 'move' | 'copy',
): Promise<void> {
  const stored = run.store.generation(key).artifact
  if (stored === null) throw new RangeError(`generation ${key} has no artifact`)
  const { fs } = run.env
  const source = resolve(run.places.anchor, from)
  const part = join(run.places.outputFolder, `${scenario.id}.${scenario.format}.part`)
  await removeIfThere(fs, part)
  const isHere = !run.known.elsewhere.has(from)
  if (!isHere) {
    // Never under its old name, which another machine wrote into the state.
    await fetchShared(run, from, part)
    if (how === 'move') forget(run, from)
  } else if (how === 'move') {
    await fs.rename(source, part)
    run.known.files.delete(from)
  } else {
    await fs.copyFile(source, part)
    const copy = await fs.open(part, 'r+')
    await copy.sync().finally(() => copy.close())
  }
  try {
    await place(run, scenario, key, stored, part)
  } catch (error) {
    if (how === 'move' && isHere) await fs.rename(part, source)
    else await removeIfThere(fs, part)
    throw error
  }
  if (how === 'move') await removeExported(run, from)
}

/** Removes what was made of an artifact under a name that no scenario has any more, unless somebody changed it. */
async function removeExported(run: PlannedRun, artifact: string): Promise<void> {
  for (const { scenario, path, exported } of run.store.state.scenarios.values()) {
    if (path !== artifact || exported === undefined || run.scenarios.has(scenario)) continue
    if (run.known.files.get(exported.path) !== exported.sha256) continue
    if (!run.known.elsewhere.has(exported.path))
      await removeIfThere(run.env.fs, resolve(run.places.anchor, exported.path))
    forget(run, exported.path)
  }
}

/** Measures an artifact again when a new comparison needs other columns, or other bins are known since. */
export async function refreshMeasurement(run: PlannedRun, scenario: Scenario, key: string): Promise<void> {
  const stored = run.store.generation(key).artifact
  if (stored === null) return
  const columns = neededColumns(run, scenario)
  const known = stored.measured
  if (coversColumns(known, columns) && coversBins(known, columns) && coversQuantiles(known, columns)) return
  await bringHere(run, artifactPath(run.places, scenario))
  const path = resolve(run.places.anchor, artifactPath(run.places, scenario))
  const measured = await measure(run, scenario, path)
  await run.store.record({ kind: 'generation', id: key, set: { artifact: { ...stored, measured } } })
}
