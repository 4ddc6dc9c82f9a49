import { chanceOfShare, nearestAllowed } from '../answers/arithmetic/figures.ts'
import type { ReadManifest } from '../answers/manifest/parse-manifest.ts'
import { evaluateGates } from '../answers/manifest/review-manifest.ts'
import { SCENARIO_STATUSES } from '../answers/manifest/scenario-statuses.ts'
import { isDateColumn } from '../answers/words/answer-order.ts'
import { type Answer, answersByScenario, comparisonAnswers } from '../answers/words/answer-text.ts'
import { ANSWER_NOTES, DAY_MS } from '../answers/words/difference-text.ts'
import { effectiveRowsFigure, standardErrorFactorText } from '../answers/words/effective-rows-text.ts'
import { expectedParts, foundText } from '../answers/words/gate-text.ts'
import { meanTargetText } from '../answers/words/mean-target-text.ts'
import { nearestMixLines, nearestMixWords } from '../answers/words/nearest-mix-text.ts'
import { numberWord } from '../answers/words/quantile-text.ts'
import { brokenRulesText } from '../answers/words/rule-text.ts'
import { cellTargetsOf, type ShareTarget } from '../answers/words/share-targets.ts'
import { percentText, pointsText, shareText, targetShareText } from '../answers/words/share-text.ts'
import { trialText } from '../answers/words/trial-text.ts'
import { whereText } from '../answers/words/where-text.ts'
import { countText } from '../base/text/amount-text.ts'
import type { ComparisonResult, ManifestComparison } from '../records/manifest/comparisons.ts'
import type { GateResult } from '../records/manifest/gates.ts'
import type { Manifest } from '../records/manifest/manifest.ts'
import type { ManifestScenario, NearestMixRecord } from '../records/manifest/scenarios.ts'
import { columnCaptions } from './column-captions.ts'
import { codeLines, codeText, markdownTable } from './markdown-text.ts'
import { answerSections } from './report-markdown-answers.ts'
import { backtestTables } from './report-markdown-backtests.ts'
import { datasetTables } from './report-markdown-datasets.ts'
import { replicateItems } from './report-markdown-replicates.ts'
import { rowsDistanceTable } from './report-markdown-rows-distance.ts'
import { answerCells, basisCell, figureOrMoment, readable, segmentTable } from './report-markdown-segments.ts'

/** The beginning of a report, which identifies it. */
export const MARKDOWN_MARK = '<!-- whatif report'

const NONE = '–'

/**
 * A manifest as a document for people: GitHub Flavored Markdown, a function of the manifest alone. Names and messages
 * are code throughout, so that none of them becomes markup, a link or a mention.
 */
