import { evaluateGates, type ManifestReview } from '../../answers/manifest/review-manifest.ts'
import { answersByScenario, answerWords, comparisonAnswers, markTexts } from '../../answers/words/answer-text.ts'
import { BASIS_WORDS } from '../../answers/words/difference-text.ts'
import { expectedParts, foundText } from '../../answers/words/gate-text.ts'
import { partText } from '../../answers/words/part-text.ts'
import { numberWord } from '../../answers/words/quantile-text.ts'
import { shareTargetsOf } from '../../answers/words/share-targets.ts'
import { pointsText } from '../../answers/words/share-text.ts'
import { trialText } from '../../answers/words/trial-text.ts'
import { countText, plural } from '../../base/text/amount-text.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import { codeText } from '../../report/markdown-text.ts'
import { ANSWER_COLUMNS, ANSWER_NUMBERS, markdownAnswers } from '../../report/report-markdown-answers.ts'
import { backtestVerdict } from '../../report/report-markdown-backtests.ts'
import { EXIT_MEANINGS } from '../../runner/interface/exit-meanings.ts'
import type { Plan } from '../../runner/plan/plan.ts'
import { pendingRows } from '../output/run-summary.ts'
import type { Finding } from './findings.ts'
import type { Summary, SummaryTable } from './step-summary.ts'

/** The summary of a command in CI: a sentence and tables. Names are code, so that they never become markup. */

const NONE = '–'

/** `whatif run brand-switching: done (exit code 0)`. */
export function headingOf(command: string, subject: string | null, exitCode: number): string {
  const meaning = (EXIT_MEANINGS as Record<number, { title: string } | undefined>)[exitCode]?.title ?? ''
  return `whatif ${command}${subject === null ? '' : ` ${codeText(subject)}`}: ${meaning} (exit code ${exitCode})`
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
  const cite = digest === null ? '' : `, manifest digest ${codeText(digest)}`
  const cautions = [trialText(manifest), partText(manifest)].filter((text) => text !== null)
  const failed = failedGates(manifest)
  return {
    heading: headingOf(command, study.name, exitCode),
    lead:
      manifest.status === 'refused'
        ? []
        : [
            ...(failed === 0 ? [] : [`**${plural(failed, 'gate')} failed.**`]),
            ...cautions.map((text) => `**${text.slice(0, 1).toUpperCase()}${text.slice(1)}.**`),
            ...markdownAnswers(manifest).map(({ heading, verdict }) => `**${heading}**: ${verdict}`),
            ...Object.entries(manifest.backtests ?? {}).map(
              ([id, backtest]) => `**backtest ${codeText(id)}**: ${backtestVerdict(backtest)}`,
            ),
            `${rows}; ${billed}${earlier}${more}${cite}.`,
          ],
    tables:
      manifest.status === 'refused'
        ? []
        : [...answerTables(manifest), scenarioTable(manifest), differenceTable(manifest)],
  }
}

/** Also those that are forgiven, which the exit code does not tell. */
const failedGates = (manifest: Manifest): number =>
  evaluateGates(manifest).gates.filter(({ gate, counts }) => counts && !gate.passed && gate.level === 'fail').length

/** The strongest answers of each comparison, before the tables of everything. */
const answerTables = (manifest: Manifest): SummaryTable[] =>
  markdownAnswers(manifest).map(({ heading, rows }) => ({
    heading: `What ${heading} says`,
    columns: ANSWER_COLUMNS,
    right: ANSWER_NUMBERS,
    rows,
  }))

