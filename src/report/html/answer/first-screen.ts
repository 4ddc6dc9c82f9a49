import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import {
  type Figure,
  figure,
  only,
  paragraph,
  type Section,
  type Table,
  table,
  worded,
} from '../../../base/document/block.ts'
import { html, type Markup } from '../../../base/document/markup.ts'
import { name, type Text } from '../../../base/document/text.ts'
import { words } from '../../../base/language/language.ts'
import { scenarioNames } from '../../scenario-names.ts'
import { leadingBlocks } from '../../tables/leading-answers.ts'
import { answerCells, answerHeads, outcome } from '../answer-cells.ts'
import { alerts } from './alerts.ts'
import { type ChosenAnswers, chooseAnswers, type Panel } from './choose-answers.ts'
import { forestPlot, panelTitle } from './forest-plot.ts'
import { generatedTable } from './generated-table.ts'
import { lead } from './lead.ts'

/** What was asked, what came out, and the main picture: the differences from the baseline with their intervals. */
export function answerSection({ manifest }: ReadManifest): Section {
  const chosen = chooseAnswers(manifest)
  const nameOf = scenarioNames(manifest)
  return {
    id: 'answer',
    title: words().firstScreen.title,
    blocks: [
      alerts(manifest),
      paragraph(lead(manifest, chosen, nameOf), 'lead'),
      chosen.panels.length === 0 ? only('page', generatedTable(manifest)) : picture(chosen, nameOf),
      ...leadingBlocks(manifest),
    ],
  }
}

function picture(chosen: ChosenAnswers, nameOf: (id: string) => string): Figure {
  const isOne = new Set(chosen.panels.map(({ comparison }) => comparison)).size === 1
  return figure({
    only: 'page',
    id: 'differences',
    caption: captionOf(chosen),
    picture: () =>
      html`${legend(chosen)}${chosen.panels.map(
        (panel) => html`<p class="panel">${!isOne && html`${name(panel.comparison)}: `}${panelHeading(panel)}</p>
${forestPlot(panel, nameOf)}`,
      )}`,
    table: shownTable(chosen),
  })
}

const panelHeading = (panel: Panel): Markup => html`${panelTitle(panel)} <span class="muted">${fromText(panel)}</span>`

function fromText({ against, where, whereRows }: Panel): Text {
  const { from, fromInRows } = words().firstScreen
  return where === null ? from<Text>(name(against)) : fromInRows<Text>(name(against), name(where), whereRows)
}

function captionOf({ shown, total, beyond, unknown, panels, isJudgedTogether }: ChosenAnswers): string {
  const { firstScreen: say } = words()
  const against = [...new Set(panels.map((panel) => panel.against))]
  const what = against.length === 1 ? say.captionFrom(against[0]!) : say.captionFromAll
  const known = total - unknown
  const chance = isJudgedTogether
    ? say.captionJudged
    : known < 20
      ? ''
      : say.captionChance(Math.round(known / 20), known)
  if (shown.length === total) return `${what}${chance}`
  const { kinds } = say
  const kind =
    beyond === 0
      ? known === 0
        ? kinds.unknown
        : kinds.noneBeyond
      : shown.length < beyond
        ? kinds.strongestBeyond
        : kinds.beyond
  return `${what}${say.captionShown(shown.length, total, kind)}${chance}`
}

/** Explains the marks that the picture shows. */
function legend({ shown }: ChosenAnswers): Markup {
  const { figures, firstScreen: say } = words()
  const mark = (text: string) =>
    html`${icon(html`<path class="interval" d="M1 7H29"/><circle class="mark-scenario" cx="15" cy="7" r="4"/>`)} ${text}`
  const isWithin = shown.some(({ beyond }) => beyond === false)
  const isUnknown = shown.some(({ beyond }) => beyond === null)
  const isThin = shown.some(({ marks }) => marks.includes('thin'))
  const isGenerated = shown.some(({ basis }) => basis === 'generation')
  const entries = [
    shown.some(({ beyond }) => beyond === true) &&
      html`${icon(html`<path class="interval beyond" d="M1 7H29"/><circle class="mark-scenario beyond" cx="15" cy="7" r="4"/>`)} ${figures.beyondChance}`,
    (isWithin || isUnknown) &&
      mark(!isUnknown ? figures.withinChance : isWithin ? say.withinOrNotKnown : figures.chanceNotKnown),
    (isThin || isGenerated) &&
      html`${icon(html`<path class="interval thin" d="M1 7H29"/>`)} ${[isThin && say.thinSupport, isGenerated && say.noiseOnly].filter(Boolean).join(say.or)}`,
  ]
  return html`<p class="legend" aria-hidden="true">${entries.map((entry) => entry && html`<span>${entry}</span> `)}</p>
`
}

const icon = (marks: Markup): Markup => html`<svg class="icon" viewBox="0 0 30 14">${marks}</svg>`

const shownTable = ({ shown }: ChosenAnswers): Table =>
  table(
    words().firstScreen.differencesTable,
    [words().answers.heads.scenario, worded(words().answers.heads.outcome), ...answerHeads(null)],
    shown.map((answer) => [
      ...[name(answer.scenario), [outcome(answer), answer.level !== null && words().firstScreen.inPoints]],
      ...answerCells(answer),
    ]),
  )
