import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withGenerated } from '../../answers/backtests/generated-groups.ts'
import { hasRows } from '../../answers/manifest/scenario-statuses.ts'
import { runOptions, runRequest } from '../../local/local-run.ts'
import type { Connection } from '../../local/service-connection.ts'
import type { BacktestRecord } from '../../records/backtest.ts'
import type { PredictionRecord } from '../../records/manifest/backtests.ts'
import type { ComparisonResult } from '../../records/manifest/comparisons.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { Backtested } from '../../runner/backtests/backtest.ts'
import { WorkFailedError } from '../../runner/interface/fault-text.ts'
import type { RunEnvironment } from '../../runner/interface/run-options.ts'
import { run } from '../../runner/run-study.ts'
import { loadStudy } from '../../study/load/load-study.ts'

/** What rows are generated for. */
export interface GeneratedFor {
  readonly datasetId: string
  /** Of each group. */
  readonly rows: number
  readonly connection: Connection
  readonly environment: RunEnvironment
}

/** Of the one row that all groups are compared with: a comparison is what counts outcomes. */
const OTHER = 'one-row'

/**
 * The backtest with what the model says: rows for the margins of each predicted group, as a study would ask for them, in a temporary
 * folder that is removed afterwards.
 */
export async function generateGroups(
  { found, alike }: Backtested,
  { datasetId, rows, connection, environment }: GeneratedFor,
): Promise<BacktestRecord> {
  const groups = found.groups.filter(({ status }) => status === 'predicted').map(({ level }) => level)
  if (groups.length === 0) return found
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'whatif-backtest-')))
  try {
    const out = join(folder, 'results')
    await mkdir(out)
    const text = studyText(found, { groups, alike, datasetId, rows })
    const { study, diagnostics } = loadStudy(text, { filename: 'backtest.study.yaml' })
    if (study === null) throw new Error(`the study of the groups is not valid: ${diagnostics[0]?.summary}`)
    const path = join(folder, 'backtest.study.yaml')
    const file = {
      path,
      projectRoot: folder,
      name: 'backtest.study.yaml',
      text,
      isSampled: false,
      study,
      diagnostics,
      marginsFiles: new Map(),
    }
    const options = runOptions({ html: false, onFailure: 'continue', budgetRows: groups.length * rows + 1 })
    const result = await run(await runRequest({ file, connection, out, options, ci: null }), environment)
    environment.signal.throwIfAborted()
    const { scenarios, comparisons } = result.manifest
    if (!Object.values(scenarios).some(({ status }) => hasRows(status)))
      throw new WorkFailedError(
        'failed',
        `--rows: no rows were generated: ${result.message ?? firstError(result.manifest) ?? result.reason}`,
      )
    const results = comparisons.groups?.scenarios ?? {}
    return withGenerated(found, rows, (group, prediction) => {
      const of = results[idOf(groups.indexOf(group))]
      return of === undefined ? null : figureOf(of, prediction, rows)
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const firstError = ({ scenarios }: Manifest): string | undefined =>
  Object.values(scenarios).flatMap(({ error }) => error?.detail ?? [])[0]

const idOf = (i: number): string => `group-${i + 1}`

/** JSON is YAML, and needs no rules of its own for names of columns and levels. */
function studyText(
  found: BacktestRecord,
  {
    groups,
    alike,
    datasetId,
    rows,
  }: {
    readonly groups: readonly string[]
    readonly alike: Backtested['alike']
    readonly datasetId: string
    readonly rows: number
  },
): string {
  const common = { seed: 1, partial: 'accept' }
  const scenarios = groups.map((level, i) => {
    const { categorical: shares = {}, means } = alike.get(level)!
    return [idOf(i), { ...common, rows, shares, ...(means && { means }) }] as const
  })
  const predictions = found.groups.flatMap((group) => group.predictions)
  const columns = (isShare: boolean) => [
    ...new Set(predictions.flatMap(({ column, level }) => ((level !== undefined) === isShare ? [column] : []))),
  ]
  const [shares, means] = [columns(true), columns(false)]
  return JSON.stringify({
    version: 1,
    name: 'backtest',
    datasets: { panel: { dataset_id: datasetId } },
    scenarios: { [OTHER]: { ...common, rows: 1 }, ...Object.fromEntries(scenarios) },
    comparisons: [
      {
        id: 'groups',
        scenarios: scenarios.map(([id]) => id),
        against: OTHER,
        ...(shares.length > 0 && { shares }),
        ...(means.length > 0 && { means }),
      },
    ],
  })
}

/** The share of a level that no row has is 0. */
function figureOf({ status, shares, means }: ComparisonResult, { column, level }: PredictionRecord, rows: number) {
  if (status === 'missing') return null
  if (level !== undefined) {
    const share = shares[column]?.[level]?.scenario ?? 0
    return { figure: share, variance: (share * (1 - share)) / rows }
  }
  const numbers = means[column]?.scenario
  if (numbers == null) return null
  return { figure: numbers.mean, variance: (numbers.sd ?? 0) ** 2 / numbers.n }
}
