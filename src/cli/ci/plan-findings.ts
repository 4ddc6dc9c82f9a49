import { escapeText } from '../../base/text/escape-text.ts'
import type { Plan } from '../../plan/plan.ts'
import { violationText } from '../../plan/render-plan.ts'
import type { Finding } from './findings.ts'

/** Why a run would refuse a plan: what is over its budget, and files in the way of its results. */
export function planFindings(plan: Plan, studyFile: string): Finding[] {
  const refusal = (title: string, message: string): Finding => ({
    level: 'error',
    title,
    message,
    place: { file: studyFile },
  })
  return [
    ...plan.budget.violations.map((violation) => refusal('exit code 6', violationText(violation))),
    ...plan.conflicts.map(({ path, scenario }) =>
      refusal(
        'file in the way',
        escapeText(`${path} was changed since it was written; move it away or pass --overwrite (${scenario})`),
      ),
    ),
  ]
}
