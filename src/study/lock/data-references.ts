import { isOfLevels, usedNames } from '../conditions/kinds.ts'
import type { SourceRange } from '../diagnostics/diagnostic.ts'
import { comparedName } from '../replicates.ts'
import type { Study } from '../study.ts'

/** A place where a study names a column of a dataset, or a level of one. */
export interface DataReference {
  readonly column: string
  /** Null: the column as a whole. */
  readonly level: string | null
  readonly range: SourceRange
  /** Expanded id; null in comparisons and backtests. */
  readonly scenario: string | null
  /** A level that appears in the data changes what a condition means, or what a comparison or a backtest shows. */
  readonly isOfLevels: boolean
}

/** Every column and level of the dataset that conditions, comparisons and backtests use, in the sequence of the study. */
export function dataReferences(study: Study, dataset: string): readonly DataReference[] {
  const found: DataReference[] = []
  for (const { id: scenario, dataset: used, conditions } of study.scenarios) {
    if (used !== dataset) continue
    for (const condition of conditions) {
      for (const { column, level, place } of usedNames(condition))
        found.push({
          ...{ column, level, range: place, scenario },
          isOfLevels: isOfLevels(condition),
        })
    }
  }
  const sides = new Map(study.scenarios.map((scenario) => [comparedName(scenario), scenario.dataset]))
  for (const comparison of study.comparisons) {
    if (sides.get(comparison.against) !== dataset) continue
    for (const { column, place: range } of comparison.outcomes)
      found.push({ column, level: null, range, scenario: null, isOfLevels: true })
    if (comparison.by !== null)
      found.push({
        column: comparison.by,
        level: null,
        range: comparison.byRange ?? comparison.range,
        scenario: null,
        isOfLevels: true,
      })
    for (const filter of comparison.where) {
      const named = { column: filter.column, scenario: null, isOfLevels: false }
      found.push({ ...named, level: null, range: filter.place })
      if (filter.kind === 'levels')
        for (const { value: level, range } of filter.levels) found.push({ ...named, level, range })
    }
    for (const { column, level, range } of [...comparison.expect, ...comparison.warn])
      if (level !== null) found.push({ column, level, range, scenario: null, isOfLevels: false })
  }
  for (const backtest of study.backtests) {
    if (backtest.dataset !== dataset) continue
    const { by, byRange, on, levels, outcomes } = backtest
    const used = { scenario: null, isOfLevels: true }
    found.push({ ...used, column: by, level: null, range: byRange })
    for (const { value: level, range } of levels) found.push({ ...used, column: by, level, range, isOfLevels: false })
    for (const { value: column, range } of on) found.push({ ...used, column, level: null, range })
    for (const { column, place: range } of outcomes) found.push({ ...used, column, level: null, range })
  }
  return found
}
