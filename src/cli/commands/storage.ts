import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { countText } from '../../base/text/amount-text.ts'
import { SetupError } from '../../local/setup-error.ts'
import type { GivenSettings } from '../../service/settings/read-settings.ts'
import { SERVICE_SETTINGS } from '../../service/settings/settings-table.ts'
import type { Database } from '../../service/store/database.ts'
import { duration } from '../options/option-values.ts'
import { JSON_HELP } from '../options/study-options.ts'
import { printResult } from '../output/json-document.ts'
import { settingsOf, start } from './serve.ts'

export interface StorageFlags {
  readonly data: string
  readonly json?: boolean
}

/** The longest hold, in milliseconds: a forgotten one must not fill the storage. */
const LONGEST_HOLD_MS = 24 * 60 * 60_000

/** Declares `whatif storage`: records and files of a service, for backups and restores. It takes the settings of `whatif serve`. */
export function declare(storage: Command, env: NodeJS.ProcessEnv): void {
  const { flag, fallback } = SERVICE_SETTINGS.dataDir
  const add = (usage: string, description: string) =>
    storage
      .command(usage)
      .description(description)
      .option(flag as string, 'the data folder', fallback as string)
      .option('--json', JSON_HELP)

  storage.description(
    'For backups of a service. Needs the same environment as whatif serve: DATABASE_URL, WHATIF_S3_* and the rest.',
  )
  add(
    'hold',
    'Keep all processes from removing files for a while, so that a backup finds every file that its records name.',
  )
    .option('--for <time>', 'how long, at most 24h', duration, duration('2h'))
    .action(async (flags) => {
      process.exitCode = await storageHold(flags, env)
    })
  add('release', 'End a hold.').action(async (flags) => {
    process.exitCode = await storageRelease(flags, env)
  })
  add('check', 'Compare records with files, for example after a restore. Exits with 20 when they differ.')
    .option('--repair', 'remove records without a file now, and files without a record in an hour')
    .action(async (flags) => {
      process.exitCode = await storageCheck(flags, env)
    })
  add('resume-sweeps', 'Let held sweeps continue. Like whatif operator resume-sweeps, but without an operator token.')
    .option('--check', 'change nothing; exit 20 when sweeps are held')
    .action(async (flags) => {
      process.exitCode = await storageResumeSweeps(flags, env)
    })
}

export async function storageHold(
  flags: StorageFlags & { readonly for: number },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  if (flags.for <= 0 || flags.for > LONGEST_HOLD_MS) throw new SetupError(2, 'a hold lasts from 1s to 24h')
  return await onDatabase(flags, env, { isShared: true }, async ({ db, recorded }) => {
    const { holdBlobs } = await import('../../service/records/orphaned-blobs.ts')
    const until = await recorded('storage hold', { seconds: flags.for / 1000 }, () => holdBlobs(db, flags.for / 1000))
    return show(flags, 'storage hold', 0, { held_until: until }, `No file will be removed until ${until}.`)
  })
}

export async function storageRelease(flags: StorageFlags, env: NodeJS.ProcessEnv): Promise<number> {
  return await onDatabase(flags, env, { isShared: true }, async ({ db, recorded }) => {
    const { releaseBlobs } = await import('../../service/records/orphaned-blobs.ts')
    const wasHeld = await recorded('storage release', null, () => releaseBlobs(db))
    const text = wasHeld ? 'Files are removed again.' : 'There was no hold.'
    return show(flags, 'storage release', 0, { was_held: wasHeld }, text)
  })
}

export async function storageCheck(
  flags: StorageFlags & { readonly repair?: boolean },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  return await onDatabase(flags, env, { isShared: false }, async ({ db, settings, recorded }) => {
    const { openBlobStore } = await import('../../service/blobs/open-blob-store.ts')
    const { compareStorage, repairStorage } = await import('../../service/storage-check.ts')
    const place = { dataDir: settings.dataDir, objectStorage: settings.objectStorage ?? null }
    const blobs = await start(() => openBlobStore(place, { isShared: true }))
    try {
      const difference = await compareStorage(db, blobs)
      const { strays, missing } = difference
      const isSame = strays.length === 0 && missing.length === 0
      if (flags.repair && strays.length > 0 && strays.length === difference.blobs) {
        throw new SetupError(
          5,
          `none of the files belongs to a record of this database (files: ${countText(strays.length)})`,
          'Check DATABASE_URL and the storage. Nothing was changed.',
        )
      }
      if (flags.repair) {
        const counts = { files: strays.length, records: missing.length }
        await recorded('storage check --repair', counts, (nowMs) => repairStorage(db, difference, nowMs))
      }
      const bytes = strays.reduce((sum, stray) => sum + stray.bytes, 0)
      const data = {
        files: difference.blobs,
        without_record: strays,
        without_file: missing.map(({ kind, id, blobKey }) => ({ kind, id, file: blobKey })),
        repaired: flags.repair === true,
      }
      const lines = [
        `files: ${countText(difference.blobs)}`,
        `without a record: ${countText(strays.length)}, of ${countText(bytes)} bytes${flags.repair && strays.length > 0 ? ', removed in an hour' : ''}`,
        `records without their file: ${countText(missing.length)}${flags.repair && missing.length > 0 ? ', removed' : ''}`,
        ...missing.map(({ kind, id, blobKey }) => `  ${kind} ${id}: ${blobKey}`),
      ]
      return show(flags, 'storage check', isSame || flags.repair ? 0 : 20, data, lines.join('\n'))
    } finally {
      await blobs.close()
    }
  })
}