export function reportMarkdown({ manifest, digest }: ReadManifest): string {
  return [
    `${MARKDOWN_MARK}, version 1 -->`,
    `# ${codeText(manifest.study.name)}`,
    '',
    ...summary(manifest),
    '',
    `To cite: manifest digest \`${digest}\`${manifest.study.digest === null ? '' : `, study digest \`${manifest.study.digest}\``}. Run ${codeText(manifest.run.id)}, ended ${codeText(manifest.run.finished_at ?? 'not yet')}, whatif ${codeText(manifest.run.tool)}.`,
    '',
    ...warnings(manifest),
    ...answerSections(manifest),
    ...scenarioTable(manifest),
    ...shareTable(manifest),
    ...rangeTable(manifest),
    ...meanTable(manifest),
    ...ruleTable(manifest),
    ...gateTable(manifest),
    ...comparisonTables(manifest),
    ...backtestTables(manifest),
    ...evidenceTable(manifest),
    ...datasetTables(manifest),
    ...findingTable(manifest),
  ]
    .join('\n')
    .replace(/\n+$/, '\n')
}

function summary({ status, outcome, totals }: Manifest): string[] {
  const parts = [
    `${countText(totals.ready)} of ${countText(totals.scenarios)} scenarios ready`,
    ...SCENARIO_STATUSES.filter((kind) => kind !== 'ready' && totals[kind] > 0).map(
      (kind) => `${countText(totals[kind])} ${kind.replace('_', ' ')}`,
    ),
    `${countText(totals.rows_generated)} of ${countText(totals.rows_requested)} rows`,
  ]
  const end =
    outcome === null
      ? ''
      : `, exit code ${outcome.exit_code} (${[outcome.reason, ...outcome.also].map(codeText).join(', ')})`
  return [`Run **${status}**${end}: ${parts.join(', ')}.`]
}

/** Warnings to read before the figures: rows with little evidence, runs that are incomplete. */
function warnings(manifest: Manifest): string[] {
  const thin = Object.entries(manifest.scenarios).filter(([, s]) => s.evidence?.low_support === true)
  const trial = trialText(manifest)
  return [
    ...(trial === null ? [] : [`> **${trial.slice(0, 1).toUpperCase()}${trial.slice(1)}.**`, '']),
    ...(manifest.status === 'complete' ? [] : ['> **The run is not complete**; its results may change.', '']),
    ...Object.entries(manifest.scenarios).flatMap(([id, scenario]) => {
      const text = brokenRulesText(scenario)
      return text === '' ? [] : [`> **Rules are broken** in ${codeText(id)}: ${codeLines(text)}.`, '']
    }),
    ...(thin.length === 0
      ? []
      : [`> **Thin evidence**: few rows of the seed data support ${thin.map(([id]) => codeText(id)).join(', ')}.`, '']),
  ]
}

function scenarioTable({ scenarios }: Manifest): string[] {
  const rows = Object.entries(scenarios).map(([id, { status, rows, request, error, shortfall }]) => [
    codeText(id),
    status.replace('_', ' '),
    countText(rows.requested),
    rows.counted === null ? NONE : countText(rows.counted),
    rows.fill === null ? NONE : percentText(rows.fill),
    request === null ? NONE : String(request.seed),
    `${error ? `${codeLines(error.detail)} (${codeText(error.code)})` : shortfall ? codeLines(shortfall.detail) : ''}${mixText(shortfall?.nearest_mix)}`,
  ])
  const numbers = ['Requested', 'Counted', 'Fill', 'Seed']
  return markdownTable('Scenarios', ['Scenario', 'Status', ...numbers, 'Why'], numbers, rows)
}

function mixText(mix: NearestMixRecord | undefined): string {
  return mix === undefined ? '' : ` ${nearestMixWords(mix)} ${nearestMixLines(mix).map(codeText).join(' ')}`
}

function shareTable({ scenarios }: Manifest): string[] {
  const rows = Object.entries(scenarios).flatMap(([id, scenario]) => shareRows(id, scenario))
  const numbers = ['Target', 'Achieved', 'Difference', 'Noise of generation', 'Rows']
  return markdownTable(
    'Shares',
    ['Scenario', 'Column', 'Level', ...numbers],
    numbers,
    rows,
    'Noise of generation is 2·√(p(1−p)/n): the variation of the share in n rows by chance alone, if rows are sampled independently. It shows how close a result comes to its target, and says nothing about the population. A service that meets targets to the nearest row, as the embedded one does, stays far below it. Levels without a target are left to the model.',
  )
}

function shareRows(id: string, { shares, cells = [], rows }: ManifestScenario): string[][] {
  const n = rows.counted ?? 0
  const chance = (share: number): string => (n === 0 ? NONE : `${(100 * chanceOfShare(share, n)).toFixed(1)} points`)
  const stated = ({ column, level, target, achieved, delta, count }: ShareTarget): string[] => [
    ...[codeText(id), codeText(column), codeText(level), targetShareText(target), percentText(achieved)],
    ...[pointsText(delta), chance(nearestAllowed(achieved, target)), countText(count)],
  ]
  const ofColumns = Object.entries(shares).flatMap(([column, { levels, unstated, missing }]) => {
    const line = (level: string, figures: readonly string[]) => [codeText(id), codeText(column), level, ...figures]
    return [
      ...Object.entries(levels).map(([level, result]) => stated({ column, level, ...result })),
      ...Object.entries(unstated).map(([level, share]) =>
        line(codeText(level), [NONE, shareText(share), NONE, chance(share), NONE]),
      ),
      ...(missing === undefined ? [] : [line('(no value)', [NONE, shareText(missing), NONE, chance(missing), NONE])]),
    ]
  })
  return [...ofColumns, ...cells.flatMap(cellTargetsOf).map(stated)]
}

function rangeTable({ scenarios }: Manifest): string[] {
  const end = (value: number | string): string => (typeof value === 'number' ? String(value) : codeText(value))
  const span = (range: { readonly min: number | string; readonly max: number | string } | null): string =>
    range === null ? NONE : `${end(range.min)} to ${end(range.max)}`
  const rows = Object.entries(scenarios).flatMap(([id, { ranges }]) =>
    Object.entries(ranges).map(([column, { target, achieved, outside, outside_count, dates }]) => [
      codeText(id),
      codeText(column),
      span(dates?.target ?? target),
      span(dates ? dates.achieved : achieved),
      countText(outside_count),
      percentText(outside),
    ]),
  )
  const numbers = ['Rows outside', 'Share outside']
  return markdownTable('Ranges', ['Scenario', 'Column', 'Target', 'Achieved', ...numbers], numbers, rows)
}

function meanTable({ scenarios }: Manifest): string[] {
  const rows = Object.entries(scenarios).flatMap(([id, { means = {} }]) =>
    Object.entries(means).map(([column, { target, achieved, delta, values }]) => [
      codeText(id),
      codeText(column),
      meanTargetText(target),
      achieved === null ? NONE : String(achieved),
      delta === null ? NONE : String(delta),
      countText(values),
    ]),
  )
  const numbers = ['Achieved', 'Distance', 'n']
  return markdownTable('Means', ['Scenario', 'Column', 'Target', ...numbers], numbers, rows)
}

function ruleTable({ scenarios }: Manifest): string[] {
  const rows = Object.entries(scenarios).flatMap(([id, { rules = [] }]) =>
    rules.map(({ rule, rows: about, violations }) => [
      codeText(id),
      codeText(rule),
      countText(about),
      countText(violations),
    ]),
  )
  const numbers = ['Rows that it is about', 'Rows that break it']
  return markdownTable('Rules', ['Scenario', 'Rule', ...numbers], numbers, rows)
}

function gateTable(manifest: Manifest): string[] {
  const { gates } = evaluateGates(manifest)
  const rows = gates.map(({ of, id, gate, recordedPassed, unchecked }) => [
    `${of === 'scenario' ? '' : `${of} `}${codeText(id)}`,
    codeText(gate.id),
    gate.level,
    expectedParts(gate).map(codeText).join(', '),
    gate.actual === null ? NONE : foundText(gate),
    gate.chance === undefined ? NONE : `${(100 * gate.chance).toFixed(1)} points`,
    gate.chance === undefined ? NONE : countText(manifest.scenarios[id]?.rows.counted ?? 0),
    `${verdictOf(gate)}${unchecked === null && gate.passed !== recordedPassed ? ' (the manifest says otherwise)' : ''}`,
  ])
  const numbers = ['Found', 'Noise of generation', 'n']
  return markdownTable('Gates', ['Of', 'Gate', 'Level', 'Expected', ...numbers, 'Verdict'], numbers, rows)
}

const verdictOf = ({ passed, level, evaluated }: GateResult): string =>
  passed ? 'passed' : `**${level === 'fail' ? 'failed' : 'warning'}**${evaluated === 0 ? ': nothing to evaluate' : ''}`

const COMPARISON_NOTE = ANSWER_NOTES.join(' ')

function comparisonTables(manifest: Manifest): string[] {
  return comparisonAnswers(manifest).flatMap(({ id, answers, segments }) => {
    const comparison = manifest.comparisons[id]!
    const { against, scenarios } = comparison
    const isDate = (column: string): boolean => isDateColumn(manifest, against, column)
    const own = answersByScenario(answers)
    const rows = Object.entries(scenarios).flatMap(([scenario, result]) =>
      comparisonRows(scenario, result, own.get(scenario) ?? [], isDate),
    )
    const captions = columnCaptions(
      manifest,
      Object.entries(scenarios).map(([id, { shares, means, quantiles = {} }]) => [
        id,
        [...new Set([shares, means, quantiles].flatMap(Object.keys))],
      ]),
    )
    const numbers = ['Against', 'Found', 'Difference', '95 % interval', 'In the rows']
    const table = markdownTable(
      `Comparison ${codeText(id)} against ${codeText(against)}`,
      ['Scenario', 'Column', 'Level', ...numbers, 'Interval rests on', 'Marks'],
      numbers,
      rows,
      [COMPARISON_NOTE, whereNote(comparison), replicateItems(manifest, comparison).join('\n'), captions.join('\n')]
        .filter((part) => part !== '')
        .join('\n\n'),
    )
    return [...table, ...rowsDistanceTable(id, comparison), ...segmentTable(id, comparison, segments)]
  })
}

/** Empty where all rows count. */
function whereNote(comparison: ManifestComparison): string {
  const text = whereText(comparison, codeText)
  return text === null ? '' : `Its outcomes are ${text}.`
}

function comparisonRows(
  scenario: string,
  { status, means, no_estimates: why, no_quantiles: whyNoQuantiles }: ComparisonResult,
  answers: readonly Answer[],
  isDate: (column: string) => boolean,
): string[][] {
  if (status === 'missing') return [[codeText(scenario), ...Array<string>(8).fill(NONE), 'no result']]
  return answers.flatMap((answer) => {
    const { column, level, quantile } = answer
    const { figures, marks } = answerCells(answer)
    const what = level === null ? numberWord(quantile) : codeText(level)
    const line = [
      codeText(scenario),
      codeText(column),
      what,
      ...figures,
      basisCell(answer, quantile === null ? why : (whyNoQuantiles ?? why)),
      marks,
    ]
    // A mean stands with the statistics of its rows.
    if (level !== null || quantile !== null) return [line]
    const { against, scenario: own } = means[column]!
    return [
      line,
      ...STATISTICS.map(([name, key]) =>
        statisticRow([scenario, column, name], [against?.[key], own?.[key]], {
          isDate: isDate(column),
          isSpread: key === 'sd',
        }),
      ),
    ]
  })
}

const STATISTICS = [
  ['standard deviation', 'sd'],
  ['5 % quantile', 'q05'],
  ['25 % quantile', 'q25'],
  ['median', 'q50'],
  ['75 % quantile', 'q75'],
  ['95 % quantile', 'q95'],
] as const

/** Statistics of the rows, which have no answer of the seed. A spread, and a difference, of dates is in days. */
function statisticRow(
  [scenario, column, what]: readonly [scenario: string, column: string, what: string],
  [a, b]: readonly [number | null | undefined, number | null | undefined],
  { isDate, isSpread }: { readonly isDate: boolean; readonly isSpread: boolean },
): string[] {
  const unit = isDate ? ' days' : ''
  const days = (value: number): number => readable(isDate ? value / DAY_MS : value)
  const side = (value: number | null | undefined): string =>
    value != null && isDate && isSpread ? `${days(value)}${unit}` : figureOrMoment(value, isDate)
  const difference = a == null || b == null ? NONE : `${signed(days(b - a))}${unit}`
  return [codeText(scenario), codeText(column), what, side(a), side(b), NONE, NONE, difference, NONE, '']
}

function evidenceTable({ scenarios }: Manifest): string[] {
  const rows = Object.entries(scenarios).flatMap(([id, scenario]) => {
    const { evidence } = scenario
    return evidence === undefined
      ? []
      : [
          [
            codeText(id),
            effectiveRowsFigure(evidence),
            String(Number(evidence.largest_tilt.toPrecision(3))),
            evidence.in_range_share === undefined ? NONE : shareText(evidence.in_range_share),
            standardErrorFactorText(scenario) ?? NONE,
            evidence.low_support === true ? '**thin**' : evidence.low_support === false ? 'enough' : NONE,
          ],
        ]
  })
  const numbers = ['Rows of the seed', 'Largest tilt', 'In range', 'Standard errors']
  return markdownTable(
    'Evidence',
    ['Scenario', ...numbers, 'Support'],
    numbers,
    rows,
    'Rows of the seed is the effective sample size behind the rows. A service that protects its seed tells it as a range. The tilt is the largest ratio of a combination’s share of the rows to its usual share. If you analyse the rows as if each were a person, your standard errors are too small: multiply them by the factor in “Standard errors”, √(1 + rows / rows of the seed).',
  )
}

function findingTable({ diagnostics }: Manifest): string[] {
  const rows = diagnostics.map(({ severity, code, summary, detail }) => [
    severity,
    codeText(code),
    codeText(summary),
    detail === '' ? '' : codeLines(detail),
  ])
  return markdownTable('Findings', ['Severity', 'Code', 'What', 'Detail'], [], rows)
}

const signed = (delta: number): string => (delta > 0 ? `+${delta}` : String(delta))
