import { checkStudy, type StudyCheck } from '../../run/check-study.ts'
import type { Study } from '../../spec/study.ts'
import { resolveConnection } from '../connection.ts'
import { createPlainReporter } from '../output/plain-reporter.ts'
import { silentReporter } from '../output/reporter.ts'
import type { Terminal } from '../output/terminal.ts'
import { makeStateFolder } from '../project-root.ts'
import type { ValidateFlags } from '../study-options.ts'
import { interruptible } from './interruption.ts'
import { realEnvironment } from './run-environment.ts'
import { lockTimeoutOf, runRequest } from './run-request.ts'
import type { StudyFile } from './study-file.ts'

/** The live part of `whatif validate`; a module of its own, so that `--offline` does not pay for loading it. */
export async function checkLive(
  file: StudyFile & { readonly study: Study },
  flags: ValidateFlags,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<StudyCheck> {
  const { study } = file
  const connection = await resolveConnection(flags, env)
  makeStateFolder(file.projectRoot)
  const interruption = interruptible()
  const reporter = flags.json
    ? silentReporter
    : createPlainReporter({ stderr: terminal.stderr, quiet: false, verbose: false })
  try {
    const request = await runRequest({ file, study, connection, flags, interactive: false, env })
    return await checkStudy(
      request,
      realEnvironment({
        connection,
        projectRoot: file.projectRoot,
        lockTimeoutMs: lockTimeoutOf({}, terminal.interactive),
        signal: interruption.signal,
        reporter,
      }),
    )
  } finally {
    await reporter.close()
    interruption.release()
  }
}
