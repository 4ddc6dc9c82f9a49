import { extname, resolve } from 'node:path'
import { MAX_SEED_FILE_BYTES } from '../../contract/limits.ts'
import type { FileDataset, Study } from '../../spec/study.ts'
import { RunRefusal } from '../exit-code.ts'
import type { RunEvent } from '../run-event.ts'
import type { RunEnvironment } from '../run-options.ts'
import { isInside, outsideProject, realPlace } from './project-paths.ts'

export interface HashedSeedFile {
  /** Without links. */
  readonly path: string
  readonly sha256: string
  readonly bytes: number
}

export interface SeedFileOptions {
  readonly studyFolder: string
  readonly projectRoot: string
  readonly allowOutside: boolean
  readonly env: Pick<RunEnvironment, 'fs' | 'hashFile' | 'onEvent'>
  readonly signal: AbortSignal
}

/**
 * Finds, checks and hashes the seed file of a dataset. Refuses, before anything is read, what a study from a pull request
 * must not reach: places outside of the project, devices, pipes and folders.
 */
export async function hashSeedFile(dataset: FileDataset, options: SeedFileOptions): Promise<HashedSeedFile> {
  const { env, signal } = options
  const path = await findSeedFile(dataset, options)
  const stats = await env.fs.stat(path).catch((cause: unknown) => {
    throw refusal(dataset, 'seed_file_missing', 'there is no such file', { cause })
  })
  if (!stats.isFile()) throw refusal(dataset, 'seed_file_not_regular', 'it is not a regular file')
  const totalBytes = Number(stats.size)
  if (totalBytes > MAX_SEED_FILE_BYTES) {
    throw new RunRefusal(
      'does_not_fit_data',
      'seed_file_too_large',
      `${where(dataset)}: the seed file has ${totalBytes} bytes, the service takes at most ${MAX_SEED_FILE_BYTES} (500 MB)`,
    )
  }
  const tell = (event: RunEvent): void => env.onEvent(event)
  tell({ type: 'dataset.hashing', dataset: dataset.id, totalBytes })
  const { sha256, sizeBytes } = await env.hashFile(path, { signal }).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw refusal(dataset, 'seed_file_unreadable', 'it cannot be read', { cause })
  })
  tell({ type: 'dataset.hashed', dataset: dataset.id, totalBytes: sizeBytes, sha256 })
  if (dataset.sha256 !== null && dataset.sha256 !== sha256) {
    throw new RunRefusal(
      'does_not_fit_data',
      'seed_file_changed',
      `${where(dataset)}: the seed file is not the one that is pinned: sha256 is ${sha256}, the study says ${dataset.sha256}`,
    )
  }
  return { path, sha256, bytes: sizeBytes }
}

async function findSeedFile(dataset: FileDataset, options: SeedFileOptions): Promise<string> {
  const { fs } = options.env
  const written = resolve(options.studyFolder, dataset.file)
  const [place, root] = await Promise.all([realPlace(fs, written), realPlace(fs, options.projectRoot)])
  if (!options.allowOutside && !isInside(root, place)) {
    throw outsideProject(dataset.fileRange, `the seed file "${dataset.file}" leads out of the project`)
  }
  return place
}

/** Extension with its dot, for the upload; what else the file is called stays here. */
export function seedExtension(path: string): string {
  const extension = extname(path).toLowerCase()
  return /^\.[a-z0-9]{1,10}$/.test(extension) ? extension : '.dat'
}

/**
 * Hashes the seed files of all scenarios of a study. Those that no selected scenario needs may be missing; then the
 * study's digest is not known in this run.
 */
export async function hashSeedFiles(
  study: Study,
  options: SeedFileOptions & { readonly needed: ReadonlySet<string> },
): Promise<Map<string, HashedSeedFile>> {
  const used = new Set(study.scenarios.map((s) => s.dataset))
  const hashed = new Map<string, HashedSeedFile>()
  for (const dataset of study.datasets.values()) {
    if (dataset.kind !== 'file' || !used.has(dataset.id)) continue
    try {
      hashed.set(dataset.id, await hashSeedFile(dataset, options))
    } catch (error) {
      if (options.needed.has(dataset.id) || !(error instanceof RunRefusal)) throw error
    }
  }
  return hashed
}

function refusal(
  dataset: FileDataset,
  code: string,
  why: string,
  options: { readonly cause?: unknown } = {},
): RunRefusal {
  return new RunRefusal('usage', code, `${where(dataset)}: seed file "${dataset.file}": ${why}`, options)
}

function where(dataset: FileDataset): string {
  const { filename, start } = dataset.fileRange
  return `${filename}:${start.line}:${start.column}`
}
