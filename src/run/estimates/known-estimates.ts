import type { NoEstimates } from '../../manifest/difference-records.ts'
import type { RecordedEstimates } from '../../plan/study-state.ts'
import type { Comparison } from '../../study/study.ts'
import { standingOf } from '../generations/scenario-results.ts'
import type { RunContext } from '../session/run-context.ts'
import { type EstimateQuestion, questionOf } from './estimate-question.ts'

/** What is to be known of the seed for the comparisons of a study: a question per scenario with rows on both sides. */
export function questionsOf(context: RunContext): Map<string, EstimateQuestion> {
  const questions = new Map<string, EstimateQuestion>()
  for (const comparison of context.study.comparisons) {
    for (const scenario of comparison.scenarios) {
      const question = questionAbout(context, comparison, scenario)
      if (question !== null && !questions.has(question.key)) questions.set(question.key, question)
    }
  }
  return questions
}

/** What the seed says of a scenario of a comparison, as far as it was asked. */
export function knownEstimates(
  context: RunContext,
  comparison: Comparison,
  scenario: string,
): RecordedEstimates | NoEstimates {
  const question = questionAbout(context, comparison, scenario)
  if (question === null) return 'estimates_other_model'
  const record = context.state.estimates.get(question.key)
  if (record === undefined) return context.unanswered.has(question.key) ? 'estimates_failed' : 'estimates_not_asked'
  return record.status === 'known' ? record.estimates : record.status
}

function questionAbout(context: RunContext, comparison: Comparison, scenario: string): EstimateQuestion | null {
  const [side, against] = [scenario, comparison.against].map((id) => {
    const { status, record } = standingOf(context, id)
    return status === 'ready' || status === 'partial' ? record : null
  })
  return side?.artifact && against?.artifact ? questionOf(comparison, side, against) : null
}
