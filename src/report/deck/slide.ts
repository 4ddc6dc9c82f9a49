/** What a slide says: one message, the title, and what shows it. */

import { words } from '../../base/language/language.ts'
import type { DeckChart } from './chart.ts'

export interface SlideTable {
  readonly columns: readonly TableColumn[]
  readonly rows: readonly (readonly string[])[]
}

export interface TableColumn {
  readonly head: string
  /** Share of the width of the table. */
  readonly width: number
  readonly align?: 'right'
}

export type SlideBody =
  | { readonly kind: 'opening'; readonly lines: readonly string[] }
  | { readonly kind: 'lines'; readonly lines: readonly string[] }
  | { readonly kind: 'table'; readonly table: SlideTable }
  | { readonly kind: 'chart'; readonly chart: DeckChart; readonly below?: SlideTable }
  /** The second column of the table has room for the rows of the chart. */
  | { readonly kind: 'forest'; readonly chart: DeckChart; readonly table: SlideTable }

export interface Slide {
  readonly title: string
  readonly body: SlideBody
  /** How its figures were made, and how to read them: for the speaker. */
  readonly notes: readonly string[]
}

/** Rows of a table or a forest: more of them are split over slides. */
export const MOST_ROWS = 12

/** Parts of at most `MOST_ROWS`, of nearly the same size. */
export function parts<T>(items: readonly T[], most = MOST_ROWS): T[][] {
  const count = Math.ceil(items.length / most)
  const size = Math.ceil(items.length / Math.max(1, count))
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size))
}

/** ` (2 of 5)`; empty for the only one. */
export const partText = (index: number, count: number): string =>
  count === 1 ? '' : words().deck.part(index + 1, count)
