import * as fs from 'node:fs/promises'
import { systemClock } from '../../base/clock.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import type { ServiceClient } from '../../client/service-client.ts'
import type { Explored } from '../../explore/explored.ts'
import { type ChosenState, withState } from '../../local/chosen-state.ts'
import { prepareRun, runRequest, type ValidStudyFile } from '../../local/local-run.ts'
import { makeStateFolder } from '../../local/project-root.ts'
import { realEnvironment } from '../../local/run-environment.ts'
import { type Connection, serviceLabel } from '../../local/service-connection.ts'
import { SetupError } from '../../local/setup-error.ts'
import { readStudyFile } from '../../local/study-file.ts'
import type { DatasetFacts } from '../../records/state/datasets.ts'
import {
  type InspectedDataset,
  type InspectedSource,
  inspectDataset,
  sourceOfFile,
} from '../../runner/datasets/inspect-dataset.ts'
import { foreseeDifferences } from '../../runner/estimates/foresee-differences.ts'
import { foreseeRows } from '../../runner/estimates/foresee-rows.ts'
import type { RunEnvironment, RunRequest, RunResult } from '../../runner/interface/run-options.ts'
import type { SeedObjects } from '../../runner/interface/seed-objects.ts'
import type { Plan } from '../../runner/plan/plan.ts'
import { planFromDisk } from '../../runner/plan-from-disk.ts'
import { run } from '../../runner/run-study.ts'
import { datasetFacts } from '../../runner/session/dataset-records.ts'
import { withDatasetIds } from '../../runner/session/with-dataset-ids.ts'
import { hasErrors } from '../../study/diagnostics/diagnostic.ts'
import type { StudyFlags } from '../options/study-options.ts'
import { sourceOf } from '../steps/named-data.ts'
import { localRequest } from '../steps/run-request.ts'
import { InvalidStudyError } from './invalid-study-error.ts'
import { fileOfProject } from './project-files.ts'
import type { RowBudget } from './row-budget.ts'

/** Longest time for an answer, and for another process that uses the project's service. */
const LONGEST_MS = 30_000
/** How long what was found about a dataset holds: trained datasets expire after a day at the earliest. */
const FRESH_MS = 3_600_000

export interface SessionOptions {
  /** The project: without links, and the working folder of the process, so that messages name files as the project does. */
  readonly root: string
  readonly connection: Connection
  readonly budget: RowBudget
  /** Objects in buckets that studies may name: those that the person who started the session allows. */
  readonly objects: SeedObjects
  /** The state that machines share; null: it is on this disk. */
  readonly state: ChosenState | null
  /** Aborts when the session ends. */
  readonly signal: AbortSignal
}

export interface RunChoice {
  readonly select?: readonly string[] | undefined
  /** Most rows of a scenario, for a trial. */
  readonly trialRows?: number | undefined
}

/** What one client asks of one project. The service is opened when something needs it, and closed with the session. */
export class ProjectSession {
  readonly #options: SessionOptions
  #client: Promise<ServiceClient> | null = null
  readonly #inspected = new Map<string, { readonly found: InspectedDataset; readonly at: number }>()

  constructor(options: SessionOptions) {
    this.#options = options
  }

  get root(): string {
    return this.#options.root
  }

  get budget(): RowBudget {
    return this.#options.budget
  }

  async close(): Promise<void> {
    await this.#client?.then((client) => client.close()).catch(() => {})
    await this.#options.state?.store.close()
  }

  /** What cleaning and training made of a file, or of a dataset of a study. Trains it where needed; nothing is billed. */
  async inspect(
    file: string,
    dataset: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly found: InspectedDataset; readonly explored: Explored }> {
    const path = await fileOfProject(this.root, file)
    makeStateFolder(this.root)
    const environment = this.#environment(signal)
    const { source, study } = await this.#source(path, dataset, environment)
    const key = source.kind === 'file' ? source.hash : source.datasetId
    const known = this.#inspected.get(key)
    const isFresh = known !== undefined && Date.now() - known.at < FRESH_MS
    const found = isFresh ? known.found : await inspectDataset(source, environment)
    if (!isFresh) this.#inspected.set(key, { found, at: Date.now() })
    const { name } = source
    const client = await this.#open()
    const call = () => ({ signal, deadlineMs: Date.now() + LONGEST_MS })
    return { found, explored: { name, study, datasetId: found.dataset.dataset_id, schema: found.schema, client, call } }
  }

