/**
 * The part of a presentation that a chart is (ECMA-376, DrawingML charts). Ours, because pptxgenjs writes no error bars and one look for
 * all series.
 */

import { columnLetters } from '../workbook/sheet.ts'
import { xmlText } from '../xml-text.ts'
import {
  type ChartAxis,
  type ChartSeries,
  type ChartSheet,
  type DeckChart,
  type SeriesColumns,
  type SeriesLook,
  SHEET,
  type SheetColumn,
} from './chart.ts'

export const INK = '1F2328'
export const MUTED = '595F67'
const LINE = 'D0D5DB'
const BEYOND = '0067A3'
const PALE = 'A3ADB8'

/** Colour, the marker of a point, and whether bars are empty. LibreOffice draws no outline of a marker, so none of them is empty. */
const LOOKS: Readonly<
  Record<SeriesLook, { readonly colour: string; readonly marker: 'circle' | 'dash'; readonly isEmpty?: true }>
> = {
  beyond: { colour: BEYOND, marker: 'circle' },
  scenario: { colour: BEYOND, marker: 'circle' },
  within: { colour: PALE, marker: 'circle' },
  baseline: { colour: MUTED, marker: 'circle', isEmpty: true },
  band: { colour: BEYOND, marker: 'dash' },
}

/** @param sheet Of the chart. */
export function chartPart(chart: DeckChart, sheet: ChartSheet): string {
  const of = { chart, sheet, cellsOf: cellsOf(sheet) }
  const hasLegend = chart.kind !== 'forest' && chart.series.length > 1
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><c:date1904 val="0"/><c:roundedCorners val="0"/><c:chart><c:autoTitleDeleted val="1"/><c:plotArea>${layout(chart)}${drawing(of)}${axes(chart)}<c:spPr><a:noFill/></c:spPr></c:plotArea>${hasLegend ? '<c:legend><c:legendPos val="t"/><c:overlay val="0"/></c:legend>' : ''}<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart><c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr><c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr sz="1200"><a:solidFill><a:srgbClr val="${INK}"/></a:solidFill></a:defRPr></a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr><c:externalData r:id="rId1"><c:autoUpdate val="0"/></c:externalData></c:chartSpace>`
}

interface Drawn {
  readonly chart: DeckChart
  readonly sheet: ChartSheet
  readonly cellsOf: (column: SheetColumn) => { readonly head: string; readonly cells: string }
}

/** Where the sheet has a column: `Sheet1!$B$1`, `Sheet1!$B$2:$B$13`. */
const cellsOf =
  ({ columns }: ChartSheet): Drawn['cellsOf'] =>
  (column) => {
    const letters = columnLetters(columns.indexOf(column))
    return {
      head: `${SHEET}!$${letters}$1`,
      cells: `${SHEET}!$${letters}$2:$${letters}$${1 + column.cells.length}`,
    }
  }

/** A forest's rows lie beside those of a table. */
const layout = ({ kind, plotHeight = 1 }: DeckChart): string =>
  kind === 'forest'
    ? `<c:layout><c:manualLayout><c:layoutTarget val="inner"/><c:xMode val="edge"/><c:yMode val="edge"/><c:x val="0.04"/><c:y val="0"/><c:w val="0.92"/><c:h val="${plotHeight.toFixed(4)}"/></c:manualLayout></c:layout>`
    : '<c:layout/>'

function drawing(of: Drawn): string {
  const { chart, sheet } = of
  const series = chart.series
    .map((one, i) => `<c:ser><c:idx val="${i}"/><c:order val="${i}"/>${oneSeries(of, one, sheet.series[i]!)}</c:ser>`)
    .join('')
  const ids = '<c:axId val="1"/><c:axId val="2"/>'
  switch (chart.kind) {
    case 'forest':
    case 'bars':
      // A row of a forest has a bar of one series: they share its place.
      return `<c:barChart><c:barDir val="bar"/><c:grouping val="clustered"/><c:varyColors val="0"/>${series}<c:gapWidth val="60"/>${chart.kind === 'forest' ? '<c:overlap val="100"/>' : ''}${ids}</c:barChart>`
    case 'marks':
      return `<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>${series}<c:marker val="1"/>${ids}</c:lineChart>`
    case 'curves':
      return `<c:scatterChart><c:scatterStyle val="lineMarker"/><c:varyColors val="0"/>${series}${ids}</c:scatterChart>`
  }
}

function oneSeries(of: Drawn, series: ChartSeries, { values, below, above }: SeriesColumns): string {
  const { chart, sheet, cellsOf } = of
  const { look } = series
  const isBar = chart.kind === 'bars' || chart.kind === 'forest'
  const numbers = (column: SheetColumn): string => numberCells(column, cellsOf(column).cells)
  const name = `<c:tx><c:strRef><c:f>${cellsOf(values).head}</c:f><c:strCache><c:ptCount val="1"/><c:pt idx="0"><c:v>${xmlText(series.name)}</c:v></c:pt></c:strCache></c:strRef></c:tx>`
  const whiskers =
    below === null || above === null
      ? ''
      : `<c:errBars>${isBar ? '' : '<c:errDir val="y"/>'}<c:errBarType val="both"/><c:errValType val="cust"/><c:noEndCap val="${isBar ? 0 : 1}"/><c:plus>${numbers(above)}</c:plus><c:minus>${numbers(below)}</c:minus><c:spPr>${outline(isBar ? INK : LOOKS[look].colour, 1.5)}</c:spPr></c:errBars>`
  const rows = sheet.columns[0]!
  const named = `<c:cat>${textCells(rows, cellsOf(rows).cells)}</c:cat><c:val>${numbers(values)}</c:val>`
  if (isBar)
    return `${name}${barLook(look)}<c:invertIfNegative val="0"/>${chart.kind === 'bars' ? barLabels(chart.values.format) : ''}${whiskers}${named}`
  const head = `${name}${lineLook(series)}${marker(series)}${palePoints(series)}${whiskers}`
  if (chart.kind === 'marks') return `${head}${named}<c:smooth val="0"/>`
  return `${head}<c:xVal>${numbers(sheet.places!)}</c:xVal><c:yVal>${numbers(values)}</c:yVal><c:smooth val="0"/>`
}

const outline = (colour: string, points: number, dash = 'solid'): string =>
  `<a:ln w="${Math.round(points * 12_700)}"><a:solidFill><a:srgbClr val="${colour}"/></a:solidFill><a:prstDash val="${dash}"/></a:ln>`

function lineLook({ look, isJoined }: ChartSeries): string {
  if (isJoined !== true) return '<c:spPr><a:ln w="19050"><a:noFill/></a:ln></c:spPr>'
  return `<c:spPr>${outline(LOOKS[look].colour, look === 'baseline' ? 1.5 : 2, look === 'baseline' ? 'dash' : 'solid')}</c:spPr>`
}

/** A line without intervals needs no points. */
const marker = ({ look, isJoined, intervals }: ChartSeries): string =>
  isJoined === true && intervals === undefined
    ? '<c:marker><c:symbol val="none"/></c:marker>'
    : symbolOf(LOOKS[look].marker, LOOKS[look].colour)

const symbolOf = (symbol: string, colour: string): string =>
  `<c:marker><c:symbol val="${symbol}"/><c:size val="9"/><c:spPr><a:solidFill><a:srgbClr val="${colour}"/></a:solidFill>${outline(colour, 1.5)}</c:spPr></c:marker>`

/** The line that leads to a point is the point's, so it is said again. */
const palePoints = (series: ChartSeries): string =>
  (series.pale ?? [])
    .map((isPale, i) =>
      isPale
        ? `<c:dPt><c:idx val="${i}"/>${symbolOf('circle', PALE)}<c:bubble3D val="0"/>${lineLook(series)}</c:dPt>`
        : '',
    )
    .join('')

const barLook = (look: SeriesLook): string =>
  `<c:spPr><a:solidFill><a:srgbClr val="${LOOKS[look].isEmpty ? 'FFFFFF' : LOOKS[look].colour}"/></a:solidFill>${outline(LOOKS[look].colour, 1)}</c:spPr>`

const barLabels = (format: string): string =>
  `<c:dLbls><c:numFmt formatCode="${xmlText(format)}" sourceLinked="0"/><c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr><c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/></c:dLbls>`

const numberCells = ({ cells }: SheetColumn, at: string): string =>
  `<c:numRef><c:f>${at}</c:f><c:numCache><c:formatCode>General</c:formatCode><c:ptCount val="${cells.length}"/>${cells.map((cell, i) => (typeof cell === 'number' ? `<c:pt idx="${i}"><c:v>${cell}</c:v></c:pt>` : '')).join('')}</c:numCache></c:numRef>`

const textCells = ({ cells }: SheetColumn, at: string): string =>
  `<c:strRef><c:f>${at}</c:f><c:strCache><c:ptCount val="${cells.length}"/>${cells.map((cell, i) => `<c:pt idx="${i}"><c:v>${xmlText(String(cell ?? ''))}</c:v></c:pt>`).join('')}</c:strCache></c:strRef>`

interface AxisPlace {
  readonly id: 1 | 2
  readonly position: 'b' | 'l'
  readonly hasGrid: boolean
  /** The other one has names: where its labels stand. */
  readonly besideNames?: 'low' | 'high'
}

function axes({ kind, values, across }: DeckChart): string {
  switch (kind) {
    case 'curves':
      return `${numberAxis(across ?? { format: 'General' }, { id: 1, position: 'b', hasGrid: false })}${numberAxis(values, { id: 2, position: 'l', hasGrid: true })}`
    case 'marks':
      return `${nameAxis('b', 'low', across?.title)}${numberAxis(values, { id: 2, position: 'l', hasGrid: true, besideNames: 'low' })}`
    case 'bars':
    case 'forest':
      // Names run from the top down, so their high end is the bottom.
      return `${nameAxis('l', kind === 'bars' ? 'low' : 'none', across?.title)}${numberAxis(values, { id: 2, position: 'b', hasGrid: true, besideNames: 'high' })}`
  }
}

function numberAxis(axis: ChartAxis, { id, position, hasGrid, besideNames }: AxisPlace): string {
  const [low, high] = axis.ends ?? []
  const scaling = `<c:scaling><c:orientation val="minMax"/>${high === undefined ? '' : `<c:max val="${high}"/>`}${low === undefined ? '' : `<c:min val="${low}"/>`}</c:scaling>`
  const grid = hasGrid ? `<c:majorGridlines><c:spPr>${outline(LINE, 0.75)}</c:spPr></c:majorGridlines>` : ''
  return `<c:valAx><c:axId val="${id}"/>${scaling}<c:delete val="0"/><c:axPos val="${position}"/>${grid}${title(axis.title)}<c:numFmt formatCode="${xmlText(axis.format)}" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="${besideNames ?? 'low'}"/><c:spPr>${outline(LINE, 1)}</c:spPr><c:crossAx val="${id === 1 ? 2 : 1}"/><c:crosses val="${besideNames === undefined ? 'min' : 'autoZero'}"/><c:crossBetween val="${besideNames === undefined ? 'midCat' : 'between'}"/>${axis.step === undefined ? '' : `<c:majorUnit val="${axis.step}"/>`}</c:valAx>`
}

/** Its line stands at zero of the other one; the names of bars run from the top down. */
const nameAxis = (position: 'b' | 'l', labels: 'low' | 'none', text: string | undefined): string =>
  `<c:catAx><c:axId val="1"/><c:scaling><c:orientation val="${position === 'l' ? 'maxMin' : 'minMax'}"/></c:scaling><c:delete val="0"/><c:axPos val="${position}"/>${title(text)}<c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="${labels}"/><c:spPr>${outline(position === 'l' ? INK : LINE, 1)}</c:spPr><c:crossAx val="2"/><c:crosses val="autoZero"/><c:auto val="0"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="1"/></c:catAx>`

const title = (text: string | undefined): string =>
  text === undefined
    ? ''
    : `<c:title><c:tx><c:rich><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr sz="1200" b="0"/></a:pPr><a:r><a:rPr lang="en-US" sz="1200" b="0"/><a:t>${xmlText(text)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>`
