import { largestBeyondChance } from '../answers/arithmetic/beyond-chance.ts'
import { twoSidedP } from '../answers/arithmetic/student-t.ts'
import { answerWords } from '../answers/words/answer-text.ts'
import { differenceMarks, TOO_FEW_MARK } from '../answers/words/difference-text.ts'
import { effectiveRowsWords } from '../answers/words/effective-rows-text.ts'
import { countText } from '../base/text/amount-text.ts'
import type { CallOptions, ServiceClient } from '../client/service-client.ts'
import { ServiceError } from '../client/service-error.ts'
import type { AnySchemaColumn } from '../contract/datasets.ts'
import type { RecordedEstimate, RecordedEstimates } from '../records/state/estimates.ts'
import { beyondText } from '../report/html/answer-cells.ts'
import { readEstimates } from '../runner/estimates/ask-service.ts'
import { estimateOf, kindOf, outcomeOf } from '../runner/estimates/figure-estimates.ts'
import { foreseenDifference } from '../runner/estimates/foresee-differences.ts'
import type { NamedFigure } from '../runner/estimates/named-figure.ts'
import type { Study } from '../study/study.ts'
import type { ExploredAnswer, Question, Reply } from './messages.ts'
import { scenarioText } from './scenario-text.ts'

/** What is asked about: a trained dataset, and how its service is called. */
export interface Explored {
  readonly name: string
  /** Null: it is of a file alone. */
  readonly study: Study | null
  readonly datasetId: string
  readonly schema: readonly AnySchemaColumn[]
  readonly client: ServiceClient
  readonly call: CallOptions
}

/** Rows that a study asks for by default: whether the seed can support them is told with the answer. */
const ROWS = 1000

/** What the seed says about a scenario against the data as they are. Nothing is generated, billed or written. */
export async function ask(explored: Explored, { conditions, outcomes: names }: Question): Promise<Reply> {
  const { name, study, schema, datasetId, client, call } = explored
  const columns = names.flatMap((one) => schema.filter((column) => column.name === one))
  const figures = columns.flatMap(figuresOf)
  const outcomes = columns.map((column) => outcomeOf(study, name, figuresOf(column)[0]!))
  try {
    const request = { scenario: conditions, outcomes, rows: ROWS }
    const { value: reply } = await client.estimateDifferences({ datasetId, request }, call)
    const shortfall = (reply.feasible_rows ?? ROWS) < ROWS ? (reply.shortfall?.detail ?? null) : null
    const { status, low_support: isThin, effective_rows: rows } = reply.scenario
    const support = status === 'too_few_rows' ? TOO_FEW_MARK : isThin ? 'thin' : 'enough'
    const estimates = readEstimates([{ asked: outcomes, reply }])
    return {
      kind: 'answered',
      answers: estimates === null ? [] : answersOf(figures, estimates, conditions),
      effectiveRows: rows === undefined ? null : effectiveRowsWords({ effective_rows: rows }),
      support,
      shortfall,
      scenario: scenarioText(conditions, study, name),
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const isPassing = ['server', 'network', 'deadline', 'auth'].includes(error.kind)
    return { kind: 'refused', message: isPassing ? `the service gave no answer: ${error.message}` : error.message }
  }
}

const figuresOf = (column: AnySchemaColumn): NamedFigure[] =>
  column.levels === undefined ? [{ column, level: null }] : column.levels.map((level) => ({ column, level }))

/** Judged together, as `whatif sensitivity` judges its levers. */
function answersOf(
  figures: readonly NamedFigure[],
  estimates: RecordedEstimates,
  conditions: Question['conditions'],
): ExploredAnswer[] {
  const set = new Set(Object.values(conditions).flatMap((columns) => Object.keys(columns ?? {})))
  const found = figures.flatMap((figure) => {
    const estimate = estimateOf(estimates, figure)
    if (estimate === null) return []
    const isAskedFor = set.has(figure.column.name)
    return [{ figure, estimate, isAskedFor, ...foreseenDifference(estimate, estimates, kindOf(figure)) }]
  })
  const ps = found.map(({ estimate, isAskedFor, interval, standard_error: error, delta }) =>
    isAskedFor || interval === null || error === null ? null : chanceOf(delta, error, estimate),
  )
  const most = largestBeyondChance(ps.filter((p) => p !== null))
  return found.map(({ figure: { column, level }, isAskedFor, scenario, against, delta, interval, ...certainty }, i) => {
    const p = ps[i] ?? null
    const kind = level !== null ? 'share' : column.format === undefined ? 'number' : 'date'
    const { standard_error: standardError } = certainty
    const words = answerWords({
      ...{ column: column.name, level, kind, from: against, to: scenario, difference: delta, inRows: null },
      ...{ interval, standardError },
    })
    const base = estimates.bases.find(([of]) => of === column.name)?.[1].scenario.rows ?? null
    return {
      column: column.name,
      level,
      ...{ from: words.from, to: words.to, difference: words.difference, interval: words.interval },
      beyond: beyondText({ beyond: p === null ? null : p <= most }),
      base: base === null ? null : countText(base),
      marks: differenceMarks({ ...certainty, ...(isAskedFor && { asked_for: true as const }) }),
    }
  })
}

const chanceOf = (delta: number, error: number, { degreesOfFreedom }: RecordedEstimate): number =>
  error === 0 ? (delta === 0 ? 1 : 0) : twoSidedP(delta / error, degreesOfFreedom)
