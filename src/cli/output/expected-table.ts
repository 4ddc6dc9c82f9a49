import { escapeText } from '../../base/text/escape-text.ts'
import { textTable } from '../../base/text/fit-text.ts'
import type { ReportedDifference } from '../../report/difference-text.ts'

/** A difference of one scenario of a comparison. */
export interface Found {
  readonly scenario: string
  readonly reported: ReportedDifference
}

/**
 * One table of the expected differences of all scenarios of a comparison, those of the seed, so that figures stand below
 * each other; marks have lines of their own.
 */
export function expectedTable(found: readonly Found[], width: number): string[] {
  const right = { align: 'right' as const }
  const columns = [
    { title: '', mayShrink: true },
    { title: 'Expected', ...right },
    { title: '95 % interval', ...right },
  ]
  const rows = found.map(({ reported }) => [
    `${reported.column} ${reported.level ?? '(mean)'}`,
    reported.difference,
    reported.interval || '–',
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
