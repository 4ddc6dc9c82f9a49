import * as fs from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { systemClock } from '../../base/clock.ts'
import { agoText, inText } from '../../base/text/amount-text.ts'
import { textTable } from '../../base/text/fit-text.ts'
import { ServiceError } from '../../client/service-error.ts'
import { projectRootOf } from '../../local/project-root.ts'
import { realEnvironment } from '../../local/run-environment.ts'
import { type Connection, serviceLabel } from '../../local/service-connection.ts'
import {
  datasetsInStates,
  joinDatasets,
  type KnownDataset,
  listDatasets,
} from '../../runner/datasets/known-datasets.ts'
import { EXIT_CODES, exitReason, RunRefusalError } from '../../runner/interface/exit-code.ts'
import { locatedMessage } from '../../runner/interface/fault-text.ts'
import { resolveConnection } from '../access/connection.ts'
import { addOutputOptions, addServiceOptions, type StudyFlags } from '../options/study-options.ts'
import { errorText } from '../output/error-text.ts'
import { jsonDocument } from '../output/json-document.ts'
import { describeTerminal } from '../output/terminal.ts'
import { silentReporter } from '../progress/reporter.ts'
import { lockTimeoutOf } from '../steps/run-request.ts'

export interface DatasetsFlags extends Pick<StudyFlags, 'service' | 'authUrl' | 'json' | 'color'> {
  readonly offline?: boolean
}

const CALL_DEADLINE_MS = 30_000

/** Declares `whatif datasets`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  addOutputOptions(addServiceOptions(command))
    .description(
      'List trained datasets with their ids, the studies of this project that use them, seed files, age and expiry. The list ' +
        "comes from the project's state and from the service.",
    )
    .option('--offline', "read only the project's state, and ask no service")
    .action(async (flags) => {
      process.exitCode = await datasets(flags, env)
    })
}

/**
 * `whatif datasets`: the trained datasets that this project's studies used and the service has. With `--offline`, and where the
 * embedded service was never started, from state alone.
 */
export async function datasets(flags: DatasetsFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const terminal = describeTerminal(flags, env)
  const connection = await resolveConnection(flags, env)
  const projectRoot = projectRootOf(resolve('any'))
  try {
    const known = await datasetsInStates(fs, projectRoot, serviceLabel(connection))
    const isAsked = !flags.offline && (connection.kind === 'remote' || (await hasEmbedded(projectRoot)))
    const found = isAsked ? joinDatasets(known, await ask(connection, projectRoot)) : known
    if (flags.json) {
      const data = { service: connection.kind, asked: isAsked, datasets: found.map(datasetData) }
      terminal.stdout.write(jsonDocument({ command: 'datasets', data }))
    } else if (found.length === 0) {
      terminal.stderr.write(`no trained datasets are known${isAsked ? '' : ' here, and the service was not asked'}\n`)
    } else terminal.stdout.write(table(found, systemClock.now(), terminal.width))
    return EXIT_CODES.ok
  } catch (error) {
    if (!(error instanceof RunRefusalError) && !(error instanceof ServiceError)) throw error
    const exitCode = EXIT_CODES[exitReason(error)]
    const { message } = error
    if (flags.json) terminal.stdout.write(jsonDocument({ command: 'datasets', exitCode, data: { message } }))
    else {
      const hint =
        exitCode === EXIT_CODES.deadline_or_network ? "With --offline, only the project's state is read.\n" : ''
      terminal.stderr.write(`${errorText(locatedMessage(error), terminal.stderr)}${hint}`)
    }
    return exitCode
  }
}

async function hasEmbedded(projectRoot: string): Promise<boolean> {
  return await fs.stat(join(projectRoot, '.whatif', 'embedded')).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

async function ask(connection: Connection, projectRoot: string) {
  const { signal } = new AbortController()
  const lockTimeoutMs = lockTimeoutOf({}, true)
  const client = await realEnvironment({
    connection,
    projectRoot,
    lockTimeoutMs,
    signal,
    ...silentReporter,
  }).client()
  try {
    return await listDatasets(client, { deadlineMs: systemClock.now() + CALL_DEADLINE_MS })
  } finally {
    await client.close()
  }
}

/** Ids are copied by people, so they are never cut. */
const LONGEST_ID = 40

function table(found: readonly KnownDataset[], now: number, width: number): string {
  const columns = [
    { title: 'dataset', longest: LONGEST_ID, of: (d: KnownDataset) => d.datasetId },
    { title: 'used by', mayShrink: true, of: (d: KnownDataset) => [...new Set(d.uses.map((u) => u.study))].join(', ') },
    { title: 'file', mayShrink: true, of: (d: KnownDataset) => d.file ?? d.displayName ?? '' },
    { title: 'trained', align: 'right' as const, of: (d: KnownDataset) => ago(d.trainedAt, now) },
    { title: 'expires', of: (d: KnownDataset) => expiry(d, now) },
  ]
  const rows = found.map((dataset) => columns.map(({ of }) => of(dataset)))
  return textTable(columns, rows, width)
}

const isTime = (at: string | null): at is string => at !== null && Number.isFinite(Date.parse(at))

const ago = (at: string | null, now: number): string => (isTime(at) ? agoText(at, now) : 'unknown')

function expiry({ expiresAt, atService }: KnownDataset, now: number): string {
  if (atService === 'gone') return 'gone'
  if (!isTime(expiresAt)) return 'unknown'
  return Date.parse(expiresAt) < now ? `expired ${agoText(expiresAt, now)}` : inText(expiresAt, now)
}

function datasetData({ datasetId, uses, file, displayName, trainedAt, expiresAt, atService }: KnownDataset): object {
  return {
    dataset_id: datasetId,
    uses,
    file,
    display_name: displayName,
    trained_at: trainedAt,
    expires_at: expiresAt,
    at_service: atService,
  }
}
