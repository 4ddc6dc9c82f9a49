/** What holds of the files of a run: the command `whatif verify` and the library's `verifyRun`. */

import { existsSync, statSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import {
  checkAgainstRecord,
  checkGates,
  checkModels,
  checkReport,
  checkRows,
  type VerifiedManifest,
} from '../../answers/verification/check-files.ts'
import { differs, holds, notChecked } from '../../answers/verification/checks.ts'
import { MAX_RECORD_BYTES, NOT_A_RECORD, parseRunRecord } from '../../answers/verification/parse-run-record.ts'
import { readBoundedText, UNREADABLE_TEXT } from '../../base/bounded-file.ts'
import { hashFile } from '../../base/sha256.ts'
import { WhatifError } from '../../base/whatif-error.ts'
import type { RunRecord } from '../../records/run-record.ts'
import type { Check, VerificationRecord } from '../../records/verification.ts'
import { RECORD_NAME } from '../../runner/files/project-paths.ts'
import type { RunEnvironment } from '../../runner/interface/run-options.ts'
import type { SeedObjects } from '../../runner/interface/seed-objects.ts'
import { readManifestFile } from '../manifest-file.ts'
import { checkSources } from './check-sources.ts'
import { checkSignature, readTrusted } from './record-signature.ts'
import { findRecordedStudy } from './recorded-study.ts'

/** What `verifyRun` is told. */
export interface VerifyOptions {
  /** The study file, where the record does not lead to it. */
  readonly study?: string | undefined
  /** Repeats the run with the embedded service in a temporary folder, and compares rows and answers. */
  readonly again?: boolean | undefined
  /** Called with what happens in the repeated run. */
  readonly onEvent?: RunEnvironment['onEvent'] | undefined
  /** A file of public SSH keys: the record must be signed by one of them. */
  readonly trusted?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Checks the files of a run against its record and its manifest: results, figures counted again in the rows, gates, study, lock file and
 * seed files, where they are there. Needs no service and no state, and writes nothing.
 *
 * @param manifest `manifest.json` of a run, or its folder.
 * @throws SetupError for what is no manifest, no study or no list of keys.
 */
export async function verifyRun(manifest: string, options: VerifyOptions = {}): Promise<VerificationRecord> {
  const trusted = options.trusted === undefined ? null : await readTrusted(options.trusted)
  const run = await readRun(manifest)
  const signature = await checkSignature(run.read.folder, run.text, trusted)
  return await verified(run, signature, options)
}

/**
 * @param signature What is known of it already.
 * @param options `objectsOf`: the objects that a project's studies may read as seed files.
 */
export async function verified(
  run: ReadRun,
  signature: readonly Check[],
  options: VerifyOptions & { readonly objectsOf?: (projectRoot: string) => SeedObjects },
): Promise<VerificationRecord> {
  const { study: named, again = false, onEvent = () => {}, signal = new AbortController().signal, objectsOf } = options
  const { read, record } = run
  const { manifest, digest } = read
  const checks: Check[] = [
    ...signature,
    ...run.checks,
    ...checkGates(manifest),
    ...checkModels(manifest),
    ...(await withTempFolder((folder) => checkRows(read, folder))),
    ...(record === null ? [] : await checkReport(read.folder, record)),
  ]
  const study = await findRecordedStudy(named, read.folder, record)
  checks.push(...(await checkSources(study, { manifest, record }, { signal, objectsOf })))
  if (again) {
    const { repeatRun } = await import('./repeat-run.ts')
    checks.push(...(await repeatRun(study, { manifest, record }, { signal, onEvent, objectsOf })))
  }
  const isSound = checks.every(({ verdict }) => verdict !== 'differs')
  return { study: manifest.study.name, run: manifest.run.id, manifest_digest: digest, holds: isSound, checks }
}

/** Manifest and record of a run. */
export interface ReadRun {
  readonly read: VerifiedManifest
  readonly record: RunRecord | null
  /** Of the record, as it lies there; null: there is none. */
  readonly text: string | null
  readonly checks: readonly Check[]
}

export async function readRun(path: string): Promise<ReadRun> {
  const file = isFolder(path) ? join(path, 'manifest.json') : path
  const manifest = await readManifestFile(file)
  const own = dirname(resolve(file))
  // The records of runs stand in a folder beside the results.
  const folder = basename(own) === 'runs' ? dirname(own) : own
  const { sha256, sizeBytes } = await hashFile(resolve(file))
  const read = { ...manifest, folder, file: { bytes: sizeBytes, sha256 } }
  const without = (check: Check, text: string | null = null) => ({ read, record: null, text, checks: [check] })
  const place = join(folder, RECORD_NAME)
  if (!existsSync(place))
    return without(
      notChecked(
        'record',
        '',
        `there is no ${RECORD_NAME} beside the manifest, so its own bytes are taken as they are`,
      ),
    )
  try {
    const text = await readBoundedText(fs, place, MAX_RECORD_BYTES)
    const record = await parseRunRecord(text)
    const checks = checkAgainstRecord(read, record)
    const isOdd = checks.some(({ of }) => of === 'record')
    const made = `of whatif ${record.environment.tool}, engine ${record.environment.engine ?? 'of a service'}, Node ${record.environment.node}`
    return { read, record, text, checks: isOdd ? checks : [...checks, holds('record', RECORD_NAME, made)] }
  } catch (error) {
    if (!(error instanceof WhatifError) || ![NOT_A_RECORD, UNREADABLE_TEXT].includes(error.code)) throw error
    return without(differs('record', RECORD_NAME, `it is no record of a run: ${error.message}`), '')
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** For what does not fit into memory while rows are counted. */
async function withTempFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await fs.mkdtemp(join(tmpdir(), 'whatif-verify-'))
  try {
    return await use(folder)
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}
