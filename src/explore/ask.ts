import { nearestMixRecord } from '../answers/manifest/nearest-mix-record.ts'
import { TOO_FEW_MARK } from '../answers/words/difference-text.ts'
import { effectiveRowsWords } from '../answers/words/effective-rows-text.ts'
import { nearestMixLines, nearestMixWords } from '../answers/words/nearest-mix-text.ts'
import { trustedShortfall } from '../client/trusted-shortfall.ts'
import type { NearestMixRecord } from '../records/manifest/scenarios.ts'
import { readEstimates, readSegments } from '../runner/estimates/ask-service.ts'
import { outcomeOf } from '../runner/estimates/figure-estimates.ts'
import { answerRows } from './answer-rows.ts'
import { type Explored, figuresOf, refusal } from './explored.ts'
import type { ProposedMix, Question, Reply } from './wire/messages.ts'

/** Rows that a study asks for by default: whether the seed can support them is told with the answer. */
const ROWS = 1000

/** What the seed says about a scenario against the data as they are. Nothing is generated, billed or written. */
export async function ask(
  { name, study, schema, datasetId, client, call }: Explored,
  { conditions, outcomes: names, by }: Question,
): Promise<Reply> {
  const columns = names.flatMap((one) => schema.filter((column) => column.name === one))
  const inside = columns.filter((column) => column.name !== by)
  const figures = columns.flatMap(figuresOf)
  const outcomes = columns.map((column) => outcomeOf(study, name, figuresOf(column)[0]!))
  try {
    const request = { scenario: conditions, outcomes, rows: ROWS, ...(by !== undefined && { by }) }
    const { value: reply } = await client.estimateDifferences({ datasetId, request }, call())
    const isShort = (reply.feasible_rows ?? ROWS) < ROWS && reply.shortfall !== undefined
    const shortfall = isShort ? trustedShortfall(reply.shortfall!, conditions) : null
    const { status, low_support: isThin, effective_rows: rows } = reply.scenario
    const estimates = readEstimates([{ asked: outcomes, reply }])
    const segments = by === undefined ? undefined : readSegments([{ asked: outcomes, reply }])
    const [whole = [], ...parts] = answerRows(
      [
        ...(estimates === null ? [] : [{ figures, estimates }]),
        ...(segments ?? []).map(([, found]) => ({ figures: inside.flatMap(figuresOf), estimates: found })),
      ],
      conditions,
    )
    return {
      kind: 'answered',
      answers: estimates === null ? [] : whole,
      effectiveRows:
        rows === undefined
          ? null
          : { words: effectiveRowsWords({ effective_rows: rows }), part: Math.min(1, rows / reply.seed_rows) },
      support: status === 'too_few_rows' ? TOO_FEW_MARK : isThin ? 'thin' : 'enough',
      shortfall: shortfall?.detail ?? null,
      nearest: shortfall?.nearest_mix === undefined ? null : proposed(nearestMixRecord(shortfall.nearest_mix)),
      segments:
        segments?.map(([level], i) => ({
          level,
          answers: (estimates === null ? [whole, ...parts] : parts)[i] ?? [],
        })) ?? null,
    }
  } catch (error) {
    return refusal(error)
  }
}

const proposed = (mix: NearestMixRecord): ProposedMix => ({
  words: nearestMixWords(mix),
  lines: nearestMixLines(mix),
  conditions: mix.conditions as ProposedMix['conditions'],
})
