import { prepareRun, type ValidStudyFile } from '../../local/local-run.ts'
import { makeStateFolder } from '../../local/project-root.ts'
import { realEnvironment } from '../../local/run-environment.ts'
import { type Connection, serviceLabel } from '../../local/service-connection.ts'
import { SetupError } from '../../local/setup-error.ts'
import { type InspectedDataset, type InspectedSource, inspectDataset } from '../../runner/datasets/inspect-dataset.ts'
import { EXIT_CODES, exitReason, RunRefusalError } from '../../runner/interface/exit-code.ts'
import { fileRefusal, locatedMessage, WorkFailedError } from '../../runner/interface/fault-text.ts'
import type { RunEnvironment, RunRequest } from '../../runner/interface/run-options.ts'
import { resolveConnection } from '../access/connection.ts'
import { seedObjectsOf } from '../access/seed-buckets.ts'
import type { CheckFlags, DeadlineFlag, StudyFlags } from '../options/study-options.ts'
import { errorText } from '../output/error-text.ts'
import { jsonDocument } from '../output/json-document.ts'
import type { Terminal } from '../output/terminal.ts'
import { createLineReporter } from '../progress/line-reporter.ts'
import { silentReporter } from '../progress/reporter.ts'
import { interruptible } from './interruption.ts'
import { localRequest, lockTimeoutOf } from './run-request.ts'

interface TrainingOptions {
  readonly projectRoot: string
  readonly connection: Connection
  readonly env: NodeJS.ProcessEnv
  readonly json: boolean
  readonly terminal: Terminal
  /** For work that keeps no deadline of its own; milliseconds. */
  readonly deadlineMs?: number
}

/** Does work that may upload and train, with progress on stderr. The work generates nothing, so nothing is billed. */
async function withEnvironment<T>(
  { projectRoot, connection, env, json, terminal, deadlineMs }: TrainingOptions,
  work: (environment: RunEnvironment, stopReporting: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const interruption = interruptible(deadlineMs)
  const { signal } = interruption
  const reporter = json ? silentReporter : createLineReporter({ stderr: terminal.stderr, quiet: false, verbose: false })
  try {
    const lockTimeoutMs = lockTimeoutOf({}, terminal.interactive)
    const objects = seedObjectsOf(env, projectRoot)
    const environment = realEnvironment({ connection, projectRoot, objects, lockTimeoutMs, signal, ...reporter })
    return await work(environment, async () => await reporter.close())
  } finally {
    await reporter.close()
    interruption.release()
  }
}

/** Does work on the datasets of a study, trained where needed. */
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
  const connection = await resolveConnection(flags, env)
  const { projectRoot } = file
  return await withEnvironment(
    { projectRoot, connection, env, json: flags.json === true, terminal },
    async (environment) =>
      await work(await prepareRun(localRequest({ file, connection, flags, interactive: false, env })), environment),
  )
}

/** Inspects one dataset, trained if needed, and hands it over. If that fails, it prints the reason and sets its exit code. */
export async function inspectOne(
  options: {
    /** As messages and documents name it. */
    readonly command: string
    readonly projectRoot: string
    readonly flags: Pick<StudyFlags, 'service' | 'authUrl' | 'json'> & DeadlineFlag
    readonly terminal: Terminal
    readonly env: NodeJS.ProcessEnv
    /** Of a message on a fault; default: as it is. */
    readonly inWords?: (message: string) => string
  },
  sourceOf: (service: string, environment: RunEnvironment) => Promise<InspectedSource>,
  done: (found: InspectedDataset, source: InspectedSource, environment: RunEnvironment) => number | Promise<number>,
): Promise<number> {
  const { command, projectRoot, flags, terminal, env, inWords = (message) => message } = options
  const connection = await resolveConnection(flags, env)
  makeStateFolder(projectRoot)
  const json = flags.json === true
  return await withEnvironment(
    { projectRoot, connection, env, json, terminal, deadlineMs: flags.deadline },
    async (environment, stopReporting) => {
      try {
        const source = await sourceOf(serviceLabel(connection), environment)
        const found = await inspectDataset(source, environment)
        // What follows may last as long as a person looks at it, and is no work to report.
        await stopReporting()
        return await done(found, source, environment)
      } catch (error) {
        if (error instanceof SetupError) throw error
        const { signal } = environment
        const reason = signal.aborted
          ? exitReason(signal.reason)
          : error instanceof WorkFailedError
            ? 'failed'
            : exitReason(error)
        if (reason === 'unexpected_error') throw error
        const exitCode = EXIT_CODES[reason]
        const refused = fileRefusal(error)
        const message = inWords(refused ?? (error as Error).message)
        const diagnostics = error instanceof RunRefusalError ? error.diagnostics : []
        if (json) terminal.stdout.write(jsonDocument({ command, exitCode, data: { message }, diagnostics }))
        else terminal.stderr.write(errorText(inWords(refused ?? locatedMessage(error)), terminal.stderr))
        return exitCode
      }
    },
  )
}
