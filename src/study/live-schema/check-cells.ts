import { mayHaveLevels } from '../../base/column-kind.ts'
import { tableName } from '../conditions/cell.ts'
import { type CellCondition, type Condition, conditionsOf } from '../conditions/condition.ts'
import { SHARE_SUM_TOLERANCE } from '../diagnostics/limits.ts'
import { type CleanedColumn, withSchema } from './cleaned-schema.ts'
import type { ColumnFindings, Finding } from './column-findings.ts'

export function checkCells(findings: ColumnFindings, condition: CellCondition): readonly Finding[] {
  const { columns, cells, place, places } = condition
  const found: Finding[] = []
  const known = columns.map((name, i) => findings.find(name, places[i]!, found))
  known.forEach((column, i) => {
    if (column !== null && !mayHaveLevels(column)) {
      found.push(findings.wrongKind(column, 'numeric and takes a range, not cells', places[i]!))
    }
  })
  if (found.length > 0) return found
  for (const { levels, places: own } of cells) {
    levels.forEach((level, i) => {
      findings.checkLevel(known[i]!, level, own[i]!, found)
    })
  }
  if (found.length > 0) return found
  const all = combinationsOf(known)
  const sum = sumOf(cells)
  if (all === null || cells.length < all || sum >= 1 - SHARE_SUM_TOLERANCE) return []
  const text = {
    summary: `cells of ${tableName(columns)} leave ${rounded(1 - sum)}, but every combination is listed`,
    range: place,
    detail: withSchema('leave a combination out: it takes the rest', findings.schema),
  }
  return [{ code: 'S2106', text }]
}

/** Where every combination with a level is stated, the cells are the level's share. */
export function checkCellsAgainstShares(
  findings: ColumnFindings,
  conditions: readonly Condition[],
): readonly Finding[] {
  const shares = conditionsOf({ conditions }, 'share')
  return conditionsOf({ conditions }, 'cell').flatMap((table) =>
    table.columns.flatMap((column, at): Finding[] => {
      const condition = shares.find((share) => share.column === column)
      const others = table.columns.filter((_, i) => i !== at).map((name) => findings.lookUp(name))
      const all = combinationsOf(others)
      if (condition === undefined || all === null) return []
      return [...condition.shares].flatMap(([level, share]): Finding[] => {
        const own = table.cells.filter(({ levels }) => levels[at] === level)
        const sum = sumOf(own)
        if (typeof share !== 'number' || own.length < all || sum >= share - SHARE_SUM_TOLERANCE) return []
        const summary = `cells with "${level}" of column "${column}" sum to ${rounded(sum)}, and every combination is listed; its share is ${share}`
        const detail = withSchema('make both equal, or leave a combination out: it takes the rest', findings.schema)
        const related = [{ message: 'the shares', range: condition.place }]
        return [{ code: 'S2022', text: { summary, range: table.place, detail, related } }]
      })
    }),
  )
}

const sumOf = (cells: CellCondition['cells']): number => cells.reduce((sum, { share }) => sum + share, 0)

/** How many combinations of levels there are; null where that is not known, or values may be missing. */
function combinationsOf(columns: readonly (CleanedColumn | null)[]): number | null {
  let count = 1
  for (const column of columns) {
    const levels = column?.levels?.length ?? column?.hiddenLevels?.count
    const { missingShare } = column ?? {}
    if (levels === undefined || missingShare === 'unknown' || (missingShare ?? 0) > 0) return null
    count *= levels
  }
  return count
}

const rounded = (value: number): number => Number(value.toFixed(10))
