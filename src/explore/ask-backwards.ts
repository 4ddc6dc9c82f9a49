import { noEstimatesWords } from '../answers/words/difference-text.ts'
import { leverMove, leverName, leverWords } from '../answers/words/lever-words.ts'
import { chanceSentence, solutionSentence } from '../answers/words/solution-words.ts'
import { countedIn } from '../answers/words/where-text.ts'
import type { NoEstimates } from '../records/manifest/comparisons.ts'
import { sensitivityOf } from '../runner/estimates/sensitivity.ts'
import { solveLever } from '../runner/estimates/solve-lever.ts'
import { asked, type Explored, figureOf, refusal } from './explored.ts'
import type { Matters, MattersQuestion, Needed, NeededQuestion, Refused } from './wire/messages.ts'

/** Levers that are told. */
const MOST_LEVERS = 15

/** How far each lever moves a figure of the data as they are: `whatif sensitivity` on the page. */
export async function whatMatters(
  explored: Explored,
  { figure: named, ...rows }: MattersQuestion,
): Promise<Matters | Refused> {
  const figure = figureOf(explored.schema, named)
  if (figure === null) return NO_FIGURE
  try {
    const found = await sensitivityOf(asked(explored, rows), figure)
    if (typeof found === 'string') return unknown(found)
    const { levers, questions } = found
    const { of, from } = leverWords(found, levers[0] ?? {})
    const largest = Math.max(...levers.map(({ difference = 0 }) => Math.abs(difference)))
    return {
      kind: 'matters',
      of: `${of}${countedIn(found.where)}`,
      from,
      levers: levers.slice(0, MOST_LEVERS).map((lever) => {
        const { difference, interval } = leverWords(found, lever)
        return {
          name: leverName(lever),
          move: leverMove(lever),
          difference,
          interval,
          isBeyond: lever.beyond_chance === true,
          part: largest > 0 ? (lever.difference ?? 0) / largest : 0,
        }
      }),
      note: `Each lever is raised by 10 points. ${questions.beyond_chance} of ${questions.asked} differences are beyond chance (5 % of such claims are false).`,
    }
  } catch (error) {
    return refusal(error)
  }
}

/** The share of a level that moves a figure of the scenario by so much: `whatif solve` on the page. */
export async function whatIsNeeded(
  explored: Explored,
  { conditions: as, lever, figure: named, by, ...rows }: NeededQuestion,
): Promise<Needed | Refused> {
  const figure = figureOf(explored.schema, named)
  if (figure === null || figureOf(explored.schema, lever) === null) return NO_FIGURE
  if (lever.column === named.column)
    return { kind: 'refused', message: 'The lever and the figure are of one column: that is asked for, not answered.' }
  try {
    const found = await solveLever(asked(explored, rows), { as, figure, lever, by })
    if (typeof found === 'string') return unknown(found)
    return {
      kind: 'needed',
      sentences: [solutionSentence(found), chanceSentence(found)].map(
        (words) => `${words[0]!.toUpperCase()}${words.slice(1)}.`,
      ),
      value: found.solution?.value ?? null,
    }
  } catch (error) {
    return refusal(error)
  }
}

const NO_FIGURE: Refused = { kind: 'refused', message: 'The data have no such figure.' }

const unknown = (why: NoEstimates): Refused => ({ kind: 'refused', message: `Not known: ${noEstimatesWords(why)}.` })