function differenceTable(manifest: Manifest): SummaryTable {
  const rows = comparisonAnswers(manifest).flatMap(({ id, answers }) => {
    const own = answersByScenario(answers)
    return Object.keys(manifest.comparisons[id]!.scenarios).flatMap((scenario) =>
      (own.get(scenario) ?? []).map((answer) => {
        const { difference, interval } = answerWords(answer)
        return [
          codeText(id),
          codeText(scenario),
          `${codeText(answer.column)} ${answer.level === null ? numberWord(answer.quantile) : codeText(answer.level)}`,
          difference,
          interval || NONE,
          [...(answer.basis === null ? [] : [BASIS_WORDS[answer.basis]]), ...markTexts(answer)].join(', ') || NONE,
        ]
      }),
    )
  })
  return {
    heading: 'Differences',
    columns: ['Comparison', 'Scenario', 'Of', 'Difference', '95 % interval', 'Interval rests on'],
    right: ['Difference', '95 % interval'],
    rows,
  }
}

function scenarioTable({ scenarios, run }: Manifest): SummaryTable {
  return {
    heading: 'Scenarios',
    columns: ['Scenario', 'Status', 'Rows', 'Of', 'Shares off by', 'Gates', 'How'],
    right: ['Rows', 'Of', 'Shares off by'],
    rows: Object.entries(scenarios).map(([id, scenario]) => {
      const { status, rows, gates } = scenario
      const deltas = shareTargetsOf(scenario).map(({ delta }) => Math.abs(delta))
      const failed = gates.filter((gate) => !gate.passed).length
      return [
        codeText(id),
        status.replace('_', ' '),
        rows.counted === null ? NONE : countText(rows.counted),
        countText(rows.requested),
        deltas.length === 0 ? NONE : pointsText(Math.max(...deltas)).replace('+', ''),
        gates.length === 0
          ? NONE
          : failed === 0
            ? `${gates.length} passed`
            : `**${failed} of ${gates.length} not passed**`,
        codeText(run.actions[id] ?? NONE),
      ]
    }),
  }
}

export function gateSummaryPage(manifest: Manifest, review: ManifestReview, exitCode: number): Summary {
  const failedFirst = [...review.gates].sort((a, b) => Number(a.gate.passed) - Number(b.gate.passed))
  const rows = failedFirst.map(({ id, gate, counts }) => [
    codeText(gate.id),
    codeText(id),
    expectedParts(gate).map(codeText).join(' '),
    gate.actual === null ? NONE : foundText(gate),
    gate.passed ? 'passed' : !counts ? 'not selected' : gate.level === 'fail' ? '**failed**' : 'warning',
  ])
  return {
    heading: headingOf('gate', manifest.study.name, exitCode),
    lead: [],
    tables: [{ heading: 'Gates', columns: ['Gate', 'Of', 'Expected', 'Found', 'Verdict'], right: ['Found'], rows }],
  }
}

export function planSummaryPage(plan: Plan, exitCode: number): Summary {
  const { upload, generate, download, reuse, rowsBound } = plan.totals
  const rows = plan.scenarios
    .filter(({ selected }) => selected)
    .map(({ id, action, rowsBound: most }) => [codeText(id), action.kind, countText(most)])
  return {
    heading: headingOf('plan', plan.study.name, exitCode),
    lead: [
      `Upload ${upload}, generate ${generate}, download ${download}, reuse ${reuse}; at most ${plural(rowsBound, 'row')} billed.`,
    ],
    tables: [{ heading: 'Scenarios', columns: ['Scenario', 'Action', 'Rows at most'], right: ['Rows at most'], rows }],
  }
}

export function filesSummaryPage(
  command: string,
  files: readonly { readonly name: string; readonly exitCode: number; readonly findings: readonly Finding[] }[],
  exitCode: number,
): Summary {
  const of = (findings: readonly Finding[], level: Finding['level']) =>
    String(findings.filter((finding) => finding.level === level).length)
  const rows = files.map(({ name, exitCode: code, findings }) => [
    codeText(name),
    code === 0 ? 'passed' : `**exit code ${code}**`,
    of(findings, 'error'),
    of(findings, 'warning'),
  ])
  return {
    heading: headingOf(command, null, exitCode),
    lead: [],
    tables: [
      { heading: 'Files', columns: ['File', 'Result', 'Errors', 'Warnings'], right: ['Errors', 'Warnings'], rows },
    ],
  }
}
