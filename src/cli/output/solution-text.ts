import { type AnswerWords, answerWords, SCALES, UNITS } from '../../answers/words/answer-text.ts'
import { differenceMarks } from '../../answers/words/difference-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { textTable, wrapped } from '../../base/text/fit-text.ts'
import type { CurvePoint, SolutionRecord } from '../../records/solution.ts'

/** Which share of a level moves a figure by so much, and the curve around it. */
export function solutionText(found: SolutionRecord, width: number): string {
  const { scenario, lever, figure, curve } = found
  const text = (line: string): string => wrapped('', line, width)
  const now = wordsOf(found, curve.find(({ interval }) => interval !== undefined) ?? {})
  const name = escapeText(`${lever.column} ${lever.level}`)
  return [
    text(`scenario ${escapeText(scenario)}: ${escapeText(now.of)} ${now.from}, ${name} ${percent(lever.value)}`),
    '\n',
    text(solvedText(found, name)),
    text(chanceText(found)),
    '\n',
    curveTable(found, name, width),
    '\n',
    text(
      `The other answers of ${escapeText(lever.column)} keep their proportions. What goes with the lever moves with it: a difference is no effect of a cause.${figure.level === undefined ? '' : ' Differences are in points.'}`,
    ),
  ].join('')
}

function solvedText(found: SolutionRecord, name: string): string {
  const { solution, by, curve } = found
  const wanted = wantedText(found)
  if (solution === null) {
    const far = curve.reduce<CurvePoint | null>(
      (most, point) =>
        most === null || point.difference * Math.sign(by) > most.difference * Math.sign(by) ? point : most,
      null,
    )
    if (far === null) return `${wanted} is not known: too few rows of the seed stand behind every share`
    return `${wanted} is out of reach: ${name} moves it by ${wordsOf(found, far).difference} at most, at ${percent(far.value)}`
  }
  const { value, low, high } = solution
  const ends = `${low === undefined ? 'no lower end' : percent(low)} to ${high === undefined ? 'no upper end' : percent(high)}`
  const marks = differenceMarks({ support: solution.support })
  return `${wanted} at ${name} ${percent(value)} (95 % interval ${ends})${marks.map((mark) => `, ${mark}`).join('')}`
}

function chanceText({ leaves_chance: { below, above } }: SolutionRecord): string {
  if (below === undefined && above === undefined) return 'the difference does not leave chance at any share'
  const ends = [
    ...(below === undefined ? [] : [`from ${percent(below)} down`]),
    ...(above === undefined ? [] : [`from ${percent(above)} up`]),
  ]
  return `the difference leaves chance ${ends.join(' and ')}`
}

function curveTable(found: SolutionRecord, name: string, width: number): string {
  const right = { align: 'right' as const }
  const columns = [
    { title: name, mayShrink: true, cut: 'middle' as const, ...right },
    { title: 'From → to', ...right },
    { title: 'Difference', ...right },
    { title: '95 % interval', ...right },
  ]
  const rows = found.curve.map((point) => {
    const { from, to, difference, interval } = wordsOf(found, point)
    return [percent(point.value), `${from} → ${to}`, difference, interval || '–']
  })
  return textTable(columns, rows, width)
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const kindOf = ({ level, kind }: SolutionRecord['figure']): 'share' | 'number' | 'date' =>
  level === undefined ? (kind ?? 'number') : 'share'

/** As it was asked: +5 points. */
function wantedText({ by, figure }: SolutionRecord): string {
  const kind = kindOf(figure)
  return `${by > 0 ? '+' : ''}${Number((by * SCALES[kind]).toPrecision(12))}${UNITS[kind]}`
}

function wordsOf({ figure }: SolutionRecord, point: Partial<CurvePoint>): AnswerWords {
  const { column, level = null, value: from } = figure
  const { scenario: to = null, difference = null, interval = null } = point
  // Rounded to what the interval supports.
  const standardError = interval === null ? null : (interval[1] - interval[0]) / 4
  return answerWords({
    column,
    level,
    kind: kindOf(figure),
    from,
    to,
    difference,
    interval,
    inRows: null,
    standardError,
  })
}
