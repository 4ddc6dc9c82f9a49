import { basename, dirname, extname } from 'node:path'
import { hashFile } from '../../base/sha256.ts'
import { standInFault } from '../../base/stand-in-file.ts'
import type { Dataset } from '../../client/replies.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import { MAX_SEED_FILE_BYTES } from '../../contract/limits.ts'
import type { DeclarationRemark } from '../../data/declare/declaration-error.ts'
import { declaredSeed } from '../../data/declare/declared-seed.ts'
import type { UploadRecord } from '../../records/state/datasets.ts'
import type { Declarations } from '../../study/declarations.ts'
import { requestKey, uploadHash } from '../../study/hashing/request-key.ts'
import type { Study } from '../../study/study.ts'
import { runPlaces } from '../files/project-paths.ts'
import { declarationsOf, hashSeedFile } from '../files/seed-files.ts'
import { isDeadline, RunRefusalError } from '../interface/exit-code.ts'
import type { RunEnvironment } from '../interface/run-options.ts'
import { ServiceCalls } from '../session/service-calls.ts'
import { readState } from '../state/study-store.ts'
import {
  awaitTraining,
  type DatasetAccess,
  getDataset,
  type SeedUpload,
  sendSeedFile,
  underLivingKey,
} from './dataset-requests.ts'
import { seedAsUsed } from './seed-as-used.ts'

/** The dataset to inspect: one at the service, or a seed file to upload. */
export type InspectedSource =
  | { readonly kind: 'existing'; readonly name: string; readonly datasetId: string }
  | FileSource

export interface FileSource extends SeedUpload {
  readonly kind: 'file'
  /** The dataset that an earlier run trained from it; null when none is known. */
  readonly knownId: string | null
  /** Epoch of its key, else 0. */
  readonly epoch: number
  /** Of what decides its key. */
  readonly hash: string
  /** Set where that run trained it with types that the study's use asks for; they are no part of its key. */
  readonly asUsed?: (env: Pick<InspectEnvironment, 'signal'>) => Promise<Pick<SeedUpload, 'seed' | 'declarations'>>
  /** What the declarations of the study did. */
  readonly remarks: readonly DeclarationRemark[]
}

export interface InspectedDataset {
  readonly dataset: Dataset
  readonly schema: readonly AnySchemaColumn[]
  /** What the declarations of the study did; absent or empty: there are none. */
  readonly declared?: readonly DeclarationRemark[]
}

type InspectEnvironment = Pick<RunEnvironment, 'client' | 'clock' | 'random' | 'signal' | 'onEvent'>
type SourceEnvironment = Pick<RunEnvironment, 'fs' | 'onEvent' | 'signal' | 'objects'>

const MOST_NAME_CHARACTERS = 200

/**
 * A seed file without a study. Its name is the file name without the extension, as a study would most likely call it.
 *
 * @param declared what a study would declare about it; null: nothing, and the file is sent as it is.
 */
export async function sourceOfFile(
  path: string,
  env: SourceEnvironment,
  declared: Declarations | null = null,
): Promise<InspectedSource> {
  const stats = await env.fs.stat(path)
  if (!stats.isFile()) throw new RunRefusalError('usage', 'seed_file_not_regular', `${path} is not a regular file`)
  const bytes = Number(stats.size)
  if (bytes > MAX_SEED_FILE_BYTES) {
    throw new RunRefusalError(
      'does_not_fit_data',
      'seed_file_too_large',
      `${path} has ${bytes} bytes, and the service accepts at most ${MAX_SEED_FILE_BYTES} (500 MB)`,
    )
  }
  const name = basename(path)
  const fault = await standInFault(env.fs, path, env.signal)
  if (fault !== null) throw new RunRefusalError('usage', 'seed_file_not_data', `${name}: the file ${fault}`)
  const stem = basename(path, extname(path)).replaceAll(/\p{Control}/gu, '')
  env.onEvent({ type: 'dataset.hashing', dataset: name, totalBytes: bytes })
  const { sha256, sizeBytes, remarks } =
    declared === null
      ? { ...(await hashFile(path, { signal: env.signal })), remarks: [] }
      : await hashCarriedOut(path, name, declared, env)
  const displayName = [...stem].slice(0, MOST_NAME_CHARACTERS).join('')
  return {
    kind: 'file',
    name,
    seed: { path, sha256, bytes: sizeBytes },
    autoClean: true,
    displayName,
    declarations: declared,
    hash: uploadHash({ autoClean: true, displayName, declarations: declared }, sha256),
    knownId: null,
    epoch: 0,
    remarks,
  }
}

