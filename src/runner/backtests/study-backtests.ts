/** The backtests of a study: what is asked in a run, and what its answers say. */

import { backtestGates } from '../../answers/backtests/backtest-gates.ts'
import { judgeGroups } from '../../answers/backtests/judge-backtest.ts'
import { sequenceOf } from '../../answers/counts/natural-columns.ts'
import { dataRecord } from '../../base/data-record.ts'
import type { CallOptions } from '../../client/service-client.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { EstimateRequest } from '../../contract/estimates.ts'
import type { ManifestBacktest } from '../../records/manifest/backtests.ts'
import type { NoEstimates } from '../../records/manifest/comparisons.ts'
import type { RecordedEstimates } from '../../records/state/estimates.ts'
import type { Backtest as StudyBacktest } from '../../study/backtests.ts'
import type { Study } from '../../study/study.ts'
import { askDifferences, type Difference } from '../estimates/ask-differences.ts'
import { clientOf, deadlineOf, isOpen, lacksOperation, settle } from '../estimates/ask-estimates.ts'
import { questionKey } from '../estimates/estimate-questions.ts'
import type { KnownStudy } from '../estimates/known-study.ts'
import type { NamedFigure } from '../estimates/named-figure.ts'
import type { PlannedRun } from '../session/plan-run.ts'
import {
  type Backtest,
  figuresOf,
  groupOutcomes,
  groupQuestions,
  marginOutcomes,
  marginQuestions,
  mostLevels,
} from './group-questions.ts'
import { type GroupAnswers, judgedGroups } from './group-records.ts'

/** A backtest, as a trained dataset can be asked. */
interface AskedBacktest extends Backtest {
  readonly id: string
  readonly dataset: string
  readonly datasetId: string
  /** Its id, or that of the dataset where the service does not tell it. */
  readonly model: string
}

/** Questions in the same outcomes, whose answers the state keeps by their keys. */
interface Questions {
  readonly keys: readonly string[]
  readonly differences: readonly Difference[]
  readonly outcomes: EstimateRequest['outcomes']
  readonly levels: number
}

/** Asks for what is not known yet: the margins of the groups, then the others against each. Free, and never fails a run. */
export async function askBacktests(run: PlannedRun, known: KnownStudy): Promise<void> {
  for (const backtest of run.study.backtests) {
    const asked = asksAbout(run, backtest) ? askedOf(known, backtest) : null
    if (asked === null) continue
    if (!(await askOpen(run, asked, marginsAsked(asked)))) continue
    const margins = answersTo(known, marginsAsked(asked))
    if (typeof margins !== 'string') await askOpen(run, asked, groupsAsked(run.study, asked, margins).questions)
  }
}

/** Of several parts of a study, the one that has the first scenario of the dataset asks; `whatif merge` takes its answers. */
function asksAbout({ study, planned }: PlannedRun, { dataset }: StudyBacktest): boolean {
  if (study.shard === undefined) return true
  const first = study.scenarios.find((scenario) => scenario.dataset === dataset)
  return first !== undefined && planned.get(first.id)?.selected === true
}

/** Keys of the answers that the study's backtests have. */
export function backtestKeys(known: KnownStudy): ReadonlySet<string> {
  return new Set(
    known.study.backtests.flatMap((backtest) => {
      const asked = askedOf(known, backtest)
      if (asked === null) return []
      const first = marginsAsked(asked)
      const margins = answersTo(known, first)
      return typeof margins === 'string'
        ? first.keys
        : [...first.keys, ...groupsAsked(known.study, asked, margins).questions.keys]
    }),
  )
}

/** What the manifest says of the study's backtests; undefined where it has none. */
export function knownBacktests(known: KnownStudy): Record<string, ManifestBacktest> | undefined {
  const { backtests } = known.study
  if (backtests.length === 0) return undefined
  return dataRecord(backtests.map((backtest) => [backtest.id, resultOf(known, backtest)] as const))
}

function resultOf(known: KnownStudy, backtest: StudyBacktest): ManifestBacktest {
  const { dataset, by, on } = backtest
  const asked = askedOf(known, backtest)
  const found = asked === null ? 'estimates_not_asked' : groupsOf(known, asked)
  const judged = typeof found === 'string' || asked === null ? judgeGroups([]) : judgedGroups(asked, found)
  return {
    dataset,
    by,
    on: on.map(({ value }) => value),
    ...judged,
    ...(typeof found === 'string' && { no_estimates: found }),
    // Of a dataset that a run leaves out nothing is asked, as of a comparison.
    gates: typeof found === 'string' && !isSelected(known, dataset) ? [] : backtestGates(backtest, judged.totals),
  }
}

const isSelected = ({ study, planned }: KnownStudy, dataset: string): boolean =>
  study.scenarios.some((scenario) => scenario.dataset === dataset && planned.get(scenario.id)?.selected !== false)

