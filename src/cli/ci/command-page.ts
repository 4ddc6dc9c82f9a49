import { evaluateGates, type ManifestReview } from '../../answers/manifest/review-manifest.ts'
import { answersByScenario, answerWords, comparisonAnswers, markTexts } from '../../answers/words/answer-text.ts'
import { basisWords } from '../../answers/words/difference-text.ts'
import { partText } from '../../answers/words/part-text.ts'
import { numberWord } from '../../answers/words/quantile-text.ts'
import { shareTargetsOf } from '../../answers/words/share-targets.ts'
import { pointsText } from '../../answers/words/share-text.ts'
import { trialText } from '../../answers/words/trial-text.ts'
import { type Table, table, worded } from '../../base/document/block.ts'
import { code, joined, name, strong, type Text, text } from '../../base/document/text.ts'
import { countText, plural } from '../../base/text/amount-text.ts'
import { capital } from '../../base/text/capital.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import { backtestTexts } from '../../report/tables/backtest-texts.ts'
import { gateTable } from '../../report/tables/gate-table.ts'
import { leadingAnswersOf } from '../../report/tables/leading-answers.ts'
import { EXIT_MEANINGS } from '../../runner/interface/exit-meanings.ts'
import type { Plan } from '../../runner/plan/plan.ts'
import { pendingRows } from '../output/run-summary.ts'
import type { Finding } from './findings.ts'
import type { Summary } from './step-summary.ts'

/** The summary of a command in CI: a sentence and tables. Names are code, so that they never become markup. */

const NONE = '–'

/** `whatif run brand-switching: done (exit code 0)`. */
export function headingOf(command: string, subject: string | null, exitCode: number): Text {
  const meaning = (EXIT_MEANINGS as Record<number, { title: string } | undefined>)[exitCode]?.title ?? ''
  return text`whatif ${command}${subject !== null && [' ', name(subject)]}: ${meaning} (exit code ${exitCode})`
}

export function runSummaryPage(command: string, manifest: Manifest, exitCode: number, digest: string | null): Summary {
  const { totals, run, study } = manifest
  const rows = `${countText(totals.rows_generated)} of ${plural(totals.rows_requested, 'row')} in ${plural(totals.ready + totals.partial, 'file')}`
  const billed = `billed in this run: ${plural(run.rows_billable, 'row')} (${run.service} service)`
  const collected = run.rows_collected ?? 0
  const earlier = collected === 0 ? '' : `; collected: ${plural(collected, 'row')} from requests before this run`
  const pending = pendingRows(manifest)
  const more =
    pending === 0
      ? ''
      : `; up to ${plural(pending, 'row')} more are still being generated at the service, and billed when done`
  const cite = digest !== null && [', manifest digest ', code(digest)]
  const cautions = [trialText(manifest), partText(manifest)].filter((caution) => caution !== null)
  const failed = failedGates(manifest)
  const leading = leadingAnswersOf(manifest)
  return {
    heading: headingOf(command, study.name, exitCode),
    lead:
      manifest.status === 'refused'
        ? []
        : [
            ...(failed === 0 ? [] : [strong(`${plural(failed, 'gate')} failed.`)]),
            ...cautions.map((caution) => strong(`${capital(caution)}.`)),
            ...leading.map(({ of, verdict }) => [strong(of), ': ', verdict]),
            ...Object.entries(manifest.backtests ?? {}).map(
              ([id, backtest]) => text`${strong(text`backtest ${name(id)}`)}: ${joined(backtestTexts(backtest), ' ')}`,
            ),
            text`${rows}; ${billed}${earlier}${more}${cite}.`,
          ],
    tables:
      manifest.status === 'refused'
        ? []
        : [...leading.map(({ table: of }) => of), scenarioTable(manifest), differenceTable(manifest)],
  }
}

/** Also those that are forgiven, which the exit code does not tell. */
export const failedGates = (manifest: Manifest): number =>
  evaluateGates(manifest).gates.filter(({ gate, counts }) => counts && !gate.passed && gate.level === 'fail').length

function differenceTable(manifest: Manifest): Table {
  const rows = comparisonAnswers(manifest).flatMap(({ id, answers }) => {
    const own = answersByScenario(answers)
    return Object.keys(manifest.comparisons[id]!.scenarios).flatMap((scenario) =>
      (own.get(scenario) ?? []).map((answer) => {
        const { difference, interval } = answerWords(answer)
        return [
          name(id),
          name(scenario),
          text`${name(answer.column)} ${answer.level === null ? numberWord(answer.quantile) : name(answer.level)}`,
          difference,
          interval || NONE,
          [...(answer.basis === null ? [] : [basisWords(answer.basis)]), ...markTexts(answer)].join(', ') || NONE,
        ]
      }),
    )
  })
  return table(
    'Differences',
    [...['Comparison', worded('Scenario'), worded('Of'), 'Difference', '95 % interval'], worded('Interval rests on')],
    rows,
  )
}

function scenarioTable({ scenarios, run }: Manifest): Table {
  return table(
    'Scenarios',
    ['Scenario', worded('Status'), 'Rows', 'Of', 'Shares off by', worded('Gates'), worded('How')],
    Object.entries(scenarios).map(([id, scenario]) => {
      const { status, rows, gates } = scenario
      const deltas = shareTargetsOf(scenario).map(({ delta }) => Math.abs(delta))
      const failed = gates.filter((gate) => !gate.passed).length
      return [
        name(id),
        status.replace('_', ' '),
        rows.counted === null ? NONE : countText(rows.counted),
        countText(rows.requested),
        deltas.length === 0 ? NONE : pointsText(Math.max(...deltas)).replace('+', ''),
        gates.length === 0
          ? NONE
          : failed === 0
            ? `${gates.length} passed`
            : strong(`${failed} of ${gates.length} not passed`),
        name(run.actions[id] ?? NONE),
      ]
    }),
  )
}

export function gateSummaryPage(manifest: Manifest, review: ManifestReview, exitCode: number): Summary {
  const failedFirst = [...review.gates].sort((a, b) => Number(a.gate.passed) - Number(b.gate.passed))
  return {
    heading: headingOf('gate', manifest.study.name, exitCode),
    lead: [],
    tables: [gateTable('Gates', failedFirst, manifest)],
  }
}

export function planSummaryPage(plan: Plan, exitCode: number): Summary {
  const { upload, generate, download, reuse, rowsBound } = plan.totals
  const rows = plan.scenarios
    .filter(({ selected }) => selected)
    .map(({ id, action, rowsBound: most }) => [name(id), action.kind, countText(most)])
  return {
    heading: headingOf('plan', plan.study.name, exitCode),
    lead: [
      `Upload ${upload}, generate ${generate}, download ${download}, reuse ${reuse}; at most ${plural(rowsBound, 'row')} billed.`,
    ],
    tables: [table('Scenarios', ['Scenario', worded('Action'), 'Rows at most'], rows)],
  }
}

export function filesSummaryPage(
  command: string,
  files: readonly { readonly name: string; readonly exitCode: number; readonly findings: readonly Finding[] }[],
  exitCode: number,
): Summary {
  const of = (findings: readonly Finding[], level: Finding['level']) =>
    String(findings.filter((finding) => finding.level === level).length)
  const rows = files.map(({ name: file, exitCode: code, findings }) => [
    name(file),
    code === 0 ? 'passed' : strong(`exit code ${code}`),
    of(findings, 'error'),
    of(findings, 'warning'),
  ])
  return {
    heading: headingOf(command, null, exitCode),
    lead: [],
    tables: [table('Files', ['File', worded('Result'), 'Errors', 'Warnings'], rows)],
  }
}
