import * as fs from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { compareWithStudy } from '../../answers/manifest/compare-manifests.ts'
import { differs, holds, notChecked } from '../../answers/verification/checks.ts'
import { brief, findNamedFile } from '../../answers/verification/named-file.ts'
import { sha256Hex } from '../../base/sha256.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { RunRecord } from '../../records/run-record.ts'
import type { Check } from '../../records/verification.ts'
import { type LineEnds, otherLineEnds } from '../../runner/files/line-ends.ts'
import { hashSeedFile } from '../../runner/files/seed-files.ts'
import { RunRefusalError } from '../../runner/interface/exit-code.ts'
import type { SeedObjects } from '../../runner/interface/seed-objects.ts'
import { datasetFingerprint, studyDigest } from '../../study/hashing/fingerprint.ts'
import { lockFileName } from '../../study/lock/lock.ts'
import type { DatasetSource, FileDataset, Study } from '../../study/study.ts'
import { trialStudy } from '../../study/trial-study.ts'
import type { StudyFile } from '../study-file.ts'
import type { RecordedStudy } from './recorded-study.ts'

/** A run as manifest and record have it; the record is null where there is none. */
interface RecordedRun {
  readonly manifest: Manifest
  readonly record: RunRecord | null
}

export interface SourceOptions {
  readonly signal: AbortSignal
  /** The objects that a project's studies may read as seed files; absent: none. */
  readonly objectsOf: ((projectRoot: string) => SeedObjects) | undefined
}

/** Study, lock file and seed files, where they are there. */
export async function checkSources(found: RecordedStudy, run: RecordedRun, options: SourceOptions): Promise<Check[]> {
  const { signal } = options
  const { file } = found
  if (file === null) return [notChecked('study', '', found.why), notChecked('seed', '', 'a study says where they are')]
  return [
    await checkStudy(file, run, signal),
    ...(await checkLock(file, run, signal)),
    ...(await checkSeeds(file, run, options)),
  ]
}

async function checkStudy(file: StudyFile, { manifest, record }: RecordedRun, signal: AbortSignal): Promise<Check> {
  const recorded = record?.used.study ?? null
  const isSameText = recorded !== null && sha256Hex(file.text) === recorded.sha256
  const { study } = file
  if (study === null)
    return isSameText
      ? notChecked('study', file.name, 'the text of the run, which this version does not read')
      : differs('study', file.name, 'it has faults, and the study of the run had none: whatif validate names them')
  if (asksTheSame(manifest, study)) {
    if (isSameText) return holds('study', file.name, 'the text of the run')
    if (recorded === null) return holds('study', file.name, 'it asks for what the run asked for')
    const ends = await otherLineEnds(fs, file.path, recorded.sha256, signal)
    const how = ends === null ? 'other words, comments or order' : `only ${ends} at the ends of lines`
    return holds('study', file.name, `another text (${how}) that asks for the same`)
  }
  const { differences } = compareWithStudy(manifest, study)
  const places = differences.slice(0, 3).map(({ path }) => path.join('.'))
  const more = differences.length > places.length ? ', …' : ''
  const what = places.length === 0 ? 'comparisons, gates, budget or policies' : `${places.join(', ')}${more}`
  return differs('study', file.name, `it asks for something else than the run did: ${what}`)
}

/** By the digest of all that can change the results. */
function asksTheSame(manifest: Manifest, written: Study): boolean {
  const { digest, name } = manifest.study
  const { trial } = manifest.run
  const study = trial === undefined ? written : trialStudy(written, trial)
  if (digest === null) return compareWithStudy(manifest, study).differences.length === 0
  const fingerprints = new Map(
    [...study.datasets].flatMap(([id, source]) => {
      const print = fingerprintOf(manifest, id, source)
      return print === null ? [] : [[id, print] as const]
    }),
  )
  if (study.name !== name || study.scenarios.some((scenario) => !fingerprints.has(scenario.dataset))) return false
  return studyDigest(study, fingerprints) === digest
}

