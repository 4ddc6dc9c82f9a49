import * as fs from 'node:fs/promises'
import { noEstimatesWords } from '../../answers/words/difference-text.ts'
import { systemClock } from '../../base/clock.ts'
import { listText } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import { type ChosenState, withState } from '../../local/chosen-state.ts'
import { runRequest } from '../../local/local-run.ts'
import { realEnvironment } from '../../local/run-environment.ts'
import { SetupError } from '../../local/setup-error.ts'
import type { StudyFile } from '../../local/study-file.ts'
import type { NoEstimates } from '../../records/manifest/comparisons.ts'
import type { TrainedDataset } from '../../runner/estimates/asked-dataset.ts'
import { EXIT_CODES, exitReason, RunInterruptedError, RunRefusalError } from '../../runner/interface/exit-code.ts'
import { locatedMessage } from '../../runner/interface/fault-text.ts'
import { planFromDisk } from '../../runner/plan-from-disk.ts'
import { withDatasetIds } from '../../runner/session/with-dataset-ids.ts'
import type { Study } from '../../study/study.ts'
import { resolveConnection } from '../access/connection.ts'
import { seedObjectsOf } from '../access/seed-buckets.ts'
import { chosenState } from '../access/state-storage.ts'
import type { StudyFlags } from '../options/study-options.ts'
import type { Terminal } from '../output/terminal.ts'
import { localRequest } from './run-request.ts'

/** Somebody is waiting for the answer. */
const LONGEST_MS = 30_000

/** Flags of the commands that ask about a trained dataset. */
export type QuestionFlags = Pick<
  StudyFlags,
  | 'service'
  | 'authUrl'
  | 'allowPrivateAddresses'
  | 'out'
  | 'scope'
  | 'reads'
  | 'dataset'
  | 'allowOutside'
  | 'allowHidden'
  | 'json'
  | 'color'
>

/**
 * Asks about a trained dataset of a study, by its name in the study. Nothing is trained, billed or written. The
 * service is started, or logged in to, for the time of `ask`. Before, `read` makes the question fit the cleaned schema, or throws.
 *
 * @throws SetupError with exit code 4 for a dataset that is not trained, and that of the fault where the service cannot be reached.
 */
export async function askTrained<Question, T>(
  file: StudyFile & { readonly study: Study },
  name: string,
  flags: QuestionFlags,
  {
    env,
    signal,
    terminal,
  }: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal; readonly terminal: Terminal },
  read: (schema: readonly AnySchemaColumn[], study: Study) => Question,
  ask: (dataset: TrainedDataset, question: Question) => Promise<T>,
): Promise<T> {
  const connection = await resolveConnection(flags, env)
  const state = await chosenState(flags, env, file.projectRoot)
  const local = { file, connection, flags: withState(flags, state), interactive: terminal.interactive, env }
  const request = await runRequest(localRequest(local))
  const { datasetId, schema, bodies } = await trainedAs(name, request, env, signal, state).finally(() =>
    state?.store.close(),
  )
  const question = read(schema, file.study)
  const environment = realEnvironment({
    connection,
    projectRoot: request.projectRoot,
    lockTimeoutMs: LONGEST_MS,
    signal,
    onEvent: () => {},
    onService: (state) => {
      if (state === 'starting') terminal.stderr.write('starting the embedded service\n')
    },
  })
  try {
    const client = await environment.client()
    try {
      const study = withDatasetIds(request.study, request.options.datasetIds)
      const call = { signal, deadlineMs: Date.now() + LONGEST_MS }
      return await ask({ study, name, datasetId, schema, bodies, client, call }, question)
    } finally {
      await client.close()
    }
  } catch (error) {
    throw isOfService(error) ? asSetup(error) : error
  }
}

/** Why the service says nothing, as an error: exit code 11 where it did not answer, else 4. */
export function withoutEstimates(why: NoEstimates): SetupError {
  const isPassing = why === 'estimates_failed'
  const message = isPassing ? 'the service gave no answer' : noEstimatesWords(why)
  return new SetupError(isPassing ? 11 : 4, `not known: ${message}`)
}

/** The dataset that `--of` names, or else the study's only one. @throws SetupError */
export function chosenDataset(study: Study, of: string | undefined): string {
  const names = [...study.datasets.keys()]
  if (of === undefined && names.length === 1) return names[0]!
  if (of !== undefined && study.datasets.has(of)) return of
  const problem = of === undefined ? 'the study has several datasets' : `the study has no dataset ${escapeText(of)}`
  throw new SetupError(2, problem, `Name one with --of: ${listText(names.map(escapeText), 8)}`)
}

async function trainedAs(
  name: string,
  request: Awaited<ReturnType<typeof runRequest>>,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  state: ChosenState | null,
): Promise<Pick<TrainedDataset, 'datasetId' | 'schema' | 'bodies'>> {
  const { plan, facts } = await planFromDisk(request, {
    fs,
    clock: systemClock,
    signal,
    onEvent: () => {},
    objects: seedObjectsOf(env, request.projectRoot),
    ...(state !== null && { shared: async () => state.store }),
  }).catch((error: unknown) => {
    throw error instanceof RunRefusalError ? asSetup(error) : error
  })
  const datasetId = plan.datasets.find(({ id }) => id === name)?.datasetId ?? null
  const schema = facts.get(name)?.schema ?? null
  if (datasetId !== null && schema !== null)
    return { datasetId, schema, bodies: new Map(plan.scenarios.map(({ id, body }) => [id, body])) }
  throw new SetupError(
    4,
    `not known: the dataset ${escapeText(name)} is not trained`,
    'whatif validate trains it and bills nothing.',
  )
}

const isOfService = (error: unknown): boolean =>
  !(error instanceof SetupError || error instanceof RunInterruptedError) && exitReason(error) !== 'unexpected_error'

/** An error with the exit code that a run would have. */
function asSetup(error: unknown): SetupError {
  const code = EXIT_CODES[exitReason(error)]
  const message = error instanceof Error ? error.message : String(error)
  const exitCode = code === 2 || code === 4 || code === 5 || code === 10 ? code : 11
  return new SetupError(exitCode, message, null, locatedMessage(error))
}
