import * as fs from 'node:fs/promises'
import { resolve } from 'node:path'
import { escapeText } from '../../base/text/escape-text.ts'
import { SetupError } from '../../local/setup-error.ts'
import { readStudyFile, type StudyFile } from '../../local/study-file.ts'
import { type InspectedSource, sourceOfStudy } from '../../runner/datasets/inspect-dataset.ts'
import { RunRefusalError } from '../../runner/interface/exit-code.ts'
import type { RunEnvironment } from '../../runner/interface/run-options.ts'

/** The object that a command line names: an existing file, a dataset of a study, or an id of the service. */
export type Target =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'study'; readonly file: StudyFile; readonly dataset: string | null }
  | { readonly kind: 'id'; readonly datasetId: string }

export async function findTarget(named: string): Promise<Target> {
  const path = resolve(named)
  if (await isThere(path)) {
    return isStudy(named) ? { kind: 'study', file: await readStudyFile(named), dataset: null } : { kind: 'file', path }
  }
  const hash = named.lastIndexOf('#')
  if (hash > 0) {
    return { kind: 'study', file: await readStudyFile(named.slice(0, hash)), dataset: named.slice(hash + 1) }
  }
  // A name with a dot or a slash is a misspelt file name.
  if (/^[\w-]{1,200}$/.test(named)) return { kind: 'id', datasetId: named }
  if (/^s3:/i.test(named)) throw objectWithoutStudy(named)
  throw new SetupError(
    2,
    `${escapeText(named)}: there is no such file`,
    'Expected a seed file, the id of a trained dataset, or STUDY_FILE#DATASET.',
  )
}

/** Which object is meant, a study says by its digest. */
export function objectWithoutStudy(named: string): SetupError {
  return new SetupError(
    2,
    `${escapeText(named)}: an object in a bucket is read for a study alone`,
    'Write a study with `file: s3://BUCKET/KEY` and `sha256:`, and name STUDY_FILE#DATASET.',
  )
}

async function isThere(path: string): Promise<boolean> {
  try {
    await fs.stat(path)
    return true
  } catch {
    return false
  }
}

function isStudy(name: string): boolean {
  return /\.ya?ml$/i.test(name)
}

/** A file in the project that the command is about. */
export function placeOf(target: Target): string {
  if (target.kind === 'file') return target.path
  return target.kind === 'study' ? target.file.path : resolve('.', 'any')
}

export async function sourceOf(
  target: Exclude<Target, { kind: 'file' }>,
  service: string,
  env: RunEnvironment,
): Promise<InspectedSource> {
  if (target.kind === 'id') return { kind: 'existing', name: target.datasetId, datasetId: target.datasetId }
  const { path: studyFile, projectRoot, study, name } = target.file
  if (study === null) throw new RangeError('a study with faults has no datasets')
  const names = [...study.datasets.keys()]
  const dataset = target.dataset ?? (names.length === 1 ? (names[0] as string) : null)
  if (dataset === null) {
    throw new RunRefusalError(
      'usage',
      'no_dataset_named',
      `${name} has several datasets, name one: ${names.map((one) => `${name}#${one}`).join(', ')}`,
    )
  }
  return await sourceOfStudy(study, dataset, { studyFile, projectRoot, service }, env)
}
