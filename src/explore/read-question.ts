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
    const question: unknown = JSON.parse(text)
    QuestionShape.parse(question)
    // As it was sent: what zod returns lacks a column or level named `__proto__`, and the answer would be to another question.
    return question as Question
  } catch {
    return null
  }
}
