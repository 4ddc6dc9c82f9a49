import { mayHaveLevels } from '../../base/column-kind.ts'
import { MAX_BACKTEST_GROUPS } from '../../base/segment-limit.ts'
import type { Backtest } from '../backtests.ts'
import type { CleanedColumn } from './cleaned-schema.ts'
import { withSchema } from './cleaned-schema.ts'
import type { ColumnFindings, Finding } from './column-findings.ts'

/** The groups of a backtest, and the columns that the others are reweighted on; its outcomes are checked as those of comparisons. */
export function checkBacktestColumns(findings: ColumnFindings, backtest: Backtest): readonly Finding[] {
  const found: Finding[] = []
  const { by, byRange, levels, on } = backtest
  const say = (summary: string, range: typeof byRange, detail: string): void => {
    found.push({ code: 'S4311', text: { summary, range, detail: withSchema(detail, findings.schema) } })
  }
  const groups = findings.find(by, byRange, found)
  if (groups !== null) {
    const count = levelCount(groups)
    if (!mayHaveLevels(groups))
      say(
        `column "${by}" is numeric and makes no groups`,
        byRange,
        `declare bands of it in the dataset, for example bands: { ${by}.band: { of: ${by}, at: [18, 30, 45, 65] } }, and write by: ${by}.band`,
      )
    else if (levels.length === 0 && count > MAX_BACKTEST_GROUPS)
      say(
        `column "${by}" has ${count} levels, more than ${MAX_BACKTEST_GROUPS} groups`,
        byRange,
        'name some of them under `levels`, or a column with fewer levels',
      )
    for (const { value, range } of levels) findings.checkLevel(groups, value, range, found)
  }
  for (const { value, range } of on) {
    const column = findings.find(value, range, found)
    if (column?.format !== undefined)
      say(`column "${value}" has dates, and is under \`on\``, range, 'name a column of levels or numbers')
  }
  return found
}

const levelCount = ({ levels, hiddenLevels }: CleanedColumn): number => levels?.length ?? hiddenLevels?.count ?? 0
