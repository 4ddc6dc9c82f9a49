import { type CanonicalValue, canonicalJson } from '../../base/canonical-json.ts'
import type { Estimates } from '../../client/estimate-replies.ts'
import type { CallOptions, ServiceClient } from '../../client/service-client.ts'
import { ServiceError, type ServiceErrorKind } from '../../client/service-error.ts'
import type { EstimateRequest } from '../../contract/estimates.ts'
import { MAX_ESTIMATE_OUTCOMES } from '../../contract/limits.ts'
import type {
  RecordedBase,
  RecordedEstimate,
  RecordedEstimates,
  RecordedSide,
  SettledGap,
} from '../../records/state/estimates.ts'
import type { EstimateQuestion } from './estimate-questions.ts'

/** Concurrent questions. */
export const MOST_AT_ONCE = 4

/** An answer, in the parts of its request; or why there is none. */
export type EstimateAnswer =
  | { readonly kind: 'answered'; readonly parts: readonly AnswerPart[] }
  | { readonly kind: 'none'; readonly why: SettledGap | 'estimates_failed' }

export interface AnswerPart {
  readonly asked: EstimateRequest['outcomes']
  readonly reply: Estimates
}

/** Of all rows, of those of a segment, or of a further difference. */
export interface EstimatePart {
  readonly asked: EstimateRequest['outcomes']
  readonly reply: Pick<Estimates, 'scenario' | 'baseline' | 'outcomes'>
}

/**
 * The seed's estimate of a difference. The operation is an extension that a service need not have, and nothing depends
 * on it: every failure is an answer here. Rejects only with the reason of `call.signal` after an abort. `gone` collects
 * missing datasets, which are not asked about again.
 */
export async function askService(
  client: ServiceClient,
  question: Omit<EstimateQuestion, 'key' | 'comparison'>,
  call: CallOptions,
  gone: Set<string>,
): Promise<EstimateAnswer> {
  let why: SettledGap = 'estimates_dataset_gone'
  for (const datasetId of question.datasetIds) {
    if (gone.has(datasetId)) continue
    let found = await askDataset(client, datasetId, question, call)
    // A service of an earlier version does not know the field.
    if (
      found.kind === 'none' &&
      (found.why === 'estimates_refused' || found.why === 'no_quantile_estimates') &&
      question.together !== undefined
    )
      found = await askDataset(client, datasetId, { ...question, together: undefined }, call)
    if (found.kind === 'answered') return found
    // Another training of the same model may answer instead.
    if (found.why !== 'estimates_dataset_gone' && found.why !== 'estimates_other_model') return found
    if (found.why === 'estimates_dataset_gone') gone.add(datasetId)
    why = found.why
  }
  return { kind: 'none', why }
}

async function askDataset(
  client: ServiceClient,
  datasetId: string,
  {
    scenario,
    against: baseline,
    outcomes,
    by,
    where,
    together,
    further,
    modelId,
  }: Omit<EstimateQuestion, 'key' | 'comparison'>,
  call: CallOptions,
): Promise<EstimateAnswer> {
  const parts: AnswerPart[] = []
  try {
    for (let at = 0; at < outcomes.length; at += MAX_ESTIMATE_OUTCOMES) {
      const asked = outcomes.slice(at, at + MAX_ESTIMATE_OUTCOMES)
      const request = {
        scenario,
        baseline,
        outcomes: asked,
        ...(by === undefined ? {} : { by }),
        ...(where && { where }),
        ...(together && { together: [...together] }),
        ...(further && { further }),
      }
      const { value } = await client.estimateDifferences({ datasetId, request }, call)
      if (modelId !== null && value.model_id !== undefined && value.model_id !== modelId)
        return { kind: 'none', why: 'estimates_other_model' }
      // A service that does not know the field has counted all rows.
      if (where !== undefined && !isSameRows(where, value.where)) return { kind: 'none', why: 'no_where_estimates' }
      parts.push({ asked, reply: value })
    }
    return { kind: 'answered', parts }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const isUnknown = error.kind === 'not_found' || error.kind === 'gone'
    const why = isUnknown ? await missingPart(client, datasetId, call) : gapOf(error)
    // It protects its seeds, or is of an earlier version.
    const isOfQuantiles = outcomes.some(({ statistic }) => statistic === 'quantiles')
    return { kind: 'none', why: isOfQuantiles && why === 'estimates_refused' ? 'no_quantile_estimates' : why }
  }
}

/** Whether a reply is about the rows that were asked for: a service that does not know the field has counted all. */
export const isSameRows = (asked: CanonicalValue, confirmed: Estimates['where']): boolean =>
  confirmed !== undefined && canonicalJson(asked) === canonicalJson(confirmed as CanonicalValue)

/** A 404 concerns the operation or the dataset; only a request for the dataset shows which. */
async function missingPart(
  client: ServiceClient,
  datasetId: string,
  call: CallOptions,
): Promise<SettledGap | 'estimates_failed'> {
  try {
    await client.getDataset(datasetId, call)
    return 'no_estimates_operation'
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return error.kind === 'not_found' || error.kind === 'gone' ? 'estimates_dataset_gone' : 'estimates_failed'
  }
}

