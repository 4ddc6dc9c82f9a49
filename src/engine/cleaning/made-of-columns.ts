import type { KeptColumn } from './infer-column.ts'
import type { MadeOfColumns, TableColumn } from './table.ts'

/**
 * What the author of the seed made of other columns, as far as all of them are kept as numbers or codes. Otherwise the column is modelled
 * as any other.
 *
 * @param columns Of `kept`, in its sequence.
 */
export function formulasOf(kept: readonly KeptColumn[], columns: readonly TableColumn[]): MadeOfColumns[] {
  const indexOf = new Map(kept.flatMap(({ source, option }, i) => (option === null ? [[source.name, i] as const] : [])))
  return kept.flatMap(({ source, option }, target): MadeOfColumns[] => {
    const formula = source.declaredFormula
    if (formula === undefined || option !== null || columns[target]!.kind !== 'numeric') return []
    const of = formula.of.map((name) => indexOf.get(name) ?? -1)
    if (of.some((index) => index === target || !holdsNumbers(columns[index]))) return []
    return [{ target, form: formula.form, of, least: formula.form === 'mean' ? formula.least : of.length }]
  })
}

function holdsNumbers(column: TableColumn | undefined): boolean {
  if (column === undefined) return false
  return column.kind === 'numeric'
    ? column.format === null
    : column.levels.every((level) => Number.isFinite(Number(level)))
}