async function hashCarriedOut(
  path: string,
  name: string,
  declared: Declarations,
  env: SourceEnvironment,
): Promise<{ sha256: string; sizeBytes: number; remarks: readonly DeclarationRemark[] }> {
  const { file, faults } = await declaredSeed(path, declared, { signal: env.signal })
  if (file === null) {
    throw new RunRefusalError('does_not_fit_data', 'declarations', `${name}: ${faults.join(' ')}`)
  }
  await file.remove()
  return file
}

/** A dataset of a study: the one that an earlier run trained, as long as the service has it. */
export async function sourceOfStudy(
  study: Study,
  name: string,
  project: { readonly studyFile: string; readonly projectRoot: string; readonly service: string },
  env: SourceEnvironment,
): Promise<InspectedSource> {
  const dataset = study.datasets.get(name)
  if (dataset === undefined) {
    const names = [...study.datasets.keys()].join(', ')
    throw new RunRefusalError('usage', 'no_such_dataset', `the study has no dataset "${name}"; it has: ${names}`)
  }
  if (dataset.kind === 'existing') return { kind: 'existing', name, datasetId: dataset.datasetId }
  const { projectRoot, studyFile } = project
  const { stateFolder } = runPlaces({ ...project, studyName: study.name, outputDir: study.outputDir, out: null })
  const place = { studyFolder: dirname(studyFile), projectRoot, allowOutside: false, allowHidden: false }
  const seed = await hashSeedFile(dataset, { ...place, env, signal: env.signal })
  const { autoClean, displayName } = dataset
  const declarations = declarationsOf(dataset)
  const hash = uploadHash(dataset, seed.sha256)
  const { uploads } = await readState(env.fs, stateFolder)
  let newest: UploadRecord | null = null
  for (const record of uploads.values())
    if (record.hash === hash && (newest === null || newest.madeAt < record.madeAt)) newest = record
  const knownId = newest?.status === 'ready' ? newest.datasetId : null
  const types = newest?.types
  return {
    kind: 'file',
    ...{ name, seed, autoClean, displayName, declarations, hash, knownId },
    epoch: newest?.epoch ?? 0,
    remarks: seed.remarks ?? [],
    ...(types !== undefined && {
      asUsed: ({ signal }) => seedAsUsed(dataset, types, seed, signal),
    }),
  }
}

/**
 * The service's facts about a dataset. A seed file is uploaded under the same key that a run of a study would use. So
 * nothing is trained twice, and no rows are billed.
 */
export async function inspectDataset(source: InspectedSource, env: InspectEnvironment): Promise<InspectedDataset> {
  const { clock, signal, onEvent: emit, client: open } = env
  const deadlineAt = null
  // No state of a study is written, so there is no lock to hold.
  const service = new ServiceCalls({ open, clock, signal, deadlineAt, emit, mayPost: async () => {} })
  const access: DatasetAccess = { service, emit, signal, deadlineAt, env }
  try {
    const dataset =
      source.kind === 'existing' ? await findExisting(access, source) : await findOrMake(access, source, env)
    const client = await service.client()
    const { value } = await client.getDatasetSchema(dataset.dataset_id, service.call(`dataset ${source.name}`))
    return { dataset, schema: value.schema, declared: source.kind === 'file' ? source.remarks : [] }
  } catch (error) {
    throw signal.aborted && isDeadline(signal.reason) ? service.abortReason : error
  } finally {
    await service.close()
  }
}

async function findExisting(
  access: DatasetAccess,
  { name, datasetId }: { readonly name: string; readonly datasetId: string },
): Promise<Dataset> {
  const found = await getDataset(access, name, datasetId)
  if (found !== null) return found
  throw new RunRefusalError(
    'does_not_fit_data',
    'dataset_gone',
    `the service has no dataset ${datasetId}: trained datasets live 24 hours by default and 7 days at most`,
  )
}

async function findOrMake(access: DatasetAccess, source: FileSource, env: InspectEnvironment): Promise<Dataset> {
  const { name, hash, knownId, asUsed } = source
  const known = knownId === null ? null : await getDataset(access, name, knownId)
  if (known !== null) return known
  const upload = { ...source, ...(await asUsed?.(env)) }
  return underLivingKey(source.epoch, async (epoch) => {
    const { value } = await sendSeedFile(access, upload, requestKey('ds', hash, { kind: 'epoch', epoch }))
    if (value.status !== 'ready' && value.job_id !== undefined) {
      const training = await awaitTraining(access, name, value.job_id)
      if (training.kind === 'failed') throw training.error
    }
    return (await getDataset(access, name, value.dataset_id)) ?? 'gone'
  })
}
