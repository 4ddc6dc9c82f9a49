import { nearestMixRecord } from '../answers/manifest/nearest-mix-record.ts'
import { TOO_FEW_MARK } from '../answers/words/difference-text.ts'
import { effectiveRowsWords } from '../answers/words/effective-rows-text.ts'
import { nearestMixLines, nearestMixWords } from '../answers/words/nearest-mix-text.ts'
import { trustedShortfall } from '../client/trusted-shortfall.ts'
import type { NearestMixRecord } from '../records/manifest/scenarios.ts'
import type { RecordedEstimates } from '../records/state/estimates.ts'
import { readEstimates, readSegments } from '../runner/estimates/ask-service.ts'
import { estimateOf } from '../runner/estimates/figure-estimates.ts'
import { answerRows, type EstimatedFigures } from './answer-rows.ts'
import { type AnsweredPart, askParts, partsOf } from './asked-parts.ts'
import { countedInText } from './counted-rows.ts'
import { type Explored, levelsLeftOut, refusal } from './explored.ts'
import type { Distribution, ExploredAnswer, ProposedMix, Question, Refused, Reply } from './wire/messages.ts'

/** Rows that a study asks for by default: whether the seed can support them is told with the answer. */
const ROWS = 1000

/** What the seed says about a scenario against the data as they are. Nothing is generated, billed or written. */
export async function ask(explored: Explored, question: Question): Promise<Reply> {
  const { conditions, where, by } = question
  const parts = partsOf(explored, question)
  if (parts.length === 0) return NOTHING
  try {
    const found = await askParts(explored, question, parts, ROWS)
    const [first] = found
    if (typeof first === 'string') return { kind: 'refused', message: `Not known: ${first}.` }
    const { reply } = first!
    const isShort = (reply.feasible_rows ?? ROWS) < ROWS && reply.shortfall !== undefined
    const shortfall = isShort ? trustedShortfall(reply.shortfall!, conditions) : null
    const { status, low_support: isThin, effective_rows: rows } = reply.scenario
    const known = found.flatMap((part) => (typeof part === 'string' ? [] : [part]))
    const shown = known.filter(({ what }) => what !== 'distribution')
    const spread = known.find(({ what }) => what === 'distribution')
    const segments = by === undefined ? [] : segmentsOf(shown, by)
    const whole = shown.flatMap(estimated)
    const drawn = spread === undefined ? [] : estimated(spread)
    const rowsOf = answerRows([...whole, ...drawn, ...(segments ?? []).flatMap(({ of }) => of)], conditions)
    const take = (count: number): ExploredAnswer[] => rowsOf.splice(0, count).flat()
    // In the sequence in which they were handed over.
    const answers = inSequence(take(whole.length), question)
    const distribution = spread === undefined ? null : distributionOf(spread, drawn[0], take(drawn.length))
    return {
      kind: 'answered',
      answers,
      effectiveRows:
        rows === undefined
          ? null
          : { words: effectiveRowsWords({ effective_rows: rows }), part: Math.min(1, rows / reply.seed_rows) },
      support: status === 'too_few_rows' ? TOO_FEW_MARK : isThin ? 'thin' : 'enough',
      shortfall: shortfall?.detail ?? null,
      nearest: shortfall?.nearest_mix === undefined ? null : proposed(nearestMixRecord(shortfall.nearest_mix)),
      where: countedInText(
        where,
        whole.map(({ estimates }) => estimates),
      ),
      gaps: [
        ...levelsLeftOut(explored.schema, question.outcomes),
        ...found.flatMap((part, i) => (typeof part === 'string' ? [gapText(parts[i]!.what, part)] : [])),
      ],
      distribution,
      segments:
        by === undefined || segments === null
          ? null
          : segments.map(({ level, of }) => ({ level, answers: inSequence(take(of.length), question) })),
    }
  } catch (error) {
    return refusal(error)
  }
}

const NOTHING: Refused = { kind: 'refused', message: 'The data have none of these outcomes.' }

const gapText = (what: AnsweredPart['what'], why: string): string =>
  `${what === 'distribution' ? 'The distribution is not known' : 'Quantiles are not known'}: ${why}`

function estimated({ figures, outcomes, reply }: AnsweredPart): EstimatedFigures[] {
  const estimates = readEstimates([{ asked: outcomes, reply }])
  return estimates === null ? [] : [{ figures, estimates }]
}

/** By level: the figures of each part inside it. Null: the service knows no segments. */
function segmentsOf(
  parts: readonly AnsweredPart[],
  by: string,
): readonly { readonly level: string; readonly of: readonly EstimatedFigures[] }[] | null {
  const found = new Map<string, EstimatedFigures[]>()
  let isKnown = false
  for (const { figures, outcomes, reply } of parts) {
    const inside = figures.filter(({ column }) => column.name !== by)
    const segments = readSegments([{ asked: outcomes, reply }])
    if (segments === undefined || segments === null) continue
    isKnown = true
    for (const [level, estimates] of segments)
      found.set(level, [...(found.get(level) ?? []), { figures: inside, estimates }])
  }
  return isKnown ? [...found].map(([level, of]) => ({ level, of })) : null
}

/** As the outcomes are listed, whichever request their figures came with. */
function inSequence(answers: readonly ExploredAnswer[], { outcomes }: Question): ExploredAnswer[] {
  return outcomes.flatMap(({ column, of }) =>
    answers.filter(
      (answer) =>
        answer.column === column &&
        (of === 'shares'
          ? answer.level !== null
          : answer.level === null && answer.quantile === (of === 'mean' ? undefined : of)),
    ),
  )
}

function distributionOf(
  { figures }: AnsweredPart,
  found: EstimatedFigures | undefined,
  answers: readonly ExploredAnswer[],
): Distribution {
  const estimates: RecordedEstimates | null = found?.estimates ?? null
  const sides = figures.map((figure) => (estimates === null ? null : estimateOf(estimates, figure)))
  const told = sides.filter((side) => side !== null)
  // A box of some quantiles would be drawn wrong; bars of some levels are not.
  const isWhole = figures[0]?.level !== null || told.length === figures.length
  return {
    column: figures[0]!.column.name,
    answers,
    before: isWhole ? told.map(({ against }) => against) : [],
    after: isWhole ? told.map(({ scenario }) => scenario) : [],
  }
}

const proposed = (mix: NearestMixRecord): ProposedMix => ({
  words: nearestMixWords(mix),
  lines: nearestMixLines(mix),
  conditions: mix.conditions as ProposedMix['conditions'],
})
