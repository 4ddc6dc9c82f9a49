import type { Estimates } from '../../client/replies.ts'
import type { EstimateRequest } from '../../contract/estimates.ts'
import type { RecordedEstimate, RecordedEstimates } from '../../plan/study-state.ts'

/**
 * What is kept of the answers to a question that went out in parts. Null when they do not answer it: a side whose rows are
 * not told, or another statistic than was asked for.
 */
export function readEstimates(
  parts: readonly { readonly asked: EstimateRequest['outcomes']; readonly reply: Estimates }[],
): RecordedEstimates | null {
  const scenario = sideOf(parts.map(({ reply }) => reply.scenario))
  const against = sideOf(parts.map(({ reply }) => reply.baseline))
  if (scenario === undefined || against === undefined) return null
  const pairs = parts.flatMap(({ asked, reply }) => asked.map((one, i) => ({ asked: one, found: reply.outcomes[i] })))
  const isAnswered = pairs.every(
    ({ asked, found }) =>
      found?.statistic === asked.statistic && (found?.statistic === 'mean' || found?.levels !== undefined),
  )
  if (!isAnswered) return null
  return {
    effectiveRows: { scenario, against },
    shares: pairs.flatMap(({ asked, found }) =>
      asked.statistic === 'shares'
        ? [[asked.column, (found?.levels ?? []).map((l) => [l.level, estimateOf(l)] as const)] as const]
        : [],
    ),
    means: pairs.flatMap(({ asked, found }) => (found?.mean ? [[asked.column, estimateOf(found.mean)] as const] : [])),
  }
}

const estimateOf = (found: ToldDifference): RecordedEstimate => ({
  difference: found.difference,
  standardError: found.standard_error,
})

interface ToldDifference {
  readonly difference: number
  readonly standard_error: number
}

/** Effective rows; null: too few. Undefined where that is not told. Every part of an answer should say the same. */
function sideOf(sides: readonly Estimates['scenario'][]): number | null | undefined {
  let fewest: number | undefined
  for (const { status, effective_rows } of sides) {
    if (status === 'too_few_rows') return null
    if (status !== 'estimated' || effective_rows === undefined) return undefined
    fewest = Math.min(fewest ?? effective_rows, effective_rows)
  }
  return fewest
}
