/** The sheets that are lists: all differences, what was asked for and came, and what made it. */

import type { ReadManifest } from '../../answers/manifest/parse-manifest.ts'
import { evaluateGates } from '../../answers/manifest/review-manifest.ts'
import { answersByScenario, type ComparisonAnswers, unitText } from '../../answers/words/answer-text.ts'
import { meanTargetText } from '../../answers/words/mean-target-text.ts'
import { numberWord } from '../../answers/words/quantile-text.ts'
import { shareTargetsOf } from '../../answers/words/share-targets.ts'
import { targetShareText } from '../../answers/words/share-text.ts'
import { words } from '../../base/language/language.ts'
import { localNumber } from '../../base/language/local-number.ts'
import { countText } from '../../base/text/amount-text.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import { beyondText, notesOf } from '../html/answer-cells.ts'
import { own, scenarioOrder } from '../scenario-names.ts'
import { statusText } from '../status-text.ts'
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
  const { workbook, answers: say, tables, figures } = words()
  const rows = comparisons.flatMap(({ id, where, answers, segments }) =>
    [answers, segments].flatMap((some) => {
      const byScenario = answersByScenario(some)
      return Object.keys(manifest.comparisons[id]!.scenarios)
        .flatMap((scenario) => byScenario.get(scenario) ?? [])
        .map((answer) => [
          text(id),
          ...optional(text(where ?? workbook.all), text(answer.segment ?? workbook.all)),
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
          text(notesOf(answer).join(figures.comma), INDENTED),
        ])
    }),
  )
  const { comparison, segment, question, answer, low, high, unit } = workbook.heads
  return {
    widths: [16, ...optional(16, 16), 22, 22, 18, 11, 11, 12, 11, 11, 8, 12, 9, 30],
    rows: [
      [
        ...heads(comparison, ...optional(tables.heads.rows, segment), say.heads.scenario, question, answer),
        ...[say.heads.baseline, say.heads.scenario, say.heads.difference, low, high].map((head) =>
          text(head, RIGHT_HEAD),
        ),
        ...heads(unit),
        text(say.heads.inRows, RIGHT_HEAD),
        ...heads(say.heads.beyond, say.heads.notes),
      ],
      ...rows,
    ],
  }
}

/** What each scenario asks for, and what its rows have. */
export function targetList(manifest: Manifest): List {
  const { workbook, answers, tables, figures, sections, record } = words()
  const rangeText = ({ min, max }: { readonly min: number; readonly max: number }): string =>
    figures.range(localNumber(String(min)), localNumber(String(max)))
  const rows = scenarioOrder(manifest).flatMap((id) => {
    const scenario = own(manifest.scenarios, id)!
    const first = [text(id), text(statusText(scenario.status))]
    return [
      [
        ...first,
        text(tables.heads.rows),
        text(''),
        number(scenario.rows.requested, '#,##0'),
        number(scenario.rows.counted, '#,##0'),
      ],
      ...shareTargetsOf(scenario).map(({ column, level, target, achieved }) => [
        ...first,
        text(sections.axes.share(column)),
        text(level),
        typeof target === 'number' ? number(target, '0.00%') : text(targetShareText(target), RIGHT),
        number(achieved, '0.00%'),
      ]),
      ...Object.entries(scenario.ranges).map(([column, { target, achieved }]) => [
        ...first,
        text(workbook.rangeOf(column)),
        text(''),
        text(rangeText(target), RIGHT),
        text(achieved === null ? '–' : rangeText(achieved), RIGHT),
      ]),
      ...Object.entries(scenario.means ?? {}).map(([column, { target, achieved }]) => [
        ...first,
        text(figures.ofColumn(numberWord(null), column).join('')),
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
        ...heads(
          answers.heads.scenario,
          record.provenance.heads.status,
          record.provenance.heads.askedFor,
          tables.heads.level,
        ),
        ...[tables.heads.target, answers.heads.inRows].map((head) => text(head, RIGHT_HEAD)),
      ],
      ...rows,
    ],
  }
}

/** What made the figures, so that they can be cited and made again; and the gates. */
export function provenanceList(read: ReadManifest): List {
  const { manifest, digest } = read
  const { study, run, outcome, status } = manifest
  const { workbook, record, answers, tables } = words()
  const { terms, heads: of, exitCode, uncommitted } = record.provenance
  const about = workbook.terms
  const fact = (title: string, value: string | number | null | undefined): StyledCell[][] =>
    value == null || value === '' ? [] : [[text(title), text(typeof value === 'number' ? countText(value) : value)]]
  const gates = evaluateGates(manifest).gates
  const end = outcome === null ? '' : exitCode(outcome.exit_code, outcome.reason)
  return {
    widths: [28, 80],
    rows: [
      [text(about.study, BOLD)],
      ...fact(about.name, study.name),
      ...fact(about.description, study.description),
      ...fact(answers.heads.baseline, study.baseline),
      ...fact(terms.studyDigest, study.digest),
      ...fact(terms.manifestDigest, digest),
      [text(terms.run, BOLD)],
      ...fact(about.id, run.id),
      ...fact(terms.endedAs, `${statusText(status)}${end}`),
      ...fact(terms.started, run.started_at),
      ...fact(terms.ended, run.finished_at),
      ...fact('whatif', run.tool),
      ...fact(terms.service, run.service),
      ...fact(terms.commit, run.git && `${run.git.commit}${run.git.dirty ? uncommitted : ''}`),
      ...fact(about.trial, run.trial),
      ...Object.entries(manifest.datasets).flatMap(([id, { source, sha256, fingerprint, cleaning }]) => [
        [text(`${terms.dataset} ${id}`, BOLD)],
        ...fact(terms.seedFile, source),
        ...fact(terms.sha256, sha256),
        ...fact(terms.fingerprint, fingerprint),
        ...fact(about.cleanRows, cleaning?.clean_rows),
        ...fact(about.cleanColumns, cleaning?.clean_columns),
        ...fact(terms.model, own(manifest.trace.datasets, id)?.model_id),
      ]),
      ...scenarioOrder(manifest).flatMap((id) => {
        const { fingerprint, request } = own(manifest.scenarios, id)!
        return [
          [text(`${of.scenario} ${id}`, BOLD)],
          ...fact(terms.fingerprint, fingerprint),
          ...fact(of.seed, request?.seed),
        ]
      }),
      ...(gates.length === 0 ? [] : [[text(tables.gates.title, BOLD)]]),
      ...gates.flatMap(({ of: owner, id, gate }) =>
        fact(
          `${tables.gates.owners[owner]}${id}: ${gate.id}`,
          gate.passed
            ? tables.gates.ok
            : `${gate.level === 'fail' ? tables.gates.failed : tables.gates.warning}${gate.reason === undefined ? '' : `: ${gate.reason}`}`,
        ),
      ),
    ],
  }
}
