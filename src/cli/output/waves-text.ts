/** What changed between two waves, on one screen of 80 by 40. */

import { answerWords, outcomeName } from '../../answers/words/answer-text.ts'
import { countText, listText, plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { shortened, textTable } from '../../base/text/fit-text.ts'
import type { WaveChanges } from '../../report/waves/compare-waves.ts'
import type { GateChange } from '../../report/waves/gate-changes.ts'
import type { AnswerChange, AnswerChanges } from '../../report/waves/wave-answers.ts'
import type { DatasetChanges, NameChanges } from '../../report/waves/wave-data.ts'

/** Lines of each part; what is left out is counted. Together with their headings they fill a screen of 40 lines. */
const MOST_DATA_LINES = 11
const MOST_ANSWERS = 9
const MOST_IN_SEGMENTS = 3
const MOST_GATES = 7
/** Where no change is beyond chance, the nearest ones are shown all the same. */
const MOST_WITHIN_CHANCE = 3
/** Names of one line. */
const MOST_NAMES = 4

/** Lines of at most `width` columns, each with its line feed. Ends with an empty line. */
export function wavesText({ datasets, answers, segments, gates }: WaveChanges, width: number): string {
  const data = datasets.flatMap(dataLines)
  const lines = [
    ...capped(data, MOST_DATA_LINES, 'lines about the data').map((line) => shortened(line, width)),
    ...answerLines(answers, datasets, { title: 'Answers', most: MOST_ANSWERS, width }),
    ...answerLines(segments, datasets, { title: 'In segments', most: MOST_IN_SEGMENTS, width }),
    ...gateLines(gates, width),
  ]
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`
}

/** The same as data, in the words of `--json`. */
export function wavesJson({ datasets, answers, segments, gates }: WaveChanges): object {
  const names = ({ renamed, ...rest }: NameChanges) => ({
    ...rest,
    renamed: [...renamed].map(([from, to]) => ({ from, to })),
  })
  return {
    datasets: datasets.map(({ name, oldName, isSameData, counts, columns, levels, newlyDropped }) => ({
      name,
      old_name: oldName,
      same_data: isSameData,
      counts: counts && {
        input_rows: counts.inputRows,
        clean_rows: counts.cleanRows,
        input_columns: counts.inputColumns,
        clean_columns: counts.cleanColumns,
      },
      columns: names(columns),
      levels: [...levels].map(([column, changes]) => ({ column, ...names(changes) })),
      newly_dropped: newlyDropped,
    })),
    answers: answersJson(answers),
    segments: answersJson(segments),
    gates,
  }
}

const answersJson = ({ changes, ...counts }: AnswerChanges): object => ({
  ...counts,
  changes: changes.map(({ standardError, beyond, segment, ...change }) => ({
    ...change,
    ...(segment && { segment }),
    standard_error: standardError,
    beyond_chance: beyond,
  })),
})

function capped(lines: readonly string[], most: number, of: string): string[] {
  if (lines.length <= most) return [...lines]
  return [...lines.slice(0, most - 1), `  … and ${lines.length - most + 1} more ${of} (--json lists all)`]
}

function dataLines({ name, isSameData, counts, columns, levels, newlyDropped }: DatasetChanges): string[] {
  const lines = [
    ...(counts === null ? [] : [...countLine('rows', counts.inputRows, counts.cleanRows)]),
    ...(counts === null ? [] : [...countLine('columns', counts.inputColumns, counts.cleanColumns)]),
    ...nameLines('columns', columns),
    ...[...levels].flatMap(([column, changes]) => nameLines(`levels of ${column}`, changes)),
    ...(newlyDropped.length === 0
      ? []
      : [
          `dropped by cleaning now: ${listText(
            newlyDropped.map((column) => column.name),
            MOST_NAMES,
          )}`,
        ]),
  ]
  if (lines.length === 0 && isSameData !== false) return []
  const same = isSameData === true ? ' (the same seed file)' : lines.length === 0 ? ' (another seed file)' : ''
  return [`Data of ${escapeText(name)}${same}`, ...lines.map((line) => `  ${escapeText(line)}`)]
}

type Change = readonly [before: number, after: number]

function countLine(of: string, input: Change, clean: Change): string[] {
  const text = ([from, to]: Change) => (from === to ? countText(to) : `${countText(from)} → ${countText(to)}`)
  if (input[0] === input[1] && clean[0] === clean[1]) return []
  const isClean = clean[0] === input[0] && clean[1] === input[1]
  return [`${of}: ${text(input)}${isClean ? '' : `, after cleaning ${text(clean)}`}`]
}

function nameLines(of: string, { gone, added, renamed }: NameChanges): string[] {
  const parts = [
    renamed.size > 0 &&
      `probably renamed ${listText(
        [...renamed].map(([from, to]) => `${from} → ${to}`),
        MOST_NAMES,
      )}`,
    gone.length > 0 && `gone ${listText(gone, MOST_NAMES)}`,
    added.length > 0 && `new ${listText(added, MOST_NAMES)}`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? [] : [`${of}: ${parts.join('; ')}`]
}

function answerLines(
  answers: AnswerChanges,
  datasets: readonly DatasetChanges[],
  { title, most, width }: { readonly title: string; readonly most: number; readonly width: number },
): string[] {
  const { changes, compared, judged, beyond } = answers
  if (compared === 0) return []
  const isOneSample = datasets.length > 0 && datasets.every(({ isSameData }) => isSameData === true)
  const head =
    judged > 0
      ? `${title}: ${countText(beyond)} of ${plural(judged, 'question')} changed beyond the chance of both samples`
      : isOneSample
        ? `${title}: ${countText(changes.length)} of ${countText(compared)} changed; both runs have one sample`
        : `${title}: ${countText(changes.length)} of ${countText(compared)} changed; their chance is not known`
  const told = changes.filter((change) => change.beyond !== false)
  const shown = told.length > 0 ? told.slice(0, most) : changes.slice(0, MOST_WITHIN_CHANCE)
  const more = changes.length - shown.length
  // The heading says it where all are beyond chance.
  const isMixed = shown.some(({ beyond }) => beyond !== true)
  const rows = shown.map((change) => [nameText(change), ...figures(change), ...(isMixed ? [chanceText(change)] : [])])
  const columns = [
    { title: '', mayShrink: true, cut: 'middle' as const },
    { title: 'Before → after', align: 'right' as const },
    { title: 'Change', align: 'right' as const },
    ...(isMixed ? [{ title: '' }] : []),
  ]
  const [, ...table] = textTable(columns, rows, width - 2)
    .trimEnd()
    .split('\n')
  return [
    shortened(head, width),
    ...(shown.length === 0 ? [] : table.map((line) => `  ${line}`)),
    ...(more > 0
      ? [`  … and ${countText(more)} more${withinText(changes.slice(shown.length))} (--json lists all)`]
      : []),
  ]
}

/** Whether all of the rest is within chance. */
const withinText = (rest: readonly AnswerChange[]): string =>
  rest.every(({ beyond }) => beyond === false) ? ', all within chance' : ' that changed'

const nameText = (change: AnswerChange): string =>
  `${outcomeName(change)}${change.segment === null ? '' : ` in ${change.segment.level}`}${change.where === null ? '' : ` in rows with ${change.where}`}, ${change.scenario}${change.against === null ? '' : ` against ${change.against}`}`

/** Both figures and their difference, rounded to what the standard error of the change supports. */
function figures({ kind, column, level, before, after, against, standardError }: AnswerChange): [string, string] {
  const of = { kind, column, level, standardError, interval: null, inRows: null }
  const change = answerWords({ ...of, from: before, to: after, difference: after - before })
  if (against === null) return [`${change.from} → ${change.to}`, change.difference]
  const difference = (value: number) => answerWords({ ...of, from: null, to: null, difference: value }).difference
  return [`${difference(before).replace(/ (?:points|days)$/, '')} → ${difference(after)}`, change.difference]
}

const chanceText = ({ beyond }: AnswerChange): string =>
  beyond === null ? '' : beyond ? 'beyond chance' : 'within chance'

function gateLines(gates: readonly GateChange[], width: number): string[] {
  if (gates.length === 0) return []
  const failing = gates.filter(({ change }) => change !== 'passes now').length
  const lines = gates.map(({ of, gate, level, change }) =>
    escapeText(`  ${change}: ${gate} of ${of}${level === 'warn' ? ' (warning)' : ''}`),
  )
  return [
    `Gates: ${countText(failing)} fail now, ${countText(gates.length - failing)} pass now`,
    ...capped(lines, MOST_GATES, 'gates').map((line) => shortened(line, width)),
  ]
}
