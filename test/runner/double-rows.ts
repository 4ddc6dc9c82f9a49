/** The double's whole statistics: it repeats the seed's rows and writes the conditioned columns over them. */

export interface Seed {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly schema: readonly object[]
}

export interface Condition {
  readonly categorical?: Record<string, Record<string, number>>
  readonly numeric?: Record<string, { readonly min: number; readonly max: number }>
}

/** A CSV file without quotes. */
export function readSeed(text: string): Seed {
  const [head = '', ...lines] = text.trimEnd().split('\n')
  const header = head.split(',')
  const rows = lines.map((line) => line.split(','))
  const schema = header.map((name, c) => {
    const values = rows.map((row) => row[c]!)
    if (values.every((value) => Number.isFinite(Number(value)))) {
      return { name, min: Math.min(...values.map(Number)), max: Math.max(...values.map(Number)) }
    }
    return { name, levels: [...new Set(values)].sort() }
  })
  return { header, rows, schema }
}

/** `rows` rows as CSV: shares met to the nearest row, ranged columns inside their range, the seed decides by rotation. */
export function makeRows(
  seed: Seed,
  request: { readonly seed: number; readonly conditions?: Condition },
  rows: number,
): string {
  const columns = seed.header.map((name, c) => {
    const shares = request.conditions?.categorical?.[name]
    const range = request.conditions?.numeric?.[name]
    const base = Array.from({ length: rows }, (_, r) => seed.rows[(r + request.seed) % seed.rows.length]![c]!)
    if (shares !== undefined) return quota(base, shares, rows)
    if (range === undefined) return base
    return base.map((_, r) => String(range.min + ((r + request.seed) % (range.max - range.min + 1))))
  })
  const lines = Array.from({ length: rows }, (_, r) => columns.map((column) => column[r]).join(','))
  return `${[seed.header.join(','), ...lines].join('\n')}\n`
}

function quota(base: readonly string[], shares: Record<string, number>, rows: number): string[] {
  const out: string[] = []
  for (const [level, share] of Object.entries(shares)) {
    const count = Math.round(share * rows)
    for (let i = 0; i < count && out.length < rows; i++) out.push(level)
  }
  const others = [...new Set(base)].filter((level) => shares[level] === undefined)
  for (let i = 0; out.length < rows; i++) out.push(others[i % Math.max(1, others.length)] ?? Object.keys(shares)[0]!)
  return out
}
