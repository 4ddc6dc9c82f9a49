import { plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { textTable, wrappedLines } from '../../base/text/fit-text.ts'
import type { Manifest, ManifestComparison } from '../../manifest/manifest.ts'
import { basisTexts, type ReportedDifference, reportedDifferences } from '../../report/difference-text.ts'

/** More differences than this are only counted; reports have all. */
const MOST_DIFFERENCES = 30

/** The differences of a run's comparisons: a line each, with its interval and the seed's own difference. */
export function comparisonLines({ comparisons }: Pick<Manifest, 'comparisons'>, width: number): string[] {
  let left = MOST_DIFFERENCES
  let omitted = 0
  const lines = Object.entries(comparisons).flatMap(([id, comparison]) => {
    const found = differencesOf(comparison)
    const shown = found.slice(0, left)
    left -= shown.length
    omitted += found.length - shown.length
    if (shown.length === 0) return []
    const title = `comparison ${id}, against ${comparison.against}`
    return ['', ...wrappedLines('', title, width), ...differenceTable(shown, width), ...restsOn(comparison, width)]
  })
  if (omitted > 0) lines.push(`  … and ${plural(omitted, 'more difference')}: see whatif report`)
  return lines
}

/** A difference of one scenario of a comparison. */
export interface Found {
  readonly scenario: string
  readonly reported: ReportedDifference
}

function differencesOf({ scenarios }: ManifestComparison): Found[] {
  return Object.entries(scenarios).flatMap(([scenario, result]) =>
    reportedDifferences(result).map((reported) => ({ scenario, reported })),
  )
}

/**
 * One table for all scenarios of a comparison, so that figures stand below each other; marks have lines of their own. Without
 * what was found, `expected` is the seed's difference.
 */
export function differenceTable(found: readonly Found[], width: number, expected?: 'Expected'): string[] {
  const right = { align: 'right' as const }
  const columns = [
    { title: '', mayShrink: true },
    { title: expected ?? 'Difference', ...right },
    { title: '95 % interval', ...right },
    ...(expected === undefined ? [{ title: 'Seed', ...right }] : []),
  ]
  const rows = found.map(({ reported }) => [
    `${reported.column} ${reported.level ?? '(mean)'}`,
    reported.difference,
    reported.interval || '–',
    ...(expected === undefined ? [reported.seed || '–'] : []),
  ])
  const [head = '', ...lines] = textTable(columns, rows, width - 4)
    .trimEnd()
    .split('\n')
  return [
    `    ${head}`,
    ...found.flatMap(({ scenario, reported }, i) => [
      ...(i === 0 || found[i - 1]!.scenario !== scenario ? [`  ${escapeText(scenario)}`] : []),
      `    ${lines[i] ?? ''}`,
      ...(reported.marks.length === 0 ? [] : [`      ${reported.marks.join(', ')}`]),
    ]),
  ]
}

/** What the intervals rest on, each basis once for all scenarios. */
function restsOn({ scenarios }: ManifestComparison, width: number): string[] {
  const bases = new Set(Object.values(scenarios).flatMap(basisTexts))
  if (bases.size === 0) return []
  return wrappedLines('  ', `intervals rest on: ${[...bases].join('; ')}`, width)
}
