import { prepareRun, type ValidStudyFile } from '../../local/local-run.ts'
import { realEnvironment } from '../../local/run-environment.ts'
import type { RunEnvironment, RunRequest } from '../../run/run-options.ts'
import { resolveConnection } from '../access/connection.ts'
import type { CheckFlags } from '../options/study-options.ts'
import type { Terminal } from '../output/terminal.ts'
import { createPlainReporter } from '../progress/line-reporter.ts'
import { silentReporter } from '../progress/reporter.ts'
import { interruptible } from './interruption.ts'
import { localRequest, lockTimeoutOf } from './run-request.ts'

/** Gives `work` all that it takes to train a study's datasets, with progress on stderr; `work` generates nothing. */
export async function withoutGenerating<T>(
  options: {
    readonly file: ValidStudyFile
    readonly flags: CheckFlags & { readonly locked?: boolean }
    readonly env: NodeJS.ProcessEnv
    readonly terminal: Terminal
  },
  work: (request: RunRequest, environment: RunEnvironment) => Promise<T>,
): Promise<T> {
  const { file, flags, env, terminal } = options
  const { projectRoot } = file
  const connection = await resolveConnection(flags, env)
  const interruption = interruptible()
  const reporter = flags.json
    ? silentReporter
    : createPlainReporter({ stderr: terminal.stderr, quiet: false, verbose: false })
  try {
    const request = await prepareRun(localRequest({ file, connection, flags, interactive: false, env }))
    const lockTimeoutMs = lockTimeoutOf({}, terminal.interactive)
    const { signal } = interruption
    return await work(request, realEnvironment({ connection, projectRoot, lockTimeoutMs, signal, ...reporter }))
  } finally {
    await reporter.close()
    interruption.release()
  }
}