/** Null where the dataset is not trained, or does not have what makes the groups. */
function askedOf({ datasets }: KnownStudy, backtest: StudyBacktest): AskedBacktest | null {
  const record = datasets.get(backtest.dataset)
  const { datasetId, schema } = record ?? {}
  if (datasetId == null || schema == null) return null
  const columns = new Map(schema.map((column) => [column.name, column]))
  const by = columns.get(backtest.by)
  const on = backtest.on.flatMap(({ value }) => columns.get(value) ?? [])
  if (by?.levels === undefined || on.length < backtest.on.length) return null
  const known = new Set(by.levels)
  const named = backtest.levels.map(({ value }) => value).filter((level) => known.has(level))
  return {
    id: backtest.id,
    dataset: backtest.dataset,
    datasetId,
    model: record?.model?.id ?? datasetId,
    by,
    levels: backtest.levels.length === 0 ? sequenceOf(by) : named,
    on,
    figures: figuresNamed(backtest, columns),
    base: backtest.base,
  }
}

/** Those that the data have. */
const figuresNamed = (
  { outcomes }: StudyBacktest,
  columns: ReadonlyMap<string, AnySchemaColumn>,
): readonly NamedFigure[] =>
  outcomes.flatMap(({ kind, column: name }): readonly NamedFigure[] => {
    const column = columns.get(name)
    if (column === undefined) return []
    if (kind === 'means') return [{ column, level: null }]
    return column.levels === undefined ? [] : figuresOf(column)
  })

function questionsOf(
  { model }: AskedBacktest,
  differences: readonly Difference[],
  outcomes: EstimateRequest['outcomes'],
  columns: readonly AnySchemaColumn[],
): Questions {
  return {
    keys: differences.map(({ scenario, baseline: against }) => questionKey(model, { scenario, against, outcomes })),
    differences,
    outcomes,
    levels: mostLevels(columns),
  }
}

const marginsAsked = (asked: AskedBacktest): Questions =>
  questionsOf(asked, marginQuestions(asked), marginOutcomes(asked), asked.on)

function groupsAsked(study: Study, asked: AskedBacktest, margins: readonly (RecordedEstimates | null)[]) {
  const groups = groupQuestions(asked, margins)
  const outcomes = groupOutcomes(asked, { study, name: asked.dataset })
  const differences = groups.flatMap(({ reweighted, asTheyAre }) => [reweighted, asTheyAre])
  const columns = asked.figures.map(({ column }) => column)
  return { groups, questions: questionsOf(asked, differences, outcomes, columns) }
}

function groupsOf(known: KnownStudy, asked: AskedBacktest): ReadonlyMap<string, GroupAnswers> | NoEstimates {
  const margins = answersTo(known, marginsAsked(asked))
  if (typeof margins === 'string') return margins
  const { groups, questions } = groupsAsked(known.study, asked, margins)
  const found = answersTo(known, questions)
  if (typeof found === 'string') return found
  return new Map(
    groups.map(({ level }, i) => [level, { reweighted: found[2 * i] ?? null, asTheyAre: found[2 * i + 1] ?? null }]),
  )
}

/** Null for each that is not the answer to its question. */
function answersTo(
  { answers, unanswered }: KnownStudy,
  { keys }: Questions,
): readonly (RecordedEstimates | null)[] | NoEstimates {
  const found: (RecordedEstimates | null)[] = []
  for (const key of keys) {
    const record = answers.get(key)
    if (record === undefined) return unanswered.has(key) ? 'estimates_failed' : 'estimates_not_asked'
    if (record.status !== 'known' && record.status !== 'estimates_unreadable') return record.status
    found.push(record.status === 'known' ? record.estimates : null)
  }
  return found
}

/** False where nothing more can be asked. */
async function askOpen(run: PlannedRun, asked: AskedBacktest, questions: Questions): Promise<boolean> {
  const { keys, differences, outcomes, levels } = questions
  const open = keys.flatMap((key, i) => (isOpen(run, run.store.state.estimates.get(key)) ? [{ key, i }] : []))
  if (open.length === 0) return true
  if (!run.service.isUsed && lacksOperation(run)) {
    for (const { key } of open) await settle(run, { key, status: 'no_estimates_operation' })
    return false
  }
  const isCut = run.progress.breaker === 'network' || run.progress.breaker === 'authentication'
  if (isCut || deadlineOf(run) === null) return false
  const client = await clientOf(run)
  // The time to start the service does not count.
  const deadlineMs = deadlineOf(run)
  if (client === null || deadlineMs === null) {
    for (const { key } of open) run.known.unanswered.add(key)
    return false
  }
  // Its network faults must not explain a deadline of the run.
  const { ledger: _, ...common }: CallOptions = run.service.call(`backtest ${asked.id}`)
  const answers = await askDifferences(
    open.map(({ i }) => differences[i]!),
    { client, datasetId: asked.datasetId, outcomes, levels, call: { ...common, deadlineMs } },
  )
  for (const [at, { key }] of open.entries()) {
    if (answers === 'estimates_failed') run.known.unanswered.add(key)
    else if (typeof answers === 'string') await settle(run, { key, status: answers as SettledStatus })
    else {
      const estimates = answers[at] ?? null
      await settle(
        run,
        estimates === null ? { key, status: 'estimates_unreadable' } : { key, status: 'known', estimates },
      )
    }
  }
  return typeof answers !== 'string'
}

/** `estimates_not_asked` is no answer of a service. */
type SettledStatus = Exclude<NoEstimates, 'estimates_failed' | 'estimates_not_asked'>