  async #source(
    path: string,
    dataset: string | undefined,
    environment: RunEnvironment,
  ): Promise<{ source: InspectedSource; study: ValidStudyFile['study'] | null }> {
    if (/\.ya?ml$/i.test(path)) {
      const file = await this.#study(path)
      const target = { kind: 'study', file, dataset: dataset ?? null } as const
      return { source: await sourceOf(target, serviceLabel(this.#options.connection), environment), study: file.study }
    }
    if (dataset !== undefined)
      throw new SetupError(2, `${escapeText(path)}: it is a seed file, which has one dataset`, 'Leave "dataset" out.')
    return { source: await sourceOfFile(path, environment), study: null }
  }

  /** @param options `estimates`: also what the service says about comparisons and rows. Trains datasets where needed. */
  async plan(
    file: string,
    choice: RunChoice,
    { estimates, signal }: { readonly estimates: boolean; readonly signal: AbortSignal },
  ) {
    const request = await runRequest(await this.#local(file, choice, null))
    const found = await planFromDisk(request, {
      fs,
      clock: systemClock,
      signal,
      onEvent: () => {},
      objects: this.#options.objects,
      ...(this.#options.state !== null && { shared: async () => this.#options.state!.store }),
    })
    if (!estimates || hasErrors(found.diagnostics)) return { ...found, expected: null }
    const study = withDatasetIds(request.study, request.options.datasetIds)
    const { plan, facts } = await this.#trained(file, found, signal)
    // Training may take longer than questions may.
    const asking = { open: () => this.#open(), call: { signal, deadlineMs: Date.now() + LONGEST_MS }, facts }
    const rows = await foreseeRows(study, plan, asking)
    return { ...found, expected: { rows, comparisons: await foreseeDifferences(study, plan, asking) } }
  }

  /** A run keeps in the state which datasets are trained; what the session has trained is there, too. */
  async #trained(
    file: string,
    { plan, facts: known }: { readonly plan: Plan; readonly facts: ReadonlyMap<string, DatasetFacts> },
    signal: AbortSignal,
  ): Promise<{ readonly plan: Plan; readonly facts: ReadonlyMap<string, DatasetFacts> }> {
    const facts = new Map(known)
    const datasets: Plan['datasets'][number][] = []
    for (const dataset of plan.datasets) {
      const found = dataset.datasetId === null ? (await this.inspect(file, dataset.id, signal)).found : null
      if (found !== null) facts.set(dataset.id, datasetFacts(found.dataset, found.schema))
      datasets.push(found === null ? dataset : { ...dataset, datasetId: found.dataset.dataset_id })
    }
    return { plan: { ...plan, datasets }, facts }
  }

  /** A run that is billed for at most `rows`. */
  async run(file: string, choice: RunChoice, rows: number, signal: AbortSignal): Promise<RunResult> {
    const request: RunRequest = await prepareRun(await this.#local(file, choice, rows))
    return await run(request, this.#environment(signal))
  }

  async #local(file: string, { select, trialRows }: RunChoice, budgetRows: number | null) {
    const flags: StudyFlags & { budgetRows?: number } = {
      ...(select !== undefined && { select }),
      ...(trialRows !== undefined && { rows: trialRows }),
      ...(budgetRows !== null && { budgetRows }),
    }
    return localRequest({
      file: await this.#study(await fileOfProject(this.root, file)),
      connection: this.#options.connection,
      flags: withState(flags, this.#options.state),
      interactive: true,
      env: {},
    })
  }

  async #study(path: string): Promise<ValidStudyFile> {
    const file = await readStudyFile(path)
    if (file.projectRoot !== this.root)
      throw new SetupError(
        2,
        `${escapeText(path)}: it belongs to another project, because a folder above it has a package.json or .git of its own`,
        'Start whatif mcp in that folder.',
      )
    const { study } = file
    if (study === null || hasErrors(file.diagnostics)) throw new InvalidStudyError(file.diagnostics)
    return { ...file, study }
  }

  /** The service outlives the request that opened it. */
  #open(): Promise<ServiceClient> {
    this.#client ??= this.#real(this.#options.signal)
      .client()
      .catch((error: unknown) => {
        this.#client = null
        throw error
      })
    return this.#client
  }

  #environment(signal: AbortSignal): RunEnvironment {
    return { ...this.#real(signal), client: async () => ({ ...(await this.#open()), close: async () => {} }) }
  }

  #real(signal: AbortSignal): RunEnvironment {
    const { root: projectRoot, connection, objects, state } = this.#options
    return realEnvironment({
      connection,
      projectRoot,
      objects,
      state: state?.store ?? null,
      lockTimeoutMs: LONGEST_MS,
      signal,
      onEvent: () => {},
      onService: () => {},
      // The budget is the consent of the person who started the session.
      confirm: async () => ({ go: true }),
    })
  }
}
