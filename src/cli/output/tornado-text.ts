import { type AnswerWords, unitText } from '../../answers/words/answer-text.ts'
import { leverMove, leverName, leverWords } from '../../answers/words/lever-words.ts'
import { countedIn } from '../../answers/words/where-text.ts'
import { plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { textTable, wrapped } from '../../base/text/fit-text.ts'
import type { LeverRecord, SensitivityRecord } from '../../records/sensitivity.ts'

/** Rows of each part; the rest is counted. */
const MOST_BEYOND = 25
const MOST_OTHERS = 5

/** Cells on either side of the axis. */
const SHORTEST_ARM = 4
const LONGEST_ARM = 16

/** Narrower terminals cut the names of levers. */
const WIDEST_NAME = 28

/** What moves a figure, as a tornado: the strongest lever first, a bar to either side of no difference. */
export function tornadoText(
  found: SensitivityRecord,
  { width, isAll }: { readonly width: number; readonly isAll: boolean },
): string {
  const { levers, questions, not_moved: notMoved } = found
  // Rounded as the strongest difference is.
  const value = leverWords(found, levers[0] ?? {})
  const beyond = levers.filter((lever) => lever.beyond_chance === true)
  const others = levers.filter((lever) => lever.beyond_chance !== true)
  const shown = isAll ? levers : [...beyond.slice(0, MOST_BEYOND), ...others.slice(0, MOST_OTHERS)]
  const text = (line: string): string => wrapped('', line, width)
  const left = levers.length - shown.length
  return [
    text(
      `${escapeText(value.of)} in ${escapeText(found.dataset)}${countedIn(found.where)}: ${value.from} in the data as they are`,
    ),
    text(
      `each lever +10 points: ${questions.beyond_chance} of ${plural(questions.asked, 'difference')} beyond chance (5 % of such claims are false)`,
    ),
    '\n',
    ...table(found, shown, beyond.length, width),
    left > 0 ? `\n${text(`${plural(left, 'more lever')} with smaller differences; --all shows them`)}` : '',
    '\n',
    text(NOTE),
    ...(notMoved.length === 0
      ? []
      : [text(`not moved: ${notMoved.map(({ column, why }) => `${escapeText(column)} (${why})`).join(', ')}`)]),
  ].join('')
}

const NOTE =
  'A share is raised from what it is in the data, and the other answers of its question keep their proportions. Of a number, values above the median take the place of others. What goes with a lever moves with it: a difference is no effect of a cause.'

function table(found: SensitivityRecord, shown: readonly LeverRecord[], beyond: number, width: number): string[] {
  const words = shown.map((lever) => leverWords(found, lever))
  // The unit has the title's place: without it the bars find room in 80 columns.
  const isShare = found.figure.level !== undefined
  const change = ({ difference }: AnswerWords): string =>
    isShare ? difference.replace(unitText('share'), '') : difference
  const figures = shown.map((lever, i) => [leverMove(lever), change(words[i]!), words[i]!.interval || '–'])
  const titles = ['Share', isShare ? 'Points' : 'Difference', '95 % interval']
  const widths = titles.map((title, i) => Math.max(title.length, ...figures.map((row) => row[i]!.length)))
  const names = shown.map(leverName)
  const nameWidth = Math.min(WIDEST_NAME, Math.max(...names.map((name) => name.length), 5))
  const room = width - nameWidth - widths.reduce((sum, one) => sum + one + 2, 0) - 2
  const arm = Math.min(LONGEST_ARM, Math.floor((room - 1) / 2))
  const largest = Math.max(...shown.map(({ difference = 0 }) => Math.abs(difference)))
  const hasBars = arm >= SHORTEST_ARM && largest > 0
  const columns = [
    { title: 'Lever', mayShrink: true, cut: 'middle' as const },
    ...titles.map((title) => ({ title, align: 'right' as const })),
    ...(hasBars ? [{ title: `${' '.repeat(arm)}0` }] : []),
  ]
  const rows = shown.map((lever, i) => [
    names[i]!,
    ...figures[i]!,
    ...(hasBars ? [bar(lever.difference ?? 0, largest, arm)] : []),
  ])
  const [head = '', ...lines] = textTable(columns, rows, width).trimEnd().split('\n')
  return [`${head}\n`, ...lines.map((line, i) => `${i === beyond && i > 0 ? 'chance explains these:\n' : ''}${line}\n`)]
}

/** To the left of the axis what falls, to the right what rises. */
function bar(difference: number, largest: number, arm: number): string {
  const cells = Math.round((Math.abs(difference) / largest) * arm)
  const bars = '█'.repeat(cells)
  return difference < 0 ? `${bars.padStart(arm)}│` : `${' '.repeat(arm)}│${bars}`
}
