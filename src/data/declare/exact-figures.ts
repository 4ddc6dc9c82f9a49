import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RawNumberColumn } from '../../base/raw-table.ts'
import { readTable } from '../../formats/read-table.ts'
import type { ReadTableOptions } from '../../formats/reading/row-sample.ts'

/** What the rows of a file say about a column of numbers, dates or times; not rounded, so for the file's owner only. */
export interface ExactFigures {
  readonly min: number | string
  readonly max: number | string
  readonly quantiles: Readonly<Record<keyof typeof SHARES, number | string>>
}

/** Shares of the rows below each quantile. */
const SHARES = { q05: 0.05, q25: 0.25, q50: 0.5, q75: 0.75, q95: 0.95 } as const

/**
 * Ends and quantiles of the columns of a file, by their names in it. Dates and times are in ISO 8601, as in a cleaned schema.
 * Columns that have other values than numbers and dates are left out.
 *
 * @throws {UnreadableFileError}
 */
export async function exactFigures(
  path: string,
  options: Pick<ReadTableOptions, 'signal' | 'sheet' | 'headerRows' | 'encoding'> = {},
): Promise<ReadonlyMap<string, ExactFigures>> {
  const tempDir = await mkdtemp(join(tmpdir(), 'whatif-figures-'))
  try {
    const { columns } = await readTable(path, { tempDir, ...options })
    return new Map(
      columns.flatMap((column) =>
        // A variable of SPSS that nobody answered has no values.
        'values' in column && column.distinct > 0 ? [[column.name, figuresOf(column)] as const] : [],
      ),
    )
  } finally {
    await rm(tempDir, { recursive: true, force: true })
  }
}

function figuresOf(column: RawNumberColumn): ExactFigures {
  const written = writer(column.type)
  const quantiles = quantilesOf(column)
  const of = (key: keyof typeof SHARES) => written(quantiles(SHARES[key]))
  return {
    min: written(column.min),
    max: written(column.max),
    quantiles: { q05: of('q05'), q25: of('q25'), q50: of('q50'), q75: of('q75'), q95: of('q95') },
  }
}

/** The least value that at least this share of the rows do not exceed; of a sample where a large file has too many values. */
function quantilesOf({ counts, values, valid }: RawNumberColumn): (share: number) => number {
  if (counts === null) {
    const sorted = values.filter((_, row) => valid[row] === 1).sort()
    return (share) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!
  }
  const rows = [...counts].sort(([a], [b]) => a - b)
  const all = rows.reduce((sum, [, count]) => sum + count, 0)
  return (share) => {
    let below = 0
    for (const [value, count] of rows) {
      below += count
      if (below >= share * all) return value
    }
    return rows[rows.length - 1]![0]
  }
}

function writer(type: RawNumberColumn['type']): (value: number) => number | string {
  if (type === 'number') return (value) => value
  const length = type === 'date' ? 'YYYY-MM-DD'.length : undefined
  return (value) => new Date(value).toISOString().slice(0, length)
}
