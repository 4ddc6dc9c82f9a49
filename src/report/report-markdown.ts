import { chanceOfDifference, chanceOfShare } from '../manifest/chance.ts'
import type { GateResult, Manifest, ManifestScenario } from '../manifest/manifest.ts'
import type { ReadManifest } from '../manifest/parse-manifest.ts'
import { reviewManifest } from '../manifest/review-manifest.ts'
import { roundRatio, roundStatistic } from '../manifest/round.ts'
import { codeLines, codeText, markdownTable } from './markdown-text.ts'
import { datasetTables } from './report-markdown-datasets.ts'

/** How a report begins, by which it is known as one. */
export const MARKDOWN_MARK = '<!-- whatif report'

const COUNT = new Intl.NumberFormat('en-US')
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
    ...scenarioTable(manifest),
    ...shareTable(manifest),
    ...rangeTable(manifest),
    ...gateTable(manifest),
    ...comparisonTables(manifest),
    ...evidenceTable(manifest),
    ...datasetTables(manifest),
    ...findingTable(manifest),
  ]
    .join('\n')
    .replace(/\n+$/, '\n')
}

function summary({ status, outcome, totals }: Manifest): string[] {
  const parts = [
    `${COUNT.format(totals.ready)} of ${COUNT.format(totals.scenarios)} scenarios ready`,
    ...(['partial', 'failed', 'refused', 'not_started', 'running', 'interrupted'] as const)
      .filter((kind) => totals[kind] > 0)
      .map((kind) => `${COUNT.format(totals[kind])} ${kind.replace('_', ' ')}`),
    `${COUNT.format(totals.rows_generated)} of ${COUNT.format(totals.rows_requested)} rows`,
  ]
  const end =
    outcome === null
      ? ''
      : `, exit code ${outcome.exit_code} (${[outcome.reason, ...outcome.also].map(codeText).join(', ')})`
  return [`Run **${status}**${end}: ${parts.join(', ')}.`]
}

/** What a reader must know before the figures: rows that rest on little, runs that are not whole. */
function warnings(manifest: Manifest): string[] {
  const thin = Object.entries(manifest.scenarios).filter(([, s]) => s.evidence?.low_support === true)
  return [
    ...(manifest.status === 'complete' ? [] : ['> **The run is not complete**; its results may change.', '']),
    ...(thin.length === 0
      ? []
      : [
          `> **Thin evidence**: few rows of the seed data stand behind ${thin.map(([id]) => codeText(id)).join(', ')}.`,
          '',
        ]),
  ]
}

function scenarioTable({ scenarios }: Manifest): string[] {
  const rows = Object.entries(scenarios).map(([id, { status, rows, request, error, shortfall }]) => [
    codeText(id),
    status.replace('_', ' '),
    COUNT.format(rows.requested),
    rows.counted === null ? NONE : COUNT.format(rows.counted),
    rows.fill === null ? NONE : String(rows.fill),
    request === null ? NONE : String(request.seed),
    error ? `${codeLines(error.detail)} (${codeText(error.code)})` : shortfall ? codeLines(shortfall.detail) : '',
  ])
  const numbers = ['Requested', 'Counted', 'Fill', 'Seed']
  return markdownTable('Scenarios', ['Scenario', 'Status', ...numbers, 'Why'], numbers, rows)
}

function shareTable({ scenarios }: Manifest): string[] {
  const rows = Object.entries(scenarios).flatMap(([id, scenario]) => shareRows(id, scenario))
  const numbers = ['Target', 'Achieved', 'Difference', '±', 'Rows']
  return markdownTable(
    'Shares',
    ['Scenario', 'Column', 'Level', ...numbers],
    numbers,
    rows,
    '± is 2·√(p(1−p)/n): what chance alone does to the share in n rows, if rows are sampled independently. A service that meets targets to the nearest row, as the embedded one does, stays far below it. Levels without a target are left to the model.',
  )
}

function shareRows(id: string, { shares, rows }: ManifestScenario): string[][] {
  const n = rows.counted ?? 0
  const chance = (share: number): string => (n === 0 ? NONE : String(roundRatio(chanceOfShare(share, n))))
  return Object.entries(shares).flatMap(([column, { levels, unstated, missing }]) => {
    const line = (level: string, figures: readonly string[]) => [codeText(id), codeText(column), level, ...figures]
    return [
      ...Object.entries(levels).map(([level, { target, achieved, delta, count }]) =>
        line(codeText(level), [String(target), String(achieved), signed(delta), chance(target), COUNT.format(count)]),
      ),
      ...Object.entries(unstated).map(([level, share]) =>
        line(codeText(level), [NONE, String(share), NONE, chance(share), NONE]),
      ),
      ...(missing === undefined ? [] : [line('(no value)', [NONE, String(missing), NONE, chance(missing), NONE])]),
    ]
  })
}

function rangeTable({ scenarios }: Manifest): string[] {
  const span = (range: { readonly min: number; readonly max: number } | null): string =>
    range === null ? NONE : `${range.min} to ${range.max}`
  const rows = Object.entries(scenarios).flatMap(([id, { ranges }]) =>
    Object.entries(ranges).map(([column, { target, achieved, outside, outside_count }]) => [
      codeText(id),
      codeText(column),
      span(target),
      span(achieved),
      COUNT.format(outside_count),
      String(outside),
    ]),
  )
  const numbers = ['Rows outside', 'Share outside']
  return markdownTable('Ranges', ['Scenario', 'Column', 'Target', 'Achieved', ...numbers], numbers, rows)
}

