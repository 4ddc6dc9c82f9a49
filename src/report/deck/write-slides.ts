/** Slides on the pages of a presentation. All text in it is text, and what would move or hide letters is shown. */

import pptxgen from 'pptxgenjs'
import { words } from '../../base/language/language.ts'
import { shortened } from '../../base/text/fit-text.ts'
import { textWidth } from '../../base/text/text-width.ts'
import { heldText } from '../xml-text.ts'
import { chartSheet, type DeckChart, type DrawnChart } from './chart.ts'
import { INK, MUTED } from './chart-part.ts'
import { CELL_POINTS, columnWidths, fittedNames } from './fit-table.ts'
import type { Slide, SlideTable } from './slide.ts'

/** Inches. */
const WIDTH = 13.333
const LEFT = 0.5
const ROOM = WIDTH - 2 * LEFT
const BODY = 1.75
const BOTTOM = 6.85
const HEAD_ROW = 0.36
const MOST_ROW = 0.42
/** Of a chart's axis below its rows. */
const AXIS = 0.6

const FONT = 'Calibri'
const MASTER = 'whatif'
/** Longest title, in columns of a terminal: four lines of the smallest letters. */
const MOST_TITLE = 330

/** The package says it is CommonJS, and its file is a module: what TypeScript takes for the module is the class. */
const PptxGenJS = pptxgen as unknown as typeof pptxgen.default

type PptxSlide = ReturnType<pptxgen.default['addSlide']>

export interface LaidOutSlides {
  readonly deck: pptxgen.default
  /** In the sequence of their frames. */
  readonly charts: readonly DrawnChart[]
}

/** In the language in effect: all texts of the presentation, those behind its charts too, are made when this returns. */
export function layOutSlides(slides: readonly Slide[], title: string): LaidOutSlides {
  const deck = new PptxGenJS()
  deck.layout = 'LAYOUT_WIDE'
  deck.title = heldText(title)
  deck.author = 'whatif'
  deck.company = ''
  deck.theme = { headFontFace: FONT, bodyFontFace: FONT }
  deck.defineSlideMaster({
    title: MASTER,
    background: { color: 'FFFFFF' },
    objects: [
      {
        placeholder: {
          options: {
            name: 'title',
            type: 'title',
            x: LEFT,
            y: 0.35,
            w: ROOM,
            h: 1.25,
            fontFace: FONT,
            bold: true,
            color: INK,
            align: 'left',
            valign: 'top',
            margin: 0,
          },
          text: '',
        },
      },
      {
        text: {
          text: shortened(heldText(title), 100),
          options: { x: LEFT, y: 7.02, w: 10, h: 0.3, fontSize: 10, fontFace: FONT, color: MUTED, margin: 0 },
        },
      },
    ],
    slideNumber: {
      x: WIDTH - LEFT - 0.8,
      y: 7.02,
      w: 0.8,
      h: 0.3,
      fontSize: 10,
      fontFace: FONT,
      color: MUTED,
      align: 'right',
    },
  })
  const charts: DrawnChart[] = []
  for (const slide of slides) {
    const page = deck.addSlide({ masterName: MASTER })
    const whole = inLines(shortened(heldText(slide.title), MOST_TITLE))
    page.addText(whole, { placeholder: 'title', fontSize: slide.body.kind === 'opening' ? 36 : titlePoints(whole) })
    const cut = writeBody(page, slide, charts)
    page.addNotes([...slide.notes, ...(cut.length === 0 ? [] : [words().deck.inFull, ...cut])].map(heldText).join('\n'))
  }
  return { deck, charts }
}

/** A figure and its unit, and a minus and its figure, stay on one line. */
function inLines(title: string): string {
  const units = [...Object.values(words().figures.units), ' %'].map((unit) => unit.trim()).filter((unit) => unit !== '')
  return [...new Set(units)]
    .reduce((text, unit) => text.replaceAll(new RegExp(`(?<=\\d) (?=${unit})`, 'g'), '\u00a0'), title)
    .replaceAll(/(?<=^|\s)-(?=\d)/g, '\u2212')
}

