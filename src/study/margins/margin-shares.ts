import type { WrittenShares } from '../conditions/condition-kind.ts'
import { excessOf } from '../conditions/share.ts'
import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic, SourceRange } from '../diagnostics/diagnostic.ts'
import type { MarginRow, MarginsFile } from './margins-file.ts'

const NUMBER = /^(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/
const PERCENT = /^(\d+(?:[.,]\d+)?)\s*%$/
const DECIMAL_COMMA = /^\d*,\d+$/

/** The shares of each column, as if a scenario had written them. Faults of the file are placed in its lines. */
export function marginShares(file: MarginsFile, diagnostics: Diagnostic[]): ReadonlyMap<string, WrittenShares> {
  const { filename, rows, fault } = file
  if (fault !== null) {
    const { summary, detail, line } = fault
    diagnostics.push(diagnose('S1312', { summary, detail, range: rangeOf(filename, line) }))
    return new Map()
  }
  const columns = new Map<
    string,
    { place: SourceRange; shares: Map<string, number>; levels: Map<string, SourceRange> }
  >()
  for (const row of rows) {
    const range = rangeOf(filename, row.line)
    const share = shareIn(row, range, diagnostics)
    if (share === null) continue
    const own = columns.get(row.column) ?? { place: range, shares: new Map(), levels: new Map() }
    columns.set(row.column, own)
    const twin = own.levels.get(row.level)
    if (twin !== undefined) {
      diagnostics.push(
        diagnose('S1312', {
          summary: `level "${row.level}" of column "${row.column}" is there twice`,
          range,
          detail: 'a file of margins has one row for each level',
          related: [{ message: 'the other one', range: twin }],
        }),
      )
      continue
    }
    own.shares.set(row.level, share)
    own.levels.set(row.level, range)
  }
  for (const [column, { shares, place }] of columns) {
    const excess = excessOf(column, shares)
    if (excess === null) continue
    diagnostics.push(diagnose('S2001', { ...excess, range: place }))
    columns.delete(column)
  }
  return new Map([...columns].map(([column, { place, shares, levels }]) => [column, { column: place, shares, levels }]))
}

function shareIn({ column, level, share }: MarginRow, range: SourceRange, diagnostics: Diagnostic[]): number | null {
  const number = NUMBER.test(share) ? Number(share) : null
  if (column !== '' && level !== '' && number !== null && number <= 1) return number
  const empty = column === '' ? 'column' : level === '' ? 'level' : null
  const detail = number === null ? adviceFor(share) : 'expected: a share between 0 and 1, where 0.70 means 70 %'
  diagnostics.push(
    diagnose('S1312', {
      summary:
        empty !== null
          ? `this row has no ${empty}`
          : `the share of "${level}" in column "${column}" is ${share === '' ? 'empty' : `"${share}"`}`,
      range,
      detail: empty !== null ? 'expected: the name of a column, a level of it, and the share of the level' : detail,
    }),
  )
  return null
}

function adviceFor(share: string): string {
  const percent = PERCENT.exec(share)?.[1]
  if (percent !== undefined) return `write ${Number((Number(percent.replace(',', '.')) / 100).toPrecision(12))}`
  if (DECIMAL_COMMA.test(share)) return `use a decimal point: write ${share.replace(/^,/, '0,').replace(',', '.')}`
  return 'expected: a share between 0 and 1, such as 0.14'
}

/** A whole line; line 0: the file as such. */
function rangeOf(filename: string, line: number): SourceRange {
  const at = { offset: line, line: Math.max(1, line), column: 1 }
  return { filename, start: at, end: at }
}
