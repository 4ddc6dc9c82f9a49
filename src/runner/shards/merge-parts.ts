import { lstat } from 'node:fs/promises'
import { resolve } from 'node:path'
import pLimit from 'p-limit'
import { isInside, portablePath } from '../../base/paths.ts'
import { hashFile } from '../../base/sha256.ts'
import type { DatasetFacts, ExistingRecord, UploadRecord } from '../../records/state/datasets.ts'
import type { EstimateRecord } from '../../records/state/estimates.ts'
import type { GenerationRecord } from '../../records/state/generations.ts'
import { shardOf } from '../../study/shards/shards.ts'
import type { FoundPart, FoundParts } from '../interface/run-options.ts'
import type { OpenRun } from '../session/open-run.ts'
import type { Change } from '../state/journal.ts'

/** Files hashed at once: each hash is bound by one core. */
const AT_ONCE = 4

/**
 * Takes what the parts of a study know into its state, as if one run had done all their work: what was trained and generated, and what
 * the service told about comparisons. What a part has not seen end is left to a run of that part. Doing it again changes nothing.
 */
export async function takeParts(run: OpenRun, { parts, of }: FoundParts): Promise<void> {
  for (const { part } of parts) {
    // The state shows a record at once, so each change is made from what is known after the one before.
    const written: Promise<void>[] = []
    const record = (change: Change | null) => {
      if (change !== null) written.push(run.store.record(change))
    }
    for (const upload of part.uploads) record(uploadChange(run, upload))
    for (const dataset of part.existing) record(existingChange(run, dataset))
    for (const work of part.generations) record(generationChange(run, work))
    for (const answer of part.estimates) record(estimateChange(run, answer))
    await Promise.all(written)
  }
  await takeDrawnSeeds(run, parts, of)
}

/** A request without an end belongs to the part that sent it. */
const isSettled = (work: GenerationRecord): boolean =>
  work.status === 'failed' || work.status === 'refused' || hasResult(work)

const hasResult = ({ status, artifact }: GenerationRecord): boolean =>
  (status === 'ready' || status === 'partial') && artifact !== null

function generationChange({ store }: OpenRun, work: GenerationRecord): Change | null {
  const known = store.state.generations.get(work.key)
  if (!isSettled(work) || (known !== undefined && !isNews(known, work))) return null
  return { kind: 'generation', id: work.key, set: { ...work, madeAt: store.state.serial + 1 } }
}

function isNews(known: GenerationRecord, { status, artifact }: GenerationRecord): boolean {
  if (artifact === null) return !hasResult(known) && known.status !== status
  return !hasResult(known) || known.artifact?.sha256 !== artifact.sha256
}

function estimateChange({ store }: OpenRun, answer: EstimateRecord): Change | null {
  return store.state.estimates.get(answer.key)?.status === 'known'
    ? null
    : { kind: 'estimate', id: answer.key, set: answer }
}

/**
 * Parts with an embedded service each have trained the same file under the same key. The first of these datasets is the one of the study;
 * the others are kept by their ids, because their rows name them.
 */
function uploadChange({ store }: OpenRun, upload: UploadRecord): Change | null {
  if (upload.status === 'prepared' || upload.status === 'training') return null
  const known = store.state.uploads.get(upload.key)
  if (known === undefined || (known.status !== 'ready' && upload.status === 'ready'))
    return { kind: 'upload', id: upload.key, set: { ...upload, madeAt: store.state.serial + 1 } }
  const { datasetId, expiresAt, requestIds } = upload
  if (datasetId === null || datasetId === known.datasetId || upload.status !== 'ready') return null
  return existingChange({ store }, { ...factsOf(upload), datasetId, expiresAt, requestIds, status: 'ready' })
}

function factsOf({ trainedAt, schemaSha256, schema, cleaning, quality, model }: UploadRecord): DatasetFacts {
  return { trainedAt, schemaSha256, schema, cleaning, quality, model }
}

function existingChange({ store }: Pick<OpenRun, 'store'>, dataset: ExistingRecord): Change | null {
  if (store.state.existing.has(dataset.datasetId)) return null
  return { kind: 'existing', id: dataset.datasetId, set: dataset }
}

/** A scenario with a drawn seed is found by the seed, as after a crash. `endParts` removes them. */
async function takeDrawnSeeds({ store, study }: OpenRun, parts: readonly FoundPart[], of: number): Promise<void> {
  for (const scenario of study.scenarios.filter(({ seed }) => seed === 'random')) {
    const index = shardOf(scenario, of)
    const works = parts
      .filter(({ part }) => part.shard.index === index)
      .flatMap(({ part }) => part.generations.filter((work) => work.scenario === scenario.id && isSettled(work)))
      .sort((a, b) => a.madeAt - b.madeAt)
    const body = works.at(-1)?.body
    const seed = body === undefined ? undefined : (JSON.parse(body) as { seed?: unknown }).seed
    if (Number.isSafeInteger(seed)) await store.record({ kind: 'seed', id: scenario.id, seed: seed as number })
  }
}

/**
 * SHA-256 of the artifacts that the parts have, by path relative to the anchor, absolute outside it. A file that is not there, or is not
 * what its part recorded, is left out: its scenario is then as good as missing.
 */
export async function artifactsOfParts(
  { places: { anchor }, signal }: OpenRun,
  { parts }: FoundParts,
): Promise<Map<string, string>> {
  const limit = pLimit(AT_ONCE)
  const files = new Map<string, string>()
  const listed = parts.flatMap(({ folder, part }) =>
    part.artifacts.map(({ path, sha256 }) => ({ folder, place: resolve(folder, path), sha256 })),
  )
  await Promise.all(
    listed.map(({ folder, place, sha256 }) =>
      limit(async () => {
        signal.throwIfAborted()
        // The list is a file too, and may name any place.
        if (!isInside(folder, place) || !(await isRegular(place))) return
        if ((await hashFile(place, { signal })).sha256 !== sha256) return
        files.set(isInside(anchor, place) ? portablePath(anchor, place) : place, sha256)
      }),
    ),
  )
  return files
}

async function isRegular(path: string): Promise<boolean> {
  return await lstat(path).then(
    (stats) => stats.isFile(),
    () => false,
  )
}

/** Once every scenario has ended: the rows of the parts are counted as collected, and seeds that were drawn for them are forgotten. */
export async function endParts({ store, study, progress, sent }: OpenRun, { parts }: FoundParts): Promise<void> {
  const keys = new Set(parts.flatMap(({ part }) => part.generations.map(({ key }) => key)))
  for (const end of progress.ends.values()) if (end.kind === 'done' && keys.has(end.key)) sent.collected.add(end.key)
  for (const { id } of study.scenarios)
    if (store.state.seeds.has(id) && progress.ends.get(id)?.kind === 'done')
      await store.record({ kind: 'seed', id, seed: null })
}
