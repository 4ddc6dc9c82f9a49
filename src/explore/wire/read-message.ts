import { z } from 'zod'
import { Conditions } from '../../contract/conditions.ts'
import { MAX_ESTIMATE_OUTCOMES } from '../../contract/limits.ts'
import { baseShape, figureShape, outcomeShape, whereShape } from './asked-shapes.ts'
import type {
  BesidesQuestion,
  CellsQuestion,
  KeptScenarios,
  MattersQuestion,
  NeededQuestion,
  Question,
  RunCommand,
  SaveQuestion,
} from './messages.ts'

/** Scenarios that a page holds. */
export const MOST_SCENARIOS = 20

const outcomes = z.array(outcomeShape).min(1).max(MAX_ESTIMATE_OUTCOMES)
const asked = { outcomes, where: whereShape, base: baseShape, by: z.string().optional() }

const kept = {
  scenarios: z
    .array(z.strictObject({ id: z.string().max(200), conditions: Conditions }))
    .min(1)
    .max(MOST_SCENARIOS),
  ...asked,
}

const SHAPES = {
  answers: z.strictObject({
    conditions: Conditions,
    ...asked,
    distribution: z.string().optional(),
  }),
  besides: z.strictObject({ conditions: Conditions }),
  cells: z.strictObject({ columns: z.tuple([z.string(), z.string()]) }),
  matters: z.strictObject({ figure: figureShape, where: whereShape, base: baseShape }),
  needed: z.strictObject({
    conditions: Conditions,
    lever: z.strictObject({ column: z.string(), level: z.string() }),
    ...{ figure: figureShape, where: whereShape, base: baseShape },
    by: z.number(),
  }),
  kept: z.strictObject(kept),
  save: z.strictObject({ ...kept, onto: z.string() }),
  run: z.strictObject({ say: z.enum(['start', 'go', 'stop']) }),
}

interface Messages {
  answers: Question
  besides: BesidesQuestion
  cells: CellsQuestion
  matters: MattersQuestion
  needed: NeededQuestion
  kept: KeptScenarios
  save: SaveQuestion
  run: RunCommand
}

/** Null: the text is not such a message. */
export function readMessage<Kind extends keyof Messages>(kind: Kind, text: string): Messages[Kind] | null {
  try {
    const message: unknown = JSON.parse(text)
    SHAPES[kind].parse(message)
    // As it was sent: what zod returns lacks a column or level named `__proto__`, and the answer would be to another question.
    return message as Messages[Kind]
  } catch {
    return null
  }
}
