import { answerWords, comparisonAnswers } from '../../answers/words/answer-text.ts'
import { leadingAnswers, remainderTexts, verdictText } from '../../answers/words/leading-answers.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { RunResult } from '../../runner/interface/run-options.ts'
import { diagnosticToJson } from '../../study/diagnostics/render-diagnostic.ts'
import { shownPath } from '../files/new-files.ts'
import { pendingRows } from '../output/run-summary.ts'
import type { ProjectSession, RunChoice } from './project-session.ts'

/** As many answers as the summary in a terminal has. */
const MOST = { ofOutcome: 3, all: 30 }

/**
 * Runs a study for the rows that are left of the budget. One run at a time: another would spend the same rows.
 *
 * @throws SetupError where no run is allowed.
 */
export async function runForRows(
  session: ProjectSession,
  study: string,
  choice: RunChoice,
  signal: AbortSignal,
): Promise<object> {
  const { budget } = session
  const most = budget.toSpend()
  const result = await session.run(study, choice, most, signal)
  const spent = spentBy(result)
  budget.spend(spent)
  return runData(result, spent, budget.left)
}

/** Work that was left at the service is billed when it is done; and of a run that a bug ended, its plan is the most that is known. */
function spentBy({ manifest, plan, error }: RunResult): number {
  const known = manifest.run.rows_billable + pendingRows(manifest)
  return error === null ? known : Math.max(known, plan?.totals.rowsBound ?? 0)
}

function runData(result: RunResult, spent: number, left: number | null): object {
  const { exitCode, reason, message, manifest, manifestPath, reportPath, diagnostics } = result
  return {
    exit_code: exitCode,
    reason,
    ...(message !== null && { message }),
    rows_billed_at_most: spent,
    rows_left: left,
    manifest: manifestPath === null ? null : shownPath(manifestPath),
    report: reportPath === null ? null : shownPath(reportPath),
    comparisons: manifest.totals.rows_generated === 0 ? [] : comparisonsOf(manifest),
    diagnostics: diagnostics.map(diagnosticToJson),
  }
}

/** The answers that a summary begins with, each with its interval and its base. */
function comparisonsOf(manifest: Manifest): object[] {
  return comparisonAnswers(manifest).map((comparison) => {
    const { outcomes, more } = leadingAnswers(comparison.answers, MOST)
    const { scenarios } = manifest.comparisons[comparison.id]!
    return {
      id: comparison.id,
      against: comparison.against,
      verdict: verdictText(comparison),
      answers: outcomes.flatMap(({ answers }) =>
        answers.map((answer) => {
          const { of, from, to, difference, interval } = answerWords(answer)
          const bases = scenarios[answer.scenario]?.bases ?? {}
          const base = Object.hasOwn(bases, answer.column) ? (bases[answer.column]?.scenario.rows ?? null) : null
          return {
            scenario: answer.scenario,
            figure: of,
            ...{ from, to, difference },
            interval: interval === '' ? null : interval,
            beyond_chance: answer.beyond,
            base,
            marks: answer.marks,
          }
        }),
      ),
      besides: remainderTexts(comparison, more),
    }
  })
}