/** So that it takes at most four lines. */
function titlePoints(title: string): number {
  const width = textWidth(title)
  return width <= 150 ? 26 : width <= 220 ? 22 : 17
}

/** @returns texts that are cut on the slide. */
function writeBody(page: PptxSlide, { body }: Slide, charts: DrawnChart[]): string[] {
  switch (body.kind) {
    case 'opening':
    case 'lines':
      writeLines(page, body.lines, body.kind === 'opening' ? 18 : 14)
      return []
    case 'table':
      return writeTable(page, body.table, BODY, rowHeight(body.table))
    case 'chart': {
      const below = body.below === undefined ? 0 : HEAD_ROW + body.below.rows.length * MOST_ROW
      writeChart(page, body.chart, charts, {
        x: LEFT,
        y: BODY,
        w: ROOM,
        h: BOTTOM - BODY - below - (below > 0 ? 0.1 : 0),
      })
      return body.below === undefined ? [] : writeTable(page, body.below, BOTTOM - below, MOST_ROW)
    }
    case 'forest': {
      const row = rowHeight(body.table)
      const rows = body.table.rows.length * row
      const [first, plot] = columnWidths(body.table, ROOM)
      const cut = writeTable(page, body.table, BODY, row)
      writeChart(page, { ...body.chart, plotHeight: rows / (rows + AXIS) }, charts, {
        x: LEFT + first!,
        y: BODY + HEAD_ROW,
        w: plot!,
        h: rows + AXIS,
      })
      return cut
    }
  }
}

const rowHeight = ({ rows }: SlideTable): number => Math.min(MOST_ROW, (BOTTOM - BODY - HEAD_ROW - AXIS) / rows.length)

function writeLines(page: PptxSlide, lines: readonly string[], points: number): void {
  page.addText(
    lines.map((line) => ({ text: heldText(line), options: { breakLine: true, paraSpaceAfter: 8 } })),
    {
      x: LEFT,
      y: BODY,
      w: ROOM,
      h: BOTTOM - BODY,
      fontSize: points,
      fontFace: FONT,
      color: INK,
      valign: 'top',
      margin: 0,
    },
  )
}

interface Frame {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** What it holds comes later, in `finishDeck`: pptxgenjs makes the frame, its relations and a place for its data. */
function writeChart(page: PptxSlide, chart: DeckChart, charts: DrawnChart[], frame: Frame): void {
  charts.push({ chart, sheet: chartSheet(chart) })
  page.addChart('bar', [{ name: '-', labels: ['-'], values: [0] }], { ...frame, altText: heldText(chart.label) })
}

function writeTable(page: PptxSlide, table: SlideTable, y: number, row: number): string[] {
  const { columns, rows } = table
  const widths = columnWidths(table, ROOM)
  const cut: string[] = []
  const fitted = columns.map(({ align }, c) => {
    const texts = rows.map((cells) => cells[c]!)
    const isNames = align !== 'right'
    const { points, texts: shown } = isNames
      ? fittedNames(texts, widths[c]!, row)
      : { points: CELL_POINTS, texts: texts.map((text) => ({ text: heldText(text), isCut: false })) }
    for (const [r, { isCut }] of shown.entries()) if (isCut && !cut.includes(texts[r]!)) cut.push(texts[r]!)
    return shown.map(({ text }) => ({ text, options: { align: align ?? ('left' as const), fontSize: points } }))
  })
  const cells = rows.map((_, r) => fitted.map((column) => column[r]!))
  const head = columns.map(({ head, align }) => ({
    text: head,
    options: { align: align ?? ('left' as const), bold: true, color: MUTED },
  }))
  page.addTable([head, ...cells], {
    x: LEFT,
    y,
    w: ROOM,
    colW: widths,
    rowH: [HEAD_ROW, ...rows.map(() => row)],
    fontSize: CELL_POINTS,
    fontFace: FONT,
    color: INK,
    valign: 'middle',
    margin: [0.02, 0.05, 0.02, 0.05],
    border: { type: 'none' },
  })
  return cut
}