/** For a service without an operator token: nobody else can confirm that the database's clock is right. */
export async function storageResumeSweeps(
  flags: StorageFlags & { readonly check?: boolean },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const place = { isShared: true, hint: 'The sweeps of a database in the data folder are never held.' }
  return await onDatabase(flags, env, place, async ({ db, recorded }) => {
    const { readSweepWatch, resumeSweeps } = await import('../../service/retention/sweep-brake.ts')
    const held = flags.check
      ? (await readSweepWatch(db)).held
      : await recorded('storage resume-sweeps', null, (nowMs) => resumeSweeps(db, nowMs))
    const resumed = held !== null && flags.check !== true
    const text =
      held === null
        ? 'Sweeps were not held.'
        : [
            `Sweeps ${flags.check ? 'are' : 'were'} held since ${held.since}${flags.check ? '.' : ', and go on.'}`,
            `${countText(held.due)} datasets and generations expired while no process watched; ${countText(held.living)} have not expired.`,
          ].join('\n')
    const exitCode = held !== null && flags.check ? 20 : 0
    return show(flags, 'storage resume-sweeps', exitCode, { held, resumed }, text)
  })
}

interface DatabasePlace {
  /** True: the command applies only to a database that a service can use at the same time. */
  readonly isShared: boolean
  /** Said where it is in the data folder and must not be. */
  readonly hint?: string
}

interface OpenService {
  readonly db: Database
  readonly settings: GivenSettings
  /** Does something and writes it into the log of what operators did; it is given the time by the database's clock. */
  recorded<T>(command: string, parameters: unknown, work: (nowMs: number) => Promise<T>): Promise<T>
}

/** Opens the database of a service, whose tables it must have. */
async function onDatabase(
  flags: StorageFlags,
  env: NodeJS.ProcessEnv,
  { isShared, hint = 'If the database is in the data folder, stop the service and copy the folder.' }: DatabasePlace,
  use: (service: OpenService) => Promise<number>,
): Promise<number> {
  const { openDatabase } = await import('../../service/store/open-database.ts')
  const { MIGRATIONS } = await import('../../service/store/migrations.ts')
  const settings = await start(async () => settingsOf({ data: flags.data }, env))
  const { databaseUrl = null, dataDir } = settings
  if (databaseUrl === null && isShared) throw new SetupError(5, 'DATABASE_URL is not set', hint)
  if (databaseUrl === null && !existsSync(dataDir)) {
    throw new SetupError(2, 'there is no data folder', 'Name it with --data, or set DATABASE_URL.')
  }
  const db = await start(() => openDatabase({ ...settings, databaseUrl, dataDir, lockTimeoutMs: 0 }, () => undefined))
  try {
    const [last] = MIGRATIONS.slice(-1)
    const rows = await db.query('select 1 from schema_migrations where name = $1', [last?.name]).catch(() => [])
    if (rows.length === 0) {
      throw new SetupError(
        5,
        'the database does not have the tables of this version',
        'Start whatif serve with it once.',
      )
    }
    const { openClock } = await import('../../service/clock/open-clock.ts')
    const { recordCommand } = await import('../../service/access/operator-actions.ts')
    const clock = await openClock(db, { isAlone: databaseUrl === null })
    return await use({
      db,
      settings,
      recorded: (operation, parameters, work) => {
        const nowMs = clock.now()
        return recordCommand(db, { operation, parameters, nowMs }, () => work(nowMs))
      },
    })
  } finally {
    await db.close()
  }
}

function show(flags: StorageFlags, command: string, exitCode: number, data: unknown, text: string): number {
  return printResult(flags, { command, exitCode, data }, () => `${text}\n`)
}
