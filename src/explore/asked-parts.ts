import { noEstimatesWords } from '../answers/words/difference-text.ts'
import type { Estimates } from '../client/estimate-replies.ts'
import type { EstimateRequest } from '../contract/estimates.ts'
import { isSameRows } from '../runner/estimates/ask-service.ts'
import { outcomeOf } from '../runner/estimates/figure-estimates.ts'
import type { NamedFigure } from '../runner/estimates/named-figure.ts'
import { countedRows } from './counted-rows.ts'
import { type Explored, figuresOf, figuresOfOutcome } from './explored.ts'
import type { Question } from './wire/messages.ts'

/** Figures that are asked for in one request. A service need not tell quantiles, and would refuse all figures with them. */
export interface AskedPart {
  readonly what: 'figures' | 'quantiles' | 'distribution'
  readonly figures: readonly NamedFigure[]
  readonly outcomes: EstimateRequest['outcomes']
}

export interface AnsweredPart extends AskedPart {
  readonly reply: Estimates
}

/** Quantiles that show where the values of a number lie. */
const SHOWN_QUANTILES = [0.1, 0.25, 0.5, 0.75, 0.9]

/** The requests that a question takes; the first one has its scenario's rows. */
export function partsOf(explored: Explored, { outcomes, base, distribution }: Question): AskedPart[] {
  const { schema } = explored
  const figures = outcomes.flatMap((outcome) => figuresOfOutcome(schema, outcome))
  const part = (what: AskedPart['what'], of: readonly NamedFigure[]): AskedPart => ({
    what,
    figures: of,
    outcomes: grouped(of.map((figure) => outcomeOf({ ...explored, base }, figure))),
  })
  const shown = schema.find((column) => column.name === distribution)
  return [
    part(
      'figures',
      figures.filter(({ quantile }) => quantile === undefined),
    ),
    part(
      'quantiles',
      figures.filter(({ quantile }) => quantile !== undefined),
    ),
    part('distribution', shown === undefined ? [] : distributed(shown)),
  ].filter((one) => one.figures.length > 0)
}

const distributed = (column: NamedFigure['column']): NamedFigure[] =>
  column.levels === undefined
    ? SHOWN_QUANTILES.map((quantile) => ({ column, level: null, quantile }))
    : figuresOf(column)

/** Each statistic of a column once, with all of its quantiles. */
function grouped(outcomes: EstimateRequest['outcomes']): EstimateRequest['outcomes'] {
  const found = new Map<string, EstimateRequest['outcomes'][number]>()
  for (const outcome of outcomes) {
    const key = JSON.stringify([outcome.column, outcome.statistic])
    const { quantiles = [] } = found.get(key) ?? {}
    const all = [...new Set([...quantiles, ...(outcome.quantiles ?? [])])]
    found.set(key, { ...outcome, ...(all.length > 0 && { quantiles: all }) })
  }
  return [...found.values()]
}

/**
 * All parts at a time. Rejects where the first is refused; what else the service does not tell is a text.
 *
 * @param rows Of the scenario: whether it can have them is told with the first part.
 */
export async function askParts(
  { datasetId, client, call }: Explored,
  { conditions, where, by }: Question,
  parts: readonly AskedPart[],
  rows: number,
): Promise<(AnsweredPart | string)[]> {
  const counted = countedRows(where)?.asked
  return await Promise.all(
    parts.map(async (part, i) => {
      const request = {
        ...{ scenario: conditions, outcomes: part.outcomes },
        ...(i === 0 && { rows }),
        ...(counted && { where: counted }),
        ...(by !== undefined && part.what !== 'distribution' && { by }),
      }
      try {
        const { value: reply } = await client.estimateDifferences({ datasetId, request }, call())
        if (counted !== undefined && !isSameRows(counted, reply.where)) return noEstimatesWords('no_where_estimates')
        return { ...part, reply }
      } catch (error) {
        if (i === 0) throw error
        return (error as Error).message
      }
    }),
  )
}
