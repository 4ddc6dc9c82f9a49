import { answerWords } from '../../answers/words/answer-text.ts'
import { differenceMarks } from '../../answers/words/difference-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { textTable } from '../../base/text/fit-text.ts'
import type { ExpectedDifference } from '../../records/plan-estimates.ts'

/** A difference of one scenario of a comparison. */
export interface Found {
  readonly scenario: string
  readonly column: string
  /** Null: the difference of means. */
  readonly level: string | null
  readonly quantile: string | null
  readonly foreseen: ExpectedDifference
}

/**
 * One table of the answers of all scenarios of a comparison, in the words of the end of a run, so that figures stand below
 * each other; marks have lines of their own.
 */
export function expectedTable(found: readonly Found[], width: number): string[] {
  const right = { align: 'right' as const }
  const columns = [
    { title: '', mayShrink: true, cut: 'middle' as const },
    { title: 'From → to', ...right },
    { title: 'Difference', ...right },
    { title: '95 % interval', ...right },
  ]
  const rows = found.map((one) => {
    const { of, from, to, difference, interval } = wordsOf(one)
    return [of, `${from} → ${to}`, difference, interval || '–']
  })
  const [head = '', ...lines] = textTable(columns, rows, width - 4)
    .trimEnd()
    .split('\n')
  return [
    `    ${head}`,
    ...found.flatMap(({ scenario, foreseen }, i) => {
      const marks = differenceMarks(foreseen)
      return [
        ...(i === 0 || found[i - 1]!.scenario !== scenario ? [`  ${escapeText(scenario)}`] : []),
        `    ${lines[i] ?? ''}`,
        ...(marks.length === 0 ? [] : [`      ${marks.join(', ')}`]),
      ]
    }),
  ]
}

function wordsOf({ column, level, quantile, foreseen }: Found) {
  const { against: from, scenario: to, delta: difference, interval, standard_error: standardError = null } = foreseen
  const kind = level === null ? (foreseen.kind ?? 'number') : 'share'
  return answerWords({ column, level, quantile, kind, from, to, difference, interval, inRows: null, standardError })
}