/** These faults pass with time or with other credentials. */
const PASSING: ReadonlySet<ServiceErrorKind> = new Set(['server', 'network', 'deadline', 'auth'])

function gapOf({ kind, status }: ServiceError): SettledGap | 'estimates_failed' {
  if (status === 405 || status === 501) return 'no_estimates_operation'
  if (PASSING.has(kind)) return 'estimates_failed'
  return kind === 'reply' ? 'estimates_unreadable' : 'estimates_refused'
}

/**
 * The parts of an answer that are kept. Null when they do not answer the question: the rows of a side are missing, or
 * it is another statistic than the one requested.
 */
export function readEstimates(parts: readonly EstimatePart[]): RecordedEstimates | null {
  const scenario = sideOf(parts.map(({ reply }) => reply.scenario))
  const against = sideOf(parts.map(({ reply }) => reply.baseline))
  if (scenario === undefined || against === undefined) return null
  const pairs = parts.flatMap(({ asked, reply }) => asked.map((one, i) => ({ asked: one, found: reply.outcomes[i] })))
  const isAnswered = pairs.every(
    ({ asked, found }) =>
      found?.statistic === asked.statistic &&
      (found?.statistic === 'mean' ||
        (found?.statistic === 'quantiles' ? found.quantiles : found?.levels) !== undefined),
  )
  if (!isAnswered) return null
  const bases = pairs.flatMap(({ asked, found }) =>
    found?.scenario_base && found.baseline_base
      ? [[asked.column, { scenario: baseOf(found.scenario_base), against: baseOf(found.baseline_base) }] as const]
      : [],
  )
  return {
    scenario,
    against,
    bases,
    shares: pairs.flatMap(({ asked, found }) =>
      asked.statistic === 'shares'
        ? [[asked.column, (found?.levels ?? []).map((l) => [l.level, estimateOf(l)] as const)] as const]
        : [],
    ),
    ...(pairs.some(({ asked }) => asked.statistic === 'quantiles') && {
      quantiles: pairs.flatMap(({ asked, found }) =>
        asked.statistic === 'quantiles'
          ? [
              [
                asked.column,
                (found?.quantiles ?? []).map((one) => [String(one.quantile), estimateOf(one)] as const),
              ] as const,
            ]
          : [],
      ),
    }),
    means: pairs.flatMap(({ asked, found }) => (found?.mean ? [[asked.column, estimateOf(found.mean)] as const] : [])),
  }
}

/** The same inside each segment. Null when they do not answer; undefined when the service knows no segments. */
export function readSegments(
  parts: readonly AnswerPart[],
): readonly (readonly [level: string, estimates: RecordedEstimates])[] | null | undefined {
  const [first] = parts
  if (first === undefined || parts.some(({ reply }) => reply.segments === undefined)) return undefined
  const read: [string, RecordedEstimates][] = []
  for (const { level } of first.reply.segments ?? []) {
    const inside = parts.flatMap(({ asked, reply }) => {
      const segment = reply.segments?.find((candidate) => candidate.level === level)
      return segment === undefined ? [] : [{ asked, reply: segment }]
    })
    const estimates = inside.length < parts.length ? null : readEstimates(inside)
    if (estimates === null) return null
    read.push([level, estimates])
  }
  return read
}

const estimateOf = (found: EstimatedDifference): RecordedEstimate => ({
  scenario: found.scenario,
  against: found.baseline,
  difference: found.difference,
  standardError: found.standard_error,
  degreesOfFreedom: found.degrees_of_freedom ?? null,
  ...(found.simultaneous_quantile !== undefined && { simultaneousQuantile: found.simultaneous_quantile }),
})

interface EstimatedDifference {
  readonly scenario: number
  readonly baseline: number
  readonly difference: number
  readonly standard_error: number
  readonly degrees_of_freedom?: number | undefined
  readonly simultaneous_quantile?: number | undefined
}

interface EstimatedBase {
  readonly rows?: number | undefined
  readonly effective_rows?: number | undefined
}

const baseOf = ({ rows, effective_rows }: EstimatedBase): RecordedBase => ({
  rows: rows ?? null,
  effectiveRows: effective_rows ?? null,
})

/** Undefined: the rows are missing. Every part of an answer should have the same numbers. */
function sideOf(sides: readonly Estimates['scenario'][]): RecordedSide | undefined {
  let fewest: { effectiveRows: number; support: number } | undefined
  for (const { status, effective_rows, support = effective_rows } of sides) {
    if (status === 'too_few_rows') return { effectiveRows: null, support: null }
    if (status !== 'estimated' || effective_rows === undefined || support === undefined) return undefined
    fewest = {
      effectiveRows: Math.min(fewest?.effectiveRows ?? effective_rows, effective_rows),
      support: Math.min(fewest?.support ?? support, support),
    }
  }
  return fewest
}
