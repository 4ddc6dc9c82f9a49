import { existsSync, statSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
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
import { SetupError } from '../../local/setup-error.ts'
import type { RunRecord } from '../../records/run-record.ts'
import type { Check, VerificationRecord } from '../../records/verification.ts'
import { RECORD_NAME } from '../../runner/files/project-paths.ts'
import { EXIT_CODES } from '../../runner/interface/exit-code.ts'
import { readManifestFile } from '../files/manifest-file.ts'
import { shownPath } from '../files/new-files.ts'
import { JSON_HELP } from '../options/study-options.ts'
import { printResult } from '../output/json-document.ts'
import { describeTerminal } from '../output/terminal.ts'
import { verificationText } from '../output/verification-text.ts'
import { checkSources } from '../steps/check-sources.ts'
import { interruptible } from '../steps/interruption.ts'
import { checkSignature, readSigningKey, readTrusted, signRecord } from '../steps/record-signature.ts'
import { findRecordedStudy } from '../steps/recorded-study.ts'

export interface VerifyFlags {
  readonly study?: string
  readonly again?: boolean
  readonly trusted?: string
  readonly sign?: string
  readonly json?: boolean
  readonly color?: boolean
}

/** Declares `whatif verify`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  command
    .description(
      'Check the files of a run against its record and its manifest: results, figures counted again in the rows, gates, study, ' +
        'lock file and seed files, where they are there. Needs no service and no state. The exit code is 0 if nothing differs, else 4.',
    )
    .argument('<manifest>', 'manifest.json of a run, or its folder')
    .option('--study <file>', 'the study file, where the record does not lead to it')
    .option('--again', 'repeat the run with the embedded service in a temporary folder, and compare rows and answers')
    .option('--trusted <keys>', 'public SSH keys: the record must be signed by one of them')
    .option('--sign <key>', 'sign the record with a private SSH key (Ed25519), if nothing differs')
    .option('--json', JSON_HELP)
    .action(async (manifest, flags) => {
      process.exitCode = await verify(manifest, flags, env)
    })
}

/** `whatif verify`: what holds of the files of a run, and what does not. Writes nothing but the signature of `--sign`. */
export async function verify(path: string, flags: VerifyFlags, env: NodeJS.ProcessEnv): Promise<number> {
  if (flags.sign !== undefined && flags.trusted !== undefined)
    throw new SetupError(2, '--sign is for who made the run and --trusted for who checks it; give one of them')
  const terminal = describeTerminal(flags, env)
  const trusted = flags.trusted === undefined ? null : await readTrusted(flags.trusted)
  const key = flags.sign === undefined ? null : await readSigningKey(flags.sign)
  const run = await readRun(path)
  const { record, text, read } = run
  if (key !== null && text === null)
    throw new SetupError(2, `--sign: there is no ${RECORD_NAME} to sign`, 'A run of this version writes one.')
  const { signal, release } = interruptible()
  try {
    const checks: Check[] = [
      ...(key === null ? await checkSignature(read.folder, text, trusted) : []),
      ...run.checks,
      ...checkGates(read.manifest),
      ...checkModels(read.manifest),
      ...(await withTempFolder((folder) => checkRows(read, folder))),
      ...(record === null ? [] : await checkReport(read.folder, record)),
    ]
    const study = await findRecordedStudy(flags.study, read.folder, record)
    checks.push(...(await checkSources(study, { manifest: read.manifest, record }, env, signal)))
    if (flags.again) {
      terminal.stderr.write('repeating the run with the embedded service in a temporary folder\n')
      const { repeatRun } = await import('../steps/repeat-run.ts')
      checks.push(...(await repeatRun(study, { manifest: read.manifest, record }, env, signal)))
    }
    const isSound = checks.every(({ verdict }) => verdict !== 'differs')
    if (key !== null && text !== null && isSound)
      terminal.stderr.write(`${shownPath(await signRecord(read.folder, text, key))}: written\n`)
    const exitCode = isSound ? EXIT_CODES.ok : EXIT_CODES.does_not_fit_data
    printResult(flags, { command: 'verify', exitCode, data: dataOf(read, isSound, checks) }, () =>
      verificationText(checks, terminal.width),
    )
    if (key !== null && !isSound) terminal.stderr.write('nothing was signed, because not everything holds\n')
    return exitCode
  } finally {
    release()
  }
}

function dataOf({ manifest, digest }: VerifiedManifest, isSound: boolean, checks: Check[]): VerificationRecord {
  return { study: manifest.study.name, run: manifest.run.id, manifest_digest: digest, holds: isSound, checks }
}

/** Manifest and record of a run. */
interface ReadRun {
  readonly read: VerifiedManifest
  readonly record: RunRecord | null
  /** Of the record, as it lies there; null: there is none. */
  readonly text: string | null
  readonly checks: readonly Check[]
}

async function readRun(path: string): Promise<ReadRun> {
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
