/** A chart of a deck: native and editable, so all that it shows is in a sheet that PowerPoint opens. */

import { writeXlsx } from 'hucre/xlsx'
import { words } from '../../base/language/language.ts'
import { heldText } from '../xml-text.ts'

/** How a series is drawn; `chart-part.ts` has the colours. */
export type SeriesLook = 'beyond' | 'within' | 'baseline' | 'scenario' | 'band'

export interface ChartSeries {
  readonly name: string
  readonly look: SeriesLook
  /** One for each row of the chart; null: nothing is drawn. */
  readonly values: readonly (number | null)[]
  /** Ends of intervals, in the unit of the values. */
  readonly intervals?: readonly (readonly [low: number, high: number] | null)[]
  /** Points that stand back. */
  readonly pale?: readonly boolean[]
  /** Points that are joined by a line; otherwise they stand alone. */
  readonly isJoined?: boolean
}

export interface ChartAxis {
  readonly title?: string
  /** Number format of its ticks, as spreadsheets write it. */
  readonly format: string
  readonly ends?: readonly [low: number, high: number]
  /** Distance of its ticks from the low end on. */
  readonly step?: number
}

export interface DeckChart {
  /**
   * `forest`: bars along, without names, beside the rows of a table; `curves`: points above the numbers `at`; `marks`: points above
   * names; `bars`: bars along, beside names.
   */
  readonly kind: 'forest' | 'curves' | 'marks' | 'bars'
  /** What a screen reader says. */
  readonly label: string
  readonly rows: readonly string[]
  /** Of each row, on the axis of numbers. */
  readonly at?: readonly number[]
  readonly series: readonly ChartSeries[]
  readonly values: ChartAxis
  /** The other axis. */
  readonly across?: ChartAxis
  /** Part of the height of the frame that a forest's rows take. */
  readonly plotHeight?: number
}

/** A column of the sheet behind a chart. */
export interface SheetColumn {
  readonly head: string
  readonly cells: readonly (string | number | null)[]
}

/** The columns of a series in the sheet. */
export interface SeriesColumns {
  readonly values: SheetColumn
  /** Lengths of the whiskers; ends of intervals beside them. */
  readonly below: SheetColumn | null
  readonly above: SheetColumn | null
}

export interface ChartSheet {
  readonly columns: readonly SheetColumn[]
  readonly places: SheetColumn | null
  readonly series: readonly SeriesColumns[]
}

export interface DrawnChart {
  readonly chart: DeckChart
  readonly sheet: ChartSheet
}

/** What stands in the sheet behind a chart, so that its parts can name their cells. */
export function chartSheet({ rows, at, series, across }: DeckChart): ChartSheet {
  const { deck: say } = words()
  const names: SheetColumn = { head: '', cells: rows.map(heldText) }
  const places: SheetColumn | null = at === undefined ? null : { head: heldText(across?.title ?? ''), cells: at }
  const columns: SheetColumn[] = [names, ...(places === null ? [] : [places])]
  const found = series.map(({ name, values, intervals }): SeriesColumns => {
    const own = { head: heldText(name), cells: values }
    columns.push(own)
    if (intervals === undefined) return { values: own, below: null, above: null }
    const column = (head: string, of: (interval: readonly [number, number], value: number) => number): SheetColumn => {
      const made = {
        head,
        cells: values.map((value, i) => {
          const interval = intervals[i] ?? null
          return value === null || interval === null ? null : of(interval, value)
        }),
      }
      columns.push(made)
      return made
    }
    column(say.low, ([low]) => low)
    column(say.high, ([, high]) => high)
    return {
      values: own,
      below: column(say.whiskerBelow, ([low], value) => value - low),
      above: column(say.whiskerAbove, ([, high], value) => high - value),
    }
  })
  return { columns, places, series: found }
}

/** The sheet as a workbook. All text in it is text: no cell is a formula. */
export async function chartWorkbook({ columns }: ChartSheet, modified: Date): Promise<Uint8Array> {
  const count = columns[0]!.cells.length
  return await writeXlsx({
    sheets: [
      {
        name: SHEET,
        columns: columns.map(() => ({ width: 18 })),
        rows: [
          columns.map(({ head }) => head),
          ...Array.from({ length: count }, (_, i) => columns.map(({ cells }) => cells[i] ?? null)),
        ],
      },
    ],
    properties: { creator: 'whatif', created: modified, modified },
  })
}

export const SHEET = 'Sheet1'
