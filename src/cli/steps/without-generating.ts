import type { RunEnvironment, RunRequest } from '../../run/run-options.ts'
import type { Study } from '../../spec/study.ts'
import { resolveConnection } from '../connection.ts'
import type { StudyFile } from '../files/study-file.ts'
import { createPlainReporter } from '../output/plain-reporter.ts'
import { silentReporter } from '../output/reporter.ts'
import type { Terminal } from '../output/terminal.ts'
import { makeStateFolder } from '../project-root.ts'
import type { CheckFlags } from '../study-options.ts'
import { interruptible } from './interruption.ts'
import { realEnvironment } from './run-environment.ts'
import { lockTimeoutOf, runRequest } from './run-request.ts'

/** Gives `work` all that it takes to train a study's datasets, with progress on stderr; `work` generates nothing. */
export async function withoutGenerating<T>(
  options: {
    readonly file: StudyFile & { readonly study: Study }
    readonly flags: CheckFlags & { readonly locked?: boolean }
    readonly env: NodeJS.ProcessEnv
    readonly terminal: Terminal
  },
  work: (request: RunRequest, environment: RunEnvironment) => Promise<T>,
): Promise<T> {
  const { file, flags, env, terminal } = options
  const { study, projectRoot } = file
  const connection = await resolveConnection(flags, env)
  makeStateFolder(projectRoot)
  const interruption = interruptible()
  const reporter = flags.json
    ? silentReporter
    : createPlainReporter({ stderr: terminal.stderr, quiet: false, verbose: false })
  try {
    const request = await runRequest({ file, study, connection, flags, interactive: false, env })
    const lockTimeoutMs = lockTimeoutOf({}, terminal.interactive)
    const { signal } = interruption
    return await work(request, realEnvironment({ connection, projectRoot, lockTimeoutMs, signal, reporter }))
  } finally {
    await reporter.close()
    interruption.release()
  }
}
