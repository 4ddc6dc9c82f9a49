import { shareText } from '../../../answers/words/share-text.ts'
import { figure, note, type Section, type Table, table, worded } from '../../../base/document/block.ts'
import type { Markup } from '../../../base/document/markup.ts'
import { joined, name, type Text } from '../../../base/document/text.ts'
import { countText, plural } from '../../../base/text/amount-text.ts'
import type { ManifestColumn } from '../../../records/manifest/columns.ts'
import { multiples } from '../charts/chart.ts'
import { densityChart } from '../charts/density.ts'
import { levelBars } from '../charts/level-bars.ts'
import { figureOf } from '../charts/tick-text.ts'

/** A cleaned column of a dataset. */
export interface SheetColumn {
  readonly name: string
  /** Null where the service reports neither levels nor bounds. */
  readonly column: ManifestColumn | null
  /** Fraction of the rows without a value; null where the service does not report it. */
  readonly missing: number | null
  /** `18 to 93`; null for levels, and where it is not known. */
  readonly range: string | null
}

/** Drawings of the section. */
const MOST_DRAWINGS = 120
/** Levels that a cell of the table lists. */
const MOST_LEVELS = 60

/** The columns after cleaning: shares of levels and quantiles of numbers in the seed file; null when there are none. */
export function columnsSection(columns: readonly SheetColumn[]): Section | null {
  if (columns.length === 0) return null
  const drawable = columns.flatMap((one) => drawing(one) ?? [])
  const shown = drawable.slice(0, MOST_DRAWINGS)
  return {
    id: 'columns',
    title: plural(columns.length, 'column'),
    blocks:
      shown.length === 0
        ? [note('The service reports neither shares of levels nor quantiles.'), columnTable(columns)]
        : [
            figure({
              id: 'natural',
              caption: `What the seed file holds after cleaning: the share of each level, and of numbers the median, the quartiles (bar) and the 5 % and 95 % quantiles (line).${drawable.length > shown.length ? ` The ${countText(drawable.length - shown.length)} other columns stand in the table alone.` : ''}`,
              picture: () => multiples(shown),
              table: columnTable(columns),
            }),
          ],
  }
}

function drawing({ name: title, column }: SheetColumn): Markup | null {
  if (column === null) return null
  const label = column.label === undefined ? title : `${title}: ${column.label}`
  const levels = (column.levels ?? []).filter(({ share }) => share !== undefined)
  if (levels.length > 0) {
    const bars = levels.map(({ level, share }) => ({ level, before: null, after: share! }))
    return levelBars({ title, label, bars, longest: Math.max(...bars.map(({ after }) => after)) })
  }
  const after = sideOf(column)
  if (after === null) return null
  const span: [number, number] = after.q05 < after.q95 ? [after.q05, after.q95] : [after.q05 - 1, after.q95 + 1]
  const isDate = column.kind === 'date'
  return densityChart({ title, label, before: null, after, isDate, span, names: ['', title], highest: 0 })
}

/** Null where a quantile is not known. */
function sideOf({ quantiles, kind }: ManifestColumn): Readonly<Record<(typeof KEYS)[number], number>> | null {
  if (quantiles === undefined) return null
  const numbers = KEYS.map((key) => {
    const value = quantiles[key]
    return typeof value === 'number' ? value : kind === 'date' ? Date.parse(value) : Number.NaN
  })
  if (!numbers.every(Number.isFinite)) return null
  const [q05, q25, q50, q75, q95] = numbers as [number, number, number, number, number]
  return { q05, q25, q50, q75, q95 }
}

const KEYS = ['q05', 'q25', 'q50', 'q75', 'q95'] as const

const columnTable = (columns: readonly SheetColumn[]): Table =>
  table(
    'Columns',
    [...['Column', worded('Meaning'), 'Without a value'], worded('Levels, or quantiles 5, 25, 50, 75 and 95 %')],
    columns.map((one) => [
      name(one.name),
      one.column?.label !== undefined && name(one.column.label),
      one.missing === null ? '–' : shareText(one.missing),
      valuesOf(one),
    ]),
    { isBare: true },
  )

function valuesOf({ column, range }: SheetColumn): Text {
  const levels = column?.levels ?? []
  if (levels.length > 0) {
    const left = levels.length - MOST_LEVELS
    const shown = levels.slice(0, MOST_LEVELS)
    return [
      joined(
        shown.map(({ level, share }) => [name(level), share !== undefined && ` ${shareText(share)}`]),
        column?.ordered === true ? ' < ' : ', ',
      ),
      left > 0 && ` and ${countText(left)} more`,
    ]
  }
  const side = column === null ? null : sideOf(column)
  const quantiles = side === null ? '' : KEYS.map((key) => figureOf(side[key], column?.kind === 'date')).join(', ')
  return [quantiles, range !== null && `${quantiles === '' ? '' : '; '}range ${range}`]
}
