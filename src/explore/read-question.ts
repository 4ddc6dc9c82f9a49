import { z } from 'zod'
import { Conditions } from '../contract/generations.ts'
import { MAX_ESTIMATE_OUTCOMES } from '../contract/limits.ts'
import type { Question } from './messages.ts'

const QuestionShape = z.strictObject({
  conditions: Conditions,
  outcomes: z.array(z.string()).min(1).max(MAX_ESTIMATE_OUTCOMES),
})

/** Null: the text is not a question. */
export function readQuestion(text: string): Question | null {
  try {
    return QuestionShape.parse(JSON.parse(text))
  } catch {
    return null
  }
}
