import type { Command } from 'commander'
import { addResumeOptions } from '../options/study-options.ts'
import { execute } from './run.ts'

/** Declares `whatif resume`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  addResumeOptions(command, env)
    .description(
      'Collect what earlier runs of a study submitted: wait for running generations, then fetch and measure the results. ' +
        'Nothing new is submitted, so nothing new can be billed. The next run does the rest.',
    )
    .argument('<file>', 'study file (*.study.yaml)')
    .action(async (file, flags) => {
      process.exitCode = await execute('resume', file, flags, env)
    })
}
