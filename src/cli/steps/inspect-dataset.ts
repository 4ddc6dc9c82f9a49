import { escapeText } from '../../base/text/escape-text.ts'
import { makeStateFolder } from '../../local/project-root.ts'
import { realEnvironment } from '../../local/run-environment.ts'
import { serviceLabel } from '../../local/service-connection.ts'
import { SetupError } from '../../local/setup-error.ts'
import { type InspectedDataset, type InspectedSource, inspectDataset } from '../../run/datasets/inspect-dataset.ts'
import { EXIT_CODES, exitReason, RunRefusal } from '../../run/exit-code.ts'
import { locatedMessage, WorkFailed } from '../../run/fault-text.ts'
import type { RunEnvironment } from '../../run/run-options.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import { resolveConnection } from '../access/connection.ts'
import type { DeadlineFlag, StudyFlags } from '../options/study-options.ts'
import { jsonDocument } from '../output/json-document.ts'
import type { Terminal } from '../output/terminal.ts'
import { createPlainReporter } from '../progress/line-reporter.ts'
import { silentReporter } from '../progress/reporter.ts'
import { interruptible } from './interruption.ts'
import { lockTimeoutOf } from './run-request.ts'

/** Looks at a dataset, training it if need be, and hands it over; what stopped that is told, with its exit code. */
export async function inspecting(
  options: {
    /** As messages and documents name it. */
    readonly command: string
    readonly projectRoot: string
    readonly flags: Pick<StudyFlags, 'service' | 'authUrl' | 'json'> & DeadlineFlag
    readonly terminal: Terminal
    readonly env: NodeJS.ProcessEnv
  },
  sourceOf: (service: string, environment: RunEnvironment) => Promise<InspectedSource>,
  done: (found: InspectedDataset, source: InspectedSource) => number | Promise<number>,
): Promise<number> {
  const { command, projectRoot, flags, terminal, env } = options
  const connection = await resolveConnection(flags, env)
  makeStateFolder(projectRoot)
  const interruption = interruptible(flags.deadline)
  const reporter = flags.json
    ? silentReporter
    : createPlainReporter({ stderr: terminal.stderr, quiet: false, verbose: false })
  try {
    const environment = realEnvironment({
      connection,
      projectRoot,
      lockTimeoutMs: lockTimeoutOf({}, terminal.interactive),
      signal: interruption.signal,
      ...reporter,
    })
    const source = await sourceOf(serviceLabel(connection), environment)
    return await done(await inspectDataset(source, environment), source)
  } catch (error) {
    if (error instanceof SetupError) throw error
    const reason = interruption.signal.aborted
      ? exitReason(interruption.signal.reason)
      : error instanceof WorkFailed
        ? 'failed'
        : exitReason(error)
    if (reason === 'unexpected_error') throw error
    const exitCode = EXIT_CODES[reason]
    const { message } = error as Error
    const diagnostics: readonly Diagnostic[] = error instanceof RunRefusal ? error.diagnostics : []
    if (flags.json) terminal.stdout.write(jsonDocument({ command, exitCode, data: { message }, diagnostics }))
    else terminal.stderr.write(`error: ${escapeText(locatedMessage(error))}\n`)
    return exitCode
  } finally {
    await reporter.close()
    interruption.release()
  }
}
