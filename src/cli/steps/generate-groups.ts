import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GeneratedFigure, withGenerated } from '../../answers/backtests/generated-groups.ts'
import type { EstimateRequest } from '../../contract/estimates.ts'
import { runOptions, runRequest } from '../../local/local-run.ts'
import type { Connection } from '../../local/service-connection.ts'
import type { BacktestRecord } from '../../records/backtest.ts'
import type { PredictionRecord } from '../../records/manifest/backtests.ts'
import type { ComparisonResult } from '../../records/manifest/comparisons.ts'
import type { Backtested } from '../../runner/backtests/backtest.ts'
import { type Backtest, groupOutcomes } from '../../runner/backtests/group-questions.ts'
import { heldOutConditions, trainWithout } from '../../runner/backtests/held-out.ts'
import type { FileSource } from '../../runner/datasets/inspect-dataset.ts'
import { WorkFailedError } from '../../runner/interface/fault-text.ts'
import type { RunEnvironment } from '../../runner/interface/run-options.ts'
import { run } from '../../runner/run-study.ts'
import { loadStudy } from '../../study/load/load-study.ts'
import type { Study } from '../../study/study.ts'

/** What rows are generated for. */
export interface GeneratedFor {
  readonly source: FileSource
  /** Null: a file without one. */
  readonly study: Study | null
  readonly asked: Backtest
  /** Of each group. */
  readonly rows: number
  readonly connection: Connection
  readonly environment: RunEnvironment
  /** Told of each group before its model is trained. */
  readonly onGroup: (level: string, number: number, of: number) => void
}

export interface GeneratedGroups {
  readonly found: BacktestRecord
  /** Of groups without rows: why. */
  readonly faults: readonly string[]
}

/** What a group's rows say. */
interface Counted {
  readonly rows: number
  readonly shares: ComparisonResult['shares']
  readonly means: ComparisonResult['means']
}

/**
 * The backtest with what models say: for each predicted group one is trained on the rows of the others, and rows are generated for the
 * margins of the group, as a study would ask for them. Results lie in a temporary folder that is removed afterwards.
 */
export async function generateGroups(
  { found, alike }: Backtested,
  { source, study, asked, rows, connection, environment, onGroup }: GeneratedFor,
): Promise<GeneratedGroups> {
  const groups = found.groups.filter(({ status }) => status === 'predicted')
  if (groups.length === 0) return { found, faults: [] }
  const results = new Map<string, Counted>()
  const outcomes = groupOutcomes(asked, { study, name: source.name })
  const faults: string[] = []
  for (const [i, { level }] of groups.entries()) {
    environment.signal.throwIfAborted()
    onGroup(level, i + 1, groups.length)
    const { datasetId, schema } = await trainWithout(source, asked.by, level, environment)
    const conditions = heldOutConditions(alike.get(level)!, asked.by.name, schema)
    const result =
      typeof conditions === 'string'
        ? conditions
        : await generateOne(studyText(outcomes, conditions, datasetId, rows), { rows, connection, environment })
    if (typeof result === 'string') faults.push(`${asked.by.name} ${level}: ${result}`)
    else results.set(level, result)
  }
  if (results.size === 0) throw new WorkFailedError('failed', `--rows: no rows were generated: ${faults[0]}`)
  return {
    found: withGenerated(found, rows, (level, prediction) => {
      const of = results.get(level)
      return of === undefined ? null : figureOf(of, prediction)
    }),
    faults,
  }
}

/** A text: why there are no rows. */
async function generateOne(
  text: string,
  { rows, connection, environment }: Pick<GeneratedFor, 'rows' | 'connection' | 'environment'>,
): Promise<Counted | string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'whatif-backtest-')))
  try {
    const out = join(folder, 'results')
    await mkdir(out)
    const name = 'backtest.study.yaml'
    const { study, diagnostics } = loadStudy(text, { filename: name })
    if (study === null) {
      const [{ summary, detail } = { summary: 'its study is not valid', detail: undefined }] = diagnostics
      return [summary, ...(detail === undefined ? [] : [detail])].join('; ')
    }
    const place = { path: join(folder, name), projectRoot: folder, name, text, isSampled: false }
    const file = { ...place, study, diagnostics, marginsFiles: new Map() }
    const options = runOptions({ html: false, onFailure: 'continue', budgetRows: rows + 1 })
    const result = await run(await runRequest({ file, connection, out, options, ci: null }), environment)
    environment.signal.throwIfAborted()
    const { scenarios, comparisons } = result.manifest
    const counted = Object.values(comparisons).flatMap((one) => one.scenarios[SCENARIO] ?? [])
    const delivered = scenarios[SCENARIO]?.rows.counted ?? 0
    if (delivered === 0 || counted.some(({ status }) => status === 'missing'))
      return scenarios[SCENARIO]?.error?.detail ?? result.message ?? result.reason
    return {
      rows: delivered,
      shares: Object.assign({}, ...counted.map(({ shares }) => shares)),
      means: Object.assign({}, ...counted.map(({ means }) => means)),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const SCENARIO = 'alike'
/** The one row that the others are compared with: a comparison is what counts outcomes. */
const OTHER = 'one-row'

/** JSON is YAML, and needs no rules of its own for names of columns and levels. */
function studyText(
  outcomes: EstimateRequest['outcomes'],
  { categorical: shares = {}, means }: EstimateRequest['scenario'],
  datasetId: string,
  rows: number,
): string {
  const common = { seed: 1, partial: 'accept' }
  const of = (isAsked: (outcome: EstimateRequest['outcomes'][number]) => boolean): string[] =>
    outcomes.filter(isAsked).map(({ column }) => column)
  const comparison = { scenarios: [SCENARIO], against: OTHER }
  const comparisons = [
    { id: 'shares', shares: of(({ statistic, base }) => statistic === 'shares' && base !== 'valid'), base: 'all' },
    { id: 'shares-of-answers', shares: of(({ base }) => base === 'valid'), base: 'valid' },
    { id: 'means', means: of(({ statistic }) => statistic === 'mean') },
  ].filter(({ shares = [], means: asked = [] }) => shares.length + asked.length > 0)
  return JSON.stringify({
    version: 1,
    name: 'backtest',
    datasets: { panel: { dataset_id: datasetId } },
    scenarios: { [OTHER]: { ...common, rows: 1 }, [SCENARIO]: { ...common, rows, shares, ...(means && { means }) } },
    comparisons: comparisons.map((one) => ({ ...one, ...comparison })),
  })
}

/** The share of a level that no row has is 0. */
function figureOf({ rows, shares, means }: Counted, { column, level }: PredictionRecord): GeneratedFigure | null {
  if (level === undefined) {
    const numbers = means[column]?.scenario
    return numbers == null ? null : { figure: numbers.mean, variance: (numbers.sd ?? 0) ** 2 / numbers.n }
  }
  const of = shares[column]
  if (of === undefined) return null
  const share = of[level]?.scenario ?? 0
  return { figure: share, variance: (share * (1 - share)) / rows }
}
