import type { Command } from 'commander'
import { SERVICE_SETTINGS } from '../service/settings/settings-table.ts'
import { duration } from './options/option-values.ts'

/** `whatif storage`: records and files of a service, for backups and what follows them. It takes the settings of `whatif serve`. */
export function addStorageCommands(
  storage: Command,
  env: NodeJS.ProcessEnv,
  finish: (exitCode: number) => void,
): Command {
  const commands = () => import('./commands/storage.ts')
  const add = (usage: string, description: string) =>
    storage
      .command(usage)
      .description(description)
      .option(SERVICE_SETTINGS.dataDir.flag as string, 'the data folder', SERVICE_SETTINGS.dataDir.fallback as string)
      .option('--json', 'one JSON document on stdout')

  storage
    .summary('back up and restore what a service keeps')
    .description(
      'For backups of a service, with the environment that whatif serve has: DATABASE_URL, WHATIF_S3_* and the rest.',
    )
  add('hold', 'Let no process remove a file for a while, so that a backup finds all that its records name.')
    .option('--for <time>', 'how long, at most 24h', duration, duration('2h'))
    .action(async (flags) => finish(await (await commands()).storageHold(flags, env)))
  add('release', 'End a hold.').action(async (flags) => finish(await (await commands()).storageRelease(flags, env)))
  add('check', 'Compare records and files, as after a restoration. Exits with 20 when they differ.')
    .option('--repair', 'remove records without their file, and in an hour files without a record')
    .action(async (flags) => finish(await (await commands()).storageCheck(flags, env)))
  add('resume-sweeps', 'Let held sweeps go on, as whatif operator resume-sweeps does, without an operator token.')
    .option('--check', 'change nothing; exits with 20 when sweeps are held')
    .action(async (flags) => finish(await (await commands()).storageResumeSweeps(flags, env)))
  return storage
}
