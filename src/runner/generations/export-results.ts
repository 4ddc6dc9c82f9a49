import { resolve } from 'node:path'
import { removeIfThere } from '../../base/atomic-file.ts'
import { type CanonicalValue, canonicalFigures } from '../../base/canonical-json.ts'
import { hashFile, sha256Hex } from '../../base/sha256.ts'
import { hasCode } from '../../base/whatif-error.ts'
import type { ExportedRecord } from '../../records/state/generations.ts'
import type { Scenario } from '../../study/study.ts'
import { artifactPath, exportedPath } from '../files/project-paths.ts'
import { WorkFailedError } from '../interface/fault-text.ts'
import { datasetRecord } from '../session/dataset-records.ts'
import type { PlannedRun, RunSoFar } from '../session/plan-run.ts'
import { bringHere } from './fetch-shared.ts'
import { takePlace } from './take-place.ts'

/** Rises when the same artifact and study give another file. */
const EXPORT_VERSION = 1

/**
 * Makes the result file of a scenario whose artifact is in its place, unless the artifact is the result, or the file is
 * there already. A file that is missing is made again, without the service. One that somebody changed is replaced only
 * with `--overwrite`.
 */
export async function exportResult(run: PlannedRun, scenario: Scenario, key: string): Promise<void> {
  const { form } = scenario
  const path = exportedPath(run.places, scenario)
  const artifact = run.store.generation(key).artifact
  if (form === undefined || path === null || artifact === null) return
  if (exportedFile(run, scenario, artifact.sha256) !== null) return
  const { env, places, signal } = run
  const { exportResult: makeResult } = await import('../../data/export/export-result.ts')
  const part = `${resolve(places.anchor, path)}.part`
  await removeIfThere(env.fs, part)
  try {
    await bringHere(run, artifactPath(places, scenario))
    const source = resolve(places.anchor, artifactPath(places, scenario))
    const { schema, renamed, seedFile } = sourcesOf(run, scenario)
    const { format: sourceFormat } = scenario
    const { tempFolder: tempDir } = places
    const request = { source, sourceFormat, target: part, form, schema, renamed, seedFile, tempDir }
    const { notes } = await makeResult(request, signal).catch((cause: unknown) => {
      signal.throwIfAborted()
      throw exportFault(cause, path)
    })
    const { sha256, sizeBytes: bytes } = await hashFile(part, { signal })
    const exported = { path, bytes, sha256, recipe: recipeOf(run, scenario, artifact.sha256), notes }
    // The record still knows the file that is replaced. After a crash between the two, the same bytes are made again.
    await takePlace(run, { part, path, sha256 })
    await remember(run, scenario, key, artifact.sha256, exported)
  } catch (error) {
    await removeIfThere(env.fs, part).catch(() => {})
    throw error
  }
}

/** Only messages of our own readers are certain to name no path and quote no row. */
function exportFault(cause: unknown, path: string): unknown {
  const { message, code } = cause as NodeJS.ErrnoException
  if (hasCode(cause, 'unreadable_file'))
    return new WorkFailedError('export_failed', `${path} cannot be made: ${message}`)
  if (cause instanceof Error && /no space left/i.test(message)) {
    return Object.assign(new Error('making the result needs room', { cause }), { code: 'ENOSPC' })
  }
  return code === undefined ? new WorkFailedError('export_failed', `${path} cannot be made of the artifact`) : cause
}

async function remember(
  run: PlannedRun,
  scenario: Scenario,
  key: string,
  sha256: string,
  exported: ExportedRecord,
): Promise<void> {
  const { fingerprint } = run.store.generation(key)
  const path = artifactPath(run.places, scenario)
  const set = { scenario: scenario.id, key, fingerprint, path, sha256, exported }
  await run.store.record({ kind: 'scenario', id: scenario.id, set })
}

/**
 * The result file of a scenario that was made of this artifact, as it is on disk; null when there is none, or when what
 * it is made of has changed since.
 */
export function exportedFile(run: RunSoFar, scenario: Scenario, artifact: string): ExportedRecord | null {
  const known = run.store.state.scenarios.get(scenario.id)?.exported
  if (known === undefined || known.path !== exportedPath(run.places, scenario)) return null
  const isThere = run.known.files.get(known.path) === known.sha256
  return isThere && known.recipe === recipeOf(run, scenario, artifact) ? known : null
}

/** Hashes of schemas: a running manifest asks for the result of every scenario twice a second. */
const digests = new WeakMap<object, string>()

function recipeOf(run: RunSoFar, scenario: Scenario, artifact: string): string {
  const { format, names, escapesFormulas } = scenario.form!
  const { schema, renamed, seedSha256, record } = sourcesOf(run, scenario)
  let columns = record === null ? '' : digests.get(record)
  if (columns === undefined) {
    // A record that was read from the disk has its keys in another sequence.
    columns = sha256Hex(canonicalFigures([schema, renamed] as CanonicalValue))
    if (record !== null) digests.set(record, columns)
  }
  // Without the last part as before, so that results of earlier versions stay.
  const more = escapesFormulas ? ['escape'] : []
  return sha256Hex(JSON.stringify([EXPORT_VERSION, artifact, format, names, columns, seedSha256, ...more]))
}

/** What is known of the dataset of a scenario. */
function sourcesOf(run: RunSoFar, { dataset }: Scenario) {
  const record = datasetRecord(run, dataset)
  const seed = run.seedFiles?.get(dataset)
  return {
    record,
    schema: record?.schema ?? [],
    renamed: record?.cleaning?.renamed ?? [],
    seedFile: seed?.path ?? null,
    seedSha256: seed?.sha256 ?? null,
  }
}
