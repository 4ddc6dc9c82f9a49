import { type Command, Option } from 'commander'
import { addDeadlineOption } from './study-options.ts'

/** Commands around studies that generate nothing: beginning one, keeping its files in form, and looking at the machine. */
export function addProjectCommands(whatif: Command, env: NodeJS.ProcessEnv, finish: (code: number) => void): void {
  withService(addDeadlineOption(whatif.command('init')))
    .summary('a study to start from, for a seed file of yours')
    .description(
      'Write a study to start from. With a seed file it is uploaded and trained, and the conditions of the study use its real ' +
        'columns and levels after cleaning; nothing is generated or billed. Never replaces a file.',
    )
    .argument('[seed file]', 'CSV, Parquet, Excel or SPSS; without, names are made up')
    .addOption(new Option('--ci <system>', 'also the workflow for a CI system').choices(['github', 'gitlab']))
    .action(async (seed, flags) => finish(await (await import('./commands/init.ts')).init(seed, flags, env)))

  whatif
    .command('fmt')
    .summary('study files in canonical form')
    .description(
      'Write study files in canonical form: indentation, quotes, line ends, brackets that fit 100 columns. Comments, order, names ' +
        'and the spelling of numbers stay, and what a study says never changes.',
    )
    .argument('<files...>', 'study files')
    .option('--check', 'write nothing; exit 20 when a file is not in this form')
    .option('--json', 'one JSON document on stdout')
    .option('--no-color', 'no colours (NO_COLOR)')
    .action(async (files, flags) => finish(await (await import('./commands/fmt.ts')).fmt(files, flags, env)))

  whatif
    .command('migrate')
    .summary('study files in the newest version of the language')
    .description('Bring study files to the newest version of the study language. Version 1 is the only one so far.')
    .argument('<files...>', 'study files')
    .option('--json', 'one JSON document on stdout')
    .option('--no-color', 'no colours (NO_COLOR)')
    .action(async (files, flags) => finish(await (await import('./commands/migrate.ts')).migrate(files, flags, env)))

  withService(whatif.command('datasets'))
    .summary('trained datasets that state and service know')
    .description(
      'List trained datasets: ids, the studies of this project that used them, seed files, age and expiry, from the state of ' +
        'the project and from the service.',
    )
    .option('--offline', 'from the state alone; asks no service')
    .action(async (flags) => finish(await (await import('./commands/datasets.ts')).datasets(flags, env)))

  withService(whatif.command('doctor'))
    .summary('whether machine, folder and service are fit for a run')
    .description(
      'Look at what a run needs: Node.js, the folder, the disk, variables of the network, credentials, the service, its clock ' +
        'and contract, a token. Each line is ok, warn or fail with what to do; shows no secret. Changes nothing.',
    )
    .action(async (flags) => finish(await (await import('./commands/doctor.ts')).doctor(flags, env)))
}

function withService(command: Command): Command {
  return command
    .option('--service <url>', 'the service (WHATIF_BASE_URL); without any, it runs embedded')
    .option('--auth-url <url>', 'its identity provider (WHATIF_AUTH_URL)')
    .option('--json', 'one JSON document on stdout')
    .option('--no-color', 'no colours (NO_COLOR)')
}