function gateTable(manifest: Manifest): string[] {
  const { gates } = reviewManifest(manifest)
  const rows = gates.map(({ of, id, gate, recordedPassed, unchecked }) => [
    `${of === 'comparison' ? 'comparison ' : ''}${codeText(id)}`,
    codeText(gate.id),
    gate.level,
    expectation(gate),
    gate.actual === null ? NONE : String(gate.actual),
    gate.chance === undefined ? NONE : String(gate.chance),
    gate.chance === undefined ? NONE : COUNT.format(manifest.scenarios[id]?.rows.counted ?? 0),
    `${verdictOf(gate)}${unchecked === null && gate.passed !== recordedPassed ? ' (the manifest says otherwise)' : ''}`,
  ])
  const numbers = ['Found', '±', 'n']
  return markdownTable('Gates', ['Of', 'Gate', 'Level', 'Expected', ...numbers, 'Verdict'], numbers, rows)
}

const verdictOf = ({ passed, level, evaluated }: GateResult): string =>
  passed ? 'passed' : `**${level === 'fail' ? 'failed' : 'warning'}**${evaluated === 0 ? ': nothing to evaluate' : ''}`

const expectation = ({ expected }: GateResult): string =>
  Object.entries(expected)
    .map(([key, value]) => `${codeText(key)} ${typeof value === 'number' ? value : codeText(value)}`)
    .join(', ')

function comparisonTables(manifest: Manifest): string[] {
  const counted = (id: string): number => manifest.scenarios[id]?.rows.counted ?? 0
  return Object.entries(manifest.comparisons).flatMap(([id, { against, scenarios }]) => {
    const rows = Object.entries(scenarios).flatMap(([scenario, { status, shares, means }]) => {
      const n = { against: counted(against), scenario: counted(scenario) }
      const line = (column: string, what: string, figures: readonly string[]) => [
        codeText(scenario),
        codeText(column),
        what,
        ...figures,
        status === 'mixed_model' ? 'another training' : '',
      ]
      return [
        ...(status === 'missing' ? [[codeText(scenario), NONE, NONE, NONE, NONE, NONE, NONE, 'no result']] : []),
        ...Object.entries(shares).flatMap(([column, levels]) =>
          Object.entries(levels).map(([level, pair]) => {
            const chance =
              n.against === 0 || n.scenario === 0
                ? NONE
                : String(
                    roundRatio(
                      chanceOfDifference(
                        { share: pair.against, n: n.against },
                        { share: pair.scenario, n: n.scenario },
                      ),
                    ),
                  )
            return line(column, codeText(level), [
              String(pair.against),
              String(pair.scenario),
              signed(pair.delta),
              chance,
            ])
          }),
        ),
        ...Object.entries(means).flatMap(([column, pair]) =>
          meanFigures(pair).map(([what, ...figures]) => line(column, what, figures)),
        ),
      ]
    })
    const numbers = ['Against', 'Found', 'Difference', '±']
    return markdownTable(
      `Comparison ${codeText(id)} against ${codeText(against)}`,
      ['Scenario', 'Column', 'Level', ...numbers, ''],
      numbers,
      rows,
      '± is twice the standard error of the difference, if rows of both sides are sampled independently.',
    )
  })
}

type Means = Manifest['comparisons'][string]['scenarios'][string]['means'][string]

const STATISTICS = [
  ['standard deviation', 'sd'],
  ['5 % quantile', 'q05'],
  ['25 % quantile', 'q25'],
  ['median', 'q50'],
  ['75 % quantile', 'q75'],
  ['95 % quantile', 'q95'],
] as const

/** What, on one side, on the other, the difference, and what chance does to it. */
function meanFigures(pair: Means): [what: string, ...figures: string[]][] {
  const { against, scenario, delta } = pair
  const text = (figure: number | null | undefined): string => (figure == null ? NONE : String(figure))
  return [
    ['mean', text(against?.mean), text(scenario?.mean), delta === null ? NONE : signed(delta), chanceOfMeans(pair)],
    ...STATISTICS.map(([what, key]): [string, ...string[]] => {
      const [a, b] = [against?.[key], scenario?.[key]]
      const difference = a == null || b == null ? NONE : signed(roundStatistic(b - a))
      return [what, text(a), text(b), difference, NONE]
    }),
  ]
}

/** Twice the standard error of the difference of two means: 2·√(s²/n + t²/m). */
function chanceOfMeans({ against, scenario }: Means): string {
  if (!against || !scenario || against.sd === null || scenario.sd === null) return NONE
  if (against.n === 0 || scenario.n === 0) return NONE
  return String(Number((2 * Math.sqrt(against.sd ** 2 / against.n + scenario.sd ** 2 / scenario.n)).toPrecision(6)))
}

function evidenceTable({ scenarios }: Manifest): string[] {
  const rows = Object.entries(scenarios).flatMap(([id, { evidence }]) =>
    evidence === undefined
      ? []
      : [
          [
            codeText(id),
            COUNT.format(Math.round(evidence.effective_rows)),
            String(Number(evidence.largest_tilt.toPrecision(3))),
            evidence.in_range_share === undefined ? NONE : String(evidence.in_range_share),
            evidence.low_support === true ? '**thin**' : evidence.low_support === false ? 'enough' : NONE,
          ],
        ],
  )
  const numbers = ['Rows of the seed', 'Largest tilt', 'In range']
  return markdownTable(
    'Evidence',
    ['Scenario', ...numbers, 'Support'],
    numbers,
    rows,
    'Rows of the seed is the effective sample size behind the rows; the tilt, how many times its usual share a combination of levels has at most.',
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
