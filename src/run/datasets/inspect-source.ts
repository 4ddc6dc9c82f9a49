import { basename, dirname, extname } from 'node:path'
import { MAX_SEED_FILE_BYTES } from '../../contract/limits.ts'
import type { UploadRecord } from '../../plan/study-state.ts'
import { datasetKeyHash } from '../../study/hashing/request-key.ts'
import type { Study } from '../../study/study.ts'
import { runPlaces } from '../files/project-paths.ts'
import { hashSeedFile } from '../files/seed-files.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import type { RunEnvironment } from '../interface/run-options.ts'
import { readState } from '../state/study-store.ts'
import type { InspectedSource } from './inspect-dataset.ts'

type SourceEnvironment = Pick<RunEnvironment, 'fs' | 'hashFile' | 'onEvent' | 'signal'>

const MOST_NAME_CHARACTERS = 200

/** A seed file of no study. It goes by its own name without the extension, as a study that has it would most likely call it. */
export async function sourceOfFile(path: string, env: SourceEnvironment): Promise<InspectedSource> {
  const stats = await env.fs.stat(path)
  if (!stats.isFile()) throw new RunRefusalError('usage', 'seed_file_not_regular', `${path} is not a regular file`)
  const bytes = Number(stats.size)
  if (bytes > MAX_SEED_FILE_BYTES) {
    throw new RunRefusalError(
      'does_not_fit_data',
      'seed_file_too_large',
      `${path} has ${bytes} bytes, the service takes at most ${MAX_SEED_FILE_BYTES} (500 MB)`,
    )
  }
  const name = basename(path)
  const stem = basename(path, extname(path)).replaceAll(/\p{Control}/gu, '')
  env.onEvent({ type: 'dataset.hashing', dataset: name, totalBytes: bytes })
  const { sha256, sizeBytes } = await env.hashFile(path, { signal: env.signal })
  return {
    kind: 'file',
    name,
    seed: { path, sha256, bytes: sizeBytes },
    autoClean: true,
    displayName: [...stem].slice(0, MOST_NAME_CHARACTERS).join(''),
    knownId: null,
    epoch: 0,
  }
}

/** A dataset of a study: the one that an earlier run has trained, as long as the service has it. */
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
  const { stateFolder } = runPlaces({
    ...project,
    studyName: study.name,
    outputDir: study.outputDir,
    out: null,
  })
  const studyFolder = dirname(studyFile)
  const place = { studyFolder, projectRoot, allowOutside: false, allowHidden: false }
  const seed = await hashSeedFile(dataset, { ...place, env, signal: env.signal })
  const { autoClean, displayName } = dataset
  const hash = datasetKeyHash({ fileSha256: seed.sha256, autoClean, displayName })
  const { uploads } = await readState(env.fs, stateFolder)
  const newest = newestOf([...uploads.values()].filter((record) => record.hash === hash))
  const knownId = newest?.status === 'ready' ? newest.datasetId : null
  return { kind: 'file', name, seed, autoClean, displayName, knownId, epoch: newest?.epoch ?? 0 }
}

function newestOf(records: readonly UploadRecord[]): UploadRecord | null {
  let newest: UploadRecord | null = null
  for (const record of records) if (newest === null || newest.madeAt < record.madeAt) newest = record
  return newest
}
