import { type Command, Option } from 'commander'
import { addDeadlineOption } from './options/study-options.ts'

/** Commands around studies that generate nothing: beginning one, keeping its files in form, and looking at the machine. */
export function addProjectCommands(whatif: Command, env: NodeJS.ProcessEnv, finish: (code: number) => void): void {
  withService(addDeadlineOption(whatif.command('init')))
    .summary('write a first study, for a seed file of yours')
    .description(
      'Write a study to start from. A seed file is uploaded and trained, and the conditions of the study use the columns and ' +
        'levels that it has after cleaning; nothing is generated or billed. No file is ever replaced.',
    )
    .argument('[seed file]', 'CSV, Parquet, Excel or SPSS; without one, names are made up')
    .addOption(new Option('--ci <system>', 'also write the workflow for a CI system').choices(['github', 'gitlab']))
    .action(async (seed, flags) => finish(await (await import('./commands/init.ts')).init(seed, flags, env)))

  whatif
    .command('fmt')
    .summary('rewrite study files in canonical form')
    .description(
      'Rewrite study files in canonical form: indentation, quotes, line ends, and brackets that fit 100 columns. Comments, order, ' +
        'names and the spelling of numbers stay, and the meaning of a study never changes.',
    )
    .argument('<files...>', 'study files')
    .option('--check', 'write nothing; exit 20 when a file is not in this form')
    .option('--json', 'one JSON document on stdout')
    .option('--no-color', 'no colours (NO_COLOR)')
    .action(async (files, flags) => finish(await (await import('./commands/fmt.ts')).fmt(files, flags, env)))

  whatif
    .command('migrate')
    .summary('bring study files to the newest version of the language')
    .description('Bring study files to the newest version of the study language. Version 1 is the only one so far.')
    .argument('<files...>', 'study files')
    .option('--json', 'one JSON document on stdout')
    .option('--no-color', 'no colours (NO_COLOR)')
    .action(async (files, flags) => finish(await (await import('./commands/migrate.ts')).migrate(files, flags, env)))

  withService(whatif.command('datasets'))
    .summary('list the trained datasets of the project and the service')
    .description(
      'List trained datasets with their ids, the studies of this project that used them, seed files, age and expiry. The list ' +
        'comes from the state of the project and from the service.',
    )
    .option('--offline', 'use the state of the project alone, and ask no service')
    .action(async (flags) => finish(await (await import('./commands/datasets.ts')).datasets(flags, env)))

  withService(whatif.command('doctor'))
    .summary('check whether machine, folder and service are ready for a run')
    .description(
      'Check what a run needs: Node.js, the folder, the disk, network settings, credentials, and the service with its clock, ' +
        'contract and token. Each line says ok, warn or fail, and what to do. It shows no secret and changes nothing.',
    )
    .action(async (flags) => finish(await (await import('./commands/doctor.ts')).doctor(flags, env)))
}

function withService(command: Command): Command {
  return command
    .option('--service <url>', 'address of the service (WHATIF_BASE_URL); without one, it runs embedded')
    .option('--auth-url <url>', 'address of its identity provider (WHATIF_AUTH_URL)')
    .option('--json', 'one JSON document on stdout')
    .option('--no-color', 'no colours (NO_COLOR)')
}
