/**
 * The types that a study's own use asks of columns of answer codes.
 *
 * Whether codes such as 2 to 5 are answers or amounts cannot be seen in them, and 1 to 5 without a 1 is read in another way than
 * with one. The study says what it takes them for: shares and segments are of levels, ranges of numbers. Means are of both.
 */

import type { TrainedKind } from '../../base/column-kind.ts'
import type { AskedType } from '../../base/raw-table.ts'
import { columnsOf } from '../conditions/condition.ts'
import { isOfLevels } from '../conditions/kinds.ts'
import { areCodes, OUTCOME_KINDS } from '../outcomes/outcome.ts'
import { comparedName } from '../replicates.ts'
import type { FileDataset, Study } from '../study.ts'
import { type CleanedColumn, type CleanedSchema, ColumnFinder } from './cleaned-schema.ts'

/** Codes span at most this much: a scale from 0 to 10, and years of school, but no ages. */
const WIDEST_SPAN = 20
/** Two are yes and no, which are levels whichever of them occurs. */
const FEWEST_LEVELS = 3

/**
 * By the name of the column in the file: columns of whole numbers that the schema has as one kind, and that the study uses as the other
 * and never as this one. Columns whose type the study declares are left out, and the parts of a question with several answers.
 */
export function askedTypes(study: Study, dataset: FileDataset, schema: CleanedSchema): ReadonlyMap<string, AskedType> {
  const columns = new ColumnFinder(schema)
  const declared = new Set(Object.keys(dataset.declarations?.types ?? {}))
  const isSplit = (name: string) => schema.columns.filter(({ sourceName }) => sourceName === name).length > 1
  const asked = new Map<string, AskedType>()
  for (const [name, kinds] of usedKinds(study, dataset.id)) {
    const found = columns.find(name)
    if (!('column' in found) || kinds.size > 1) continue
    const { column } = found
    const inFile = column.sourceName ?? column.name
    const [kind] = kinds
    if (declared.has(inFile) || declared.has(column.name) || kind === column.kind || !isOfCodes(column)) continue
    if (isSplit(inFile)) continue
    asked.set(inFile, kind === 'categorical' ? 'ordinal' : 'numeric')
  }
  return asked
}

/** What the study takes each column of a dataset for. */
function usedKinds(study: Study, dataset: string): ReadonlyMap<string, ReadonlySet<TrainedKind>> {
  const used = new Map<string, Set<TrainedKind>>()
  const use = (column: string, kind: TrainedKind): void => {
    used.set(column, (used.get(column) ?? new Set()).add(kind))
  }
  for (const scenario of study.scenarios) {
    if (scenario.dataset !== dataset) continue
    for (const condition of scenario.conditions)
      for (const column of columnsOf(condition)) use(column, isOfLevels(condition) ? 'categorical' : 'numeric')
  }
  const datasetOf = new Map(study.scenarios.map((scenario) => [comparedName(scenario), scenario.dataset]))
  for (const { against, outcomes, by } of study.comparisons) {
    if (datasetOf.get(against) !== dataset) continue
    for (const { column, kind } of outcomes) {
      const { needs } = OUTCOME_KINDS[kind]
      if (needs !== null) use(column, needs)
    }
    if (by !== null) use(by, 'categorical')
  }
  for (const backtest of study.backtests) {
    if (backtest.dataset !== dataset) continue
    use(backtest.by, 'categorical')
    for (const { column, kind } of backtest.outcomes) {
      const { needs } = OUTCOME_KINDS[kind]
      if (needs !== null) use(column, needs)
    }
  }
  return used
}

function isOfCodes({ kind, levels, min, max, format, integer }: CleanedColumn): boolean {
  if (kind === 'categorical') return levels !== undefined && levels.length >= FEWEST_LEVELS && areCodes(levels)
  if (format !== undefined || integer === false || typeof min !== 'number' || typeof max !== 'number') return false
  return Number.isInteger(min) && Number.isInteger(max) && max - min <= WIDEST_SPAN
}