function fingerprintOf(manifest: Manifest, id: string, source: DatasetSource): string | null {
  const ran = Object.hasOwn(manifest.datasets, id) ? manifest.datasets[id] : undefined
  if (ran === undefined) return null
  const fileSha256 = ran.sent?.sha256 ?? ran.sha256
  // A dataset that was named on the command line took the place of the file.
  if (source.kind !== 'file' || fileSha256 === null || ran.source === null) return ran.fingerprint
  return datasetFingerprint({ fileSha256, autoClean: source.autoClean, declarations: source.declarations })
}

async function checkLock(file: StudyFile, { record }: RecordedRun, signal: AbortSignal): Promise<Check[]> {
  if (record === null) return []
  const name = lockFileName(basename(file.path))
  const recorded = record.used.lock
  if (recorded === null) {
    const isThere = await fs.lstat(join(dirname(file.path), name)).then(
      () => true,
      () => false,
    )
    return isThere ? [notChecked('lock', name, 'the run had none; it was written since')] : []
  }
  const found = await findNamedFile(dirname(file.path), name, recorded)
  if (found.kind === 'same') return [holds('lock', name, 'the bytes of the run')]
  if (found.kind === 'missing') return [notChecked('lock', name, 'it is not there')]
  const ends =
    found.kind === 'other'
      ? await otherLineEnds(fs, join(dirname(file.path), name), recorded.sha256, signal).catch(() => null)
      : null
  return [differs('lock', name, ends === null ? found.detail : lineEndsOnly(ends))]
}

async function checkSeeds(file: StudyFile, run: RecordedRun, { signal, objectsOf }: SourceOptions): Promise<Check[]> {
  const objects = objectsOf?.(file.projectRoot)
  const checks: Check[] = []
  for (const [name, dataset] of Object.entries(run.manifest.datasets)) {
    const source = file.study?.datasets.get(name)
    if (dataset.sha256 === null) continue
    checks.push(
      source?.kind === 'file'
        ? await checkSeed(file, source, dataset, { objects, signal })
        : notChecked('seed', name, 'the study names no file for it'),
    )
  }
  return checks
}

async function checkSeed(
  file: StudyFile,
  source: FileDataset,
  { sha256, sent }: Manifest['datasets'][string],
  { objects, signal }: { readonly objects: SeedObjects | undefined; readonly signal: AbortSignal },
): Promise<Check> {
  const options = {
    studyFolder: dirname(file.path),
    projectRoot: file.projectRoot,
    allowOutside: false,
    allowHidden: false,
    env: { fs, onEvent: () => {}, objects },
    signal,
  }
  try {
    const found = await hashSeedFile(source, options)
    if (found.fileSha256 !== sha256) {
      const ends = await otherLineEnds(fs, found.path, sha256 ?? '', signal)
      const bytes = `other bytes: sha256 ${brief(found.fileSha256)}, and ${brief(sha256 ?? '')} is recorded`
      return differs('seed', source.file, ends === null ? bytes : lineEndsOnly(ends))
    }
    if (found.sha256 !== (sent?.sha256 ?? sha256))
      return differs('seed', source.file, 'the declarations of the study make something else of it than was sent')
    return holds(
      'seed',
      source.file,
      sent === undefined ? 'the bytes of the run' : 'the bytes of the run, also as sent',
    )
  } catch (error) {
    if (!(error instanceof RunRefusalError)) throw error
    const [finding] = error.diagnostics
    const why = finding === undefined || finding.detail === '' ? error.message : finding.detail
    if (error.code === 'seed_file_changed') return differs('seed', source.file, why.replaceAll('\n', ' '))
    return notChecked('seed', source.file, why.replaceAll('\n', ' '))
  }
}

const lineEndsOnly = (here: LineEnds): string => `only the ends of lines differ (${here} here), as git changes them`
