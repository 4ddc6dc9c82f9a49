import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { SetupError } from '../../local/setup-error.ts'
import { readSetting } from '../../service/settings/read-settings.ts'
import { SERVICE_SETTINGS } from '../../service/settings/settings-table.ts'
import { JSON_HELP } from '../options/study-options.ts'
import { printResult } from '../output/json-document.ts'
import { start } from './serve.ts'

export interface MigrateDatabaseFlags {
  readonly check?: boolean
  readonly json?: boolean
}

/** Exit code of `--check` when a migration is pending, like that of `plan --detailed-exitcode`. */
const PENDING = 20

/** Declares `whatif migrate-database`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  command
    .description(
      'Update the PostgreSQL database in DATABASE_URL to what this version of the service needs. Run it before processes of ' +
        'a new version start. A database of a newer version is refused.',
    )
    .option('--check', 'change nothing; exit 20 when a migration is pending')
    .option('--json', JSON_HELP)
    .action(async (flags) => {
      process.exitCode = await migrateDatabase(flags, env)
    })
}

/** Brings the PostgreSQL database of a service to the shape that this version needs. */
export async function migrateDatabase(flags: MigrateDatabaseFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const { migrateDatabase: migrate } = await import('../../service/store/migrate-database.ts')
  const migrations = await start(async () => {
    const sources = { flags: {}, env, readFile: (path: string) => readFileSync(path, 'utf8') }
    const url = readSetting(SERVICE_SETTINGS.databaseUrl, sources)
    if (url === null)
      throw new SetupError(
        5,
        'there is no database to migrate: DATABASE_URL is not set',
        'whatif serve migrates the database in a data folder itself.',
      )
    return await migrate(url, { isDryRun: flags.check === true })
  })
  const exitCode = flags.check === true && migrations.length > 0 ? PENDING : 0
  const did = flags.check === true ? 'to be applied' : 'applied'
  const data = { migrations, applied: flags.check !== true }
  return printResult(flags, { command: 'migrate-database', exitCode, data }, () =>
    migrations.length === 0 ? 'The database is up to date.\n' : migrations.map((name) => `${name}: ${did}\n`).join(''),
  )
}
