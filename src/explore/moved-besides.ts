import { MAX_ESTIMATE_OUTCOMES } from '../contract/limits.ts'
import { readEstimates } from '../runner/estimates/ask-service.ts'
import { outcomeOf } from '../runner/estimates/figure-estimates.ts'
import { answerRows } from './answer-rows.ts'
import { type Explored, figuresOf, refusal, setColumns } from './explored.ts'
import type { Besides, BesidesQuestion, ExploredAnswer, Refused } from './wire/messages.ts'

/** Columns that are told. */
const MOST_TOLD = 10

/**
 * The columns that a scenario changes most beside those that it sets: of each column the figure that moves furthest, in standard
 * deviations of the data (Stuart, Lee and Leacy 2013 judge balance so).
 */
export async function movedBesides(explored: Explored, { conditions }: BesidesQuestion): Promise<Besides | Refused> {
  const { schema, datasetId, client, call } = explored
  const set = setColumns(conditions)
  const columns = schema.filter((column) => !set.has(column.name))
  const moved: Besides['moved'][number][] = []
  try {
    for (let at = 0; at < columns.length; at += MAX_ESTIMATE_OUTCOMES) {
      const some = columns.slice(at, at + MAX_ESTIMATE_OUTCOMES)
      const outcomes = some.map((column) => outcomeOf(explored, figuresOf(column)[0]!))
      const { value: reply } = await client.estimateDifferences(
        { datasetId, request: { scenario: conditions, outcomes } },
        call(),
      )
      const estimates = readEstimates([{ asked: outcomes, reply }])
      if (estimates === null) continue
      for (const [i, column] of some.entries()) {
        const [rows = []] = answerRows([{ figures: figuresOf(column), estimates }], conditions)
        const distances = rows.map((row) => ({ ...row, distance: distanceOf(row, reply.outcomes[i]) }))
        const furthest = distances.sort((a, b) => Math.abs(b.distance) - Math.abs(a.distance))[0]
        if (furthest !== undefined && furthest.distance !== 0) moved.push(furthest)
      }
    }
  } catch (error) {
    return refusal(error)
  }
  moved.sort((a, b) => Math.abs(b.distance) - Math.abs(a.distance))
  return { kind: 'besides', moved: moved.slice(0, MOST_TOLD), columns: columns.length }
}

interface Found {
  readonly mean?: { readonly difference: number; readonly baseline_sd?: number | undefined } | null | undefined
  readonly levels?:
    | readonly { readonly level: string; readonly difference: number; readonly baseline: number }[]
    | undefined
}

function distanceOf({ level }: ExploredAnswer, found: Found | undefined): number {
  if (level === null) {
    const { difference = 0, baseline_sd: sd = 0 } = found?.mean ?? {}
    return sd > 0 ? difference / sd : 0
  }
  const { difference = 0, baseline = 0 } = found?.levels?.find((one) => one.level === level) ?? {}
  const sd = Math.sqrt(baseline * (1 - baseline))
  return sd > 0 ? difference / sd : 0
}
