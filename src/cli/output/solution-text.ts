import { chanceSentence, curveWords, leverPercent, solutionSentence } from '../../answers/words/solution-words.ts'
import { countedIn } from '../../answers/words/where-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { textTable, wrapped } from '../../base/text/fit-text.ts'
import type { SolutionRecord } from '../../records/solution.ts'

/** Which share of a level moves a figure by so much, and the curve around it. */
export function solutionText(found: SolutionRecord, width: number): string {
  const { scenario, lever, figure, curve } = found
  const text = (line: string): string => wrapped('', line, width)
  const now = curveWords(found, curve.find(({ interval }) => interval !== undefined) ?? {})
  const name = escapeText(`${lever.column} ${lever.level}`)
  return [
    text(
      `scenario ${escapeText(scenario)}: ${escapeText(now.of)}${countedIn(found.where)} ${now.from}, ${name} ${leverPercent(lever.value)}`,
    ),
    '\n',
    text(solutionSentence(found)),
    text(chanceSentence(found)),
    '\n',
    curveTable(found, name, width),
    '\n',
    text(
      `The other answers of ${escapeText(lever.column)} keep their proportions. What goes with the lever moves with it: a difference is no effect of a cause.${figure.level === undefined ? '' : ' Differences are in points.'}`,
    ),
  ].join('')
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
    const { from, to, difference, interval } = curveWords(found, point)
    return [leverPercent(point.value), `${from} → ${to}`, difference, interval || '–']
  })
  return textTable(columns, rows, width)
}
