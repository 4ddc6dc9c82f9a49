/** The sheets that are lists: all differences, what was asked for and came, and what made it. */

import type { ReadManifest } from '../../answers/manifest/parse-manifest.ts'
import { evaluateGates } from '../../answers/manifest/review-manifest.ts'
import { answersByScenario, type ComparisonAnswers, unitText } from '../../answers/words/answer-text.ts'
import { meanTargetText } from '../../answers/words/mean-target-text.ts'
import { numberWord } from '../../answers/words/quantile-text.ts'
import { shareTargetsOf } from '../../answers/words/share-targets.ts'
import { targetShareText } from '../../answers/words/share-text.ts'
import { countText } from '../../base/text/amount-text.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import { own, scenarioOrder } from '../document/names.ts'
import { beyondText, notesOf } from '../html/answer-cells.ts'
import { changeCell, sideCell } from './figure-format.ts'
import {
  BOLD,
  INDENTED,
  LEFT_HEAD,
  number,
  RIGHT,
  RIGHT_HEAD,
  type SheetLayout,
  type StyledCell,
  text,
} from './sheet.ts'

type List = Pick<SheetLayout, 'widths' | 'rows'>

const heads = (...names: string[]): StyledCell[] => names.map((name) => text(name, LEFT_HEAD))

/** A row for each difference: what a banner has no place for. */
export function differenceList(manifest: Manifest, comparisons: readonly ComparisonAnswers[]): List {
  const hasWhere = comparisons.some(({ where }) => where !== null)
  const hasSegments = comparisons.some(({ segments }) => segments.length > 0)
  const optional = <T>(rows: T, segment: T): T[] => [...(hasWhere ? [rows] : []), ...(hasSegments ? [segment] : [])]
  const rows = comparisons.flatMap(({ id, where, answers, segments }) =>
    [answers, segments].flatMap((some) => {
      const byScenario = answersByScenario(some)
      return Object.keys(manifest.comparisons[id]!.scenarios)
        .flatMap((scenario) => byScenario.get(scenario) ?? [])
        .map((answer) => [
          text(id),
          ...optional(text(where ?? 'all'), text(answer.segment ?? 'all')),
          text(answer.scenario),
          text(answer.column),
          text(answer.level ?? numberWord(answer.quantile)),
          sideCell(answer, 'from'),
          sideCell(answer, 'to'),
          changeCell(answer, answer.difference),
          changeCell(answer, answer.interval?.[0] ?? null),
          changeCell(answer, answer.interval?.[1] ?? null),
          text(unitText(answer.kind).trim(), INDENTED),
          changeCell(answer, answer.inRows),
          text(beyondText(answer), INDENTED),
          text(notesOf(answer).join(', '), INDENTED),
        ])
    }),
  )
  return {
    widths: [16, ...optional(16, 16), 22, 22, 18, 11, 11, 12, 11, 11, 8, 12, 9, 30],
    rows: [
      [
        ...heads('Comparison', ...optional('Rows', 'Segment'), 'Scenario', 'Question', 'Answer'),
        ...['Baseline', 'Scenario', 'Difference', '95 % from', '95 % to'].map((head) => text(head, RIGHT_HEAD)),
        ...heads('Unit'),
        text('In the rows', RIGHT_HEAD),
        ...heads('Beyond chance', 'Notes'),
      ],
      ...rows,
    ],
  }
}

/** What each scenario asks for, and what its rows have. */
export function targetList(manifest: Manifest): List {
  const rows = scenarioOrder(manifest).flatMap((id) => {
    const scenario = own(manifest.scenarios, id)!
    const first = [text(id), text(scenario.status)]
    return [
      [
        ...first,
        text('rows'),
        text(''),
        number(scenario.rows.requested, '#,##0'),
        number(scenario.rows.counted, '#,##0'),
      ],
      ...shareTargetsOf(scenario).map(({ column, level, target, achieved }) => [
        ...first,
        text(`share of ${column}`),
        text(level),
        typeof target === 'number' ? number(target, '0.00%') : text(targetShareText(target), RIGHT),
        number(achieved, '0.00%'),
      ]),
      ...Object.entries(scenario.ranges).map(([column, { target, achieved }]) => [
        ...first,
        text(`range of ${column}`),
        text(''),
        text(`${target.min} to ${target.max}`, RIGHT),
        text(achieved === null ? '–' : `${achieved.min} to ${achieved.max}`, RIGHT),
      ]),
      ...Object.entries(scenario.means ?? {}).map(([column, { target, achieved }]) => [
        ...first,
        text(`mean of ${column}`),
        text(''),
        typeof target === 'number' ? number(target, '#,##0.####') : text(meanTargetText(target), RIGHT),
        number(achieved, '#,##0.####'),
      ]),
    ]
  })
  return {
    widths: [24, 12, 30, 24, 16, 16],
    rows: [
      [
        ...heads('Scenario', 'Status', 'Asked for', 'Level'),
        ...['Target', 'In the rows'].map((head) => text(head, RIGHT_HEAD)),
      ],
      ...rows,
    ],
  }
}

/** What made the figures, so that they can be cited and made again; and the gates. */
export function provenanceList(read: ReadManifest): List {
  const { manifest, digest } = read
  const { study, run, outcome, status } = manifest
  const fact = (title: string, value: string | number | null | undefined): StyledCell[][] =>
    value == null || value === '' ? [] : [[text(title), text(typeof value === 'number' ? countText(value) : value)]]
  const gates = evaluateGates(manifest).gates
  return {
    widths: [28, 80],
    rows: [
      [text('Study', BOLD)],
      ...fact('Name', study.name),
      ...fact('Description', study.description),
      ...fact('Baseline', study.baseline),
      ...fact('Study digest', study.digest),
      ...fact('Manifest digest', digest),
      [text('Run', BOLD)],
      ...fact('Id', run.id),
      ...fact('Ended as', outcome === null ? status : `${status}, exit code ${outcome.exit_code} (${outcome.reason})`),
      ...fact('Started', run.started_at),
      ...fact('Ended', run.finished_at),
      ...fact('whatif', run.tool),
      ...fact('Service', run.service),
      ...fact('Commit', run.git && `${run.git.commit}${run.git.dirty ? ', with uncommitted changes' : ''}`),
      ...fact('Trial, rows at most', run.trial),
      ...Object.entries(manifest.datasets).flatMap(([id, { source, sha256, fingerprint, cleaning }]) => [
        [text(`Dataset ${id}`, BOLD)],
        ...fact('Seed file', source),
        ...fact('SHA-256 of it', sha256),
        ...fact('Fingerprint', fingerprint),
        ...fact('Rows after cleaning', cleaning?.clean_rows),
        ...fact('Columns after cleaning', cleaning?.clean_columns),
        ...fact('Model', own(manifest.trace.datasets, id)?.model_id),
      ]),
      ...scenarioOrder(manifest).flatMap((id) => {
        const { fingerprint, request } = own(manifest.scenarios, id)!
        return [
          [text(`Scenario ${id}`, BOLD)],
          ...fact('Fingerprint', fingerprint),
          ...fact('Seed of its draws', request?.seed),
        ]
      }),
      ...(gates.length === 0 ? [] : [[text('Gates', BOLD)]]),
      ...gates.flatMap(({ of, id, gate }) =>
        fact(
          `${of} ${id}: ${gate.id}`,
          gate.passed ? 'passed' : `FAILED${gate.reason === undefined ? '' : `: ${gate.reason}`}`,
        ),
      ),
    ],
  }
}
