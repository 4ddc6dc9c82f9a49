import type { Command } from 'commander'
import { addMergeOptions } from '../options/study-options.ts'
import { execute } from './run.ts'

/** Declares `whatif merge`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  addMergeOptions(command, env)
    .description(
      'Make one manifest, report and exit code of the parts of a study that whatif run --shard carried out. ' +
        'Gates are judged now, over all parts. Nothing is submitted. A missing part is named, and exit code 11 says so.',
    )
    .argument('<file>', 'study file (*.study.yaml)')
    .argument('[folders...]', 'folders with parts, or with folders of parts; default: the output folder of the study')
    .action(async (file, folders, flags) => {
      process.exitCode = await execute('merge', file, flags, env, folders)
    })
}
