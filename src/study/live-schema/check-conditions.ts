import { mayHaveLevels, mayHaveNumbers } from '../../base/column-kind.ts'
import { MAX_SEGMENTS } from '../../base/segment-limit.ts'
import type { Backtest } from '../backtests.ts'
import type { Condition } from '../conditions/condition.ts'
import { diagnose, ScenarioFindings } from '../diagnostics/diagnose.ts'
import { byPlace, type Diagnostic, type SourceRange } from '../diagnostics/diagnostic.ts'
import { OUTCOME_KIND_NAMES, OUTCOME_KINDS } from '../outcomes/outcome.ts'
import type { RowFilter } from '../outcomes/row-filter.ts'
import { comparedName } from '../replicates.ts'
import type { Comparison, Scenario, Study } from '../study.ts'
import { checkBacktestColumns } from './check-backtests.ts'
import { checkCells, checkCellsAgainstShares } from './check-cells.ts'
import { checkMean, checkRange } from './check-numbers.ts'
import { checkShares } from './check-shares.ts'
import { type CleanedSchema, withSchema } from './cleaned-schema.ts'
import { ColumnFindings, type Finding } from './column-findings.ts'

/**
 * Checks the conditions, comparisons and backtests that use one dataset against its cleaned schema: unknown columns and levels,
 * dropped columns, wrong kinds, shares that cannot add up, and ranges outside the data. Adds notes about the remainder
 * of shares for the plan. Pure. Places that many scenarios share are reported once, in file sequence.
 */
export function checkConditions(study: Study, dataset: string, schema: CleanedSchema): readonly Diagnostic[] {
  const checker = new ConditionChecker(schema)
  const findings = new ScenarioFindings()
  for (const scenario of study.scenarios) {
    if (scenario.dataset !== dataset) continue
    for (const { code, text } of checker.checkScenario(scenario)) findings.add(code, scenario.id, text)
  }
  const sides = new Map(study.scenarios.map((scenario) => [comparedName(scenario), scenario.dataset]))
  const compared = study.comparisons
    .filter((comparison) => sides.get(comparison.against) === dataset)
    .flatMap((comparison) => checker.checkComparison(comparison))
  const tested = study.backtests
    .filter((backtest) => backtest.dataset === dataset)
    .flatMap((backtest) => checker.checkBacktest(backtest))
  const diagnostics = [
    ...findings.diagnostics(study.scenarios.length),
    ...[...compared, ...tested].map(({ code, text }) => diagnose(code, text)),
  ]
  return byPlace(diagnostics)
}

class ConditionChecker {
  readonly #findings: ColumnFindings
  /** Conditions written once are one object in all scenarios that inherit them. */
  readonly #known = new Map<Condition, readonly Finding[]>()

  constructor(schema: CleanedSchema) {
    this.#findings = new ColumnFindings(schema)
  }

  checkScenario(scenario: Scenario): readonly Finding[] {
    const found: Finding[] = []
    for (const condition of scenario.conditions) {
      let known = this.#known.get(condition)
      if (known === undefined) {
        known = this.#check(condition)
        this.#known.set(condition, known)
      }
      found.push(...known)
    }
    if (!found.some(({ code }) => code.startsWith('S')))
      found.push(...checkCellsAgainstShares(this.#findings, scenario.conditions))
    return found
  }

  #check(condition: Condition): readonly Finding[] {
    switch (condition.kind) {
      case 'share':
        return checkShares(this.#findings, condition)
      case 'range':
        return checkRange(this.#findings, condition)
      case 'mean':
        return checkMean(this.#findings, condition)
      case 'cell':
        return checkCells(this.#findings, condition)
    }
  }

  checkComparison(comparison: Comparison): readonly Finding[] {
    const found: Finding[] = []
    this.#checkOutcomes(comparison, found)
    if (comparison.by !== null) this.#checkSegments(comparison.by, comparison.byRange ?? comparison.range, found)
    for (const filter of comparison.where) this.#checkFilter(filter, found)
    for (const gate of [...comparison.expect, ...comparison.warn]) {
      const column = this.#findings.lookUp(gate.column)
      if (gate.level !== null && column !== null) this.#findings.checkLevel(column, gate.level, gate.range, found)
    }
    return found
  }

  checkBacktest(backtest: Backtest): readonly Finding[] {
    const found: Finding[] = []
    this.#checkOutcomes(backtest, found)
    found.push(...checkBacktestColumns(this.#findings, backtest))
    return found
  }

  #checkOutcomes({ outcomes }: Pick<Comparison, 'outcomes'>, found: Finding[]): void {
    for (const { kind, column: name, place } of outcomes) {
      const column = this.#findings.find(name, place, found)
      if (column === null || OUTCOME_KINDS[kind].fits(column)) continue
      const right = OUTCOME_KIND_NAMES.filter((other) => OUTCOME_KINDS[other].fits(column))
      const words = right.map((word) => `\`${word}\``).join(' or ')
      found.push(this.#findings.wrongKind(column, `${column.kind} and is compared under ${words}`, place))
    }
  }

  #checkSegments(name: string, range: SourceRange, found: Finding[]): void {
    const column = this.#findings.find(name, range, found)
    if (column === null) return
    const count = column.levels?.length ?? column.hiddenLevels?.count ?? 0
    if (!mayHaveLevels(column)) {
      const bands = `declare bands of it in the dataset, for example bands: { ${name}.band: { of: ${name}, at: [18, 30, 45, 65] } }, and write by: ${name}.band`
      const summary = `column "${name}" is numeric and has no segments`
      found.push({ code: 'S4308', text: { summary, range, detail: withSchema(bands, this.#findings.schema) } })
    } else if (count > MAX_SEGMENTS) {
      const summary = `column "${name}" has ${count} levels, more than ${MAX_SEGMENTS} segments`
      const detail = withSchema('divide the comparison by a column with fewer levels', this.#findings.schema)
      found.push({ code: 'S4309', text: { summary, range, detail } })
    }
  }

  #checkFilter(filter: RowFilter, found: Finding[]): void {
    const column = this.#findings.find(filter.column, filter.place, found)
    if (column === null) return
    if (filter.kind === 'range') {
      if (!mayHaveNumbers(column)) {
        const kind = 'categorical and takes a list of levels, not a range'
        found.push(this.#findings.wrongKind(column, kind, filter.place))
      } else found.push(...checkRange(this.#findings, filter).filter(({ code }) => code === 'S2107'))
      return
    }
    if (!mayHaveLevels(column))
      found.push(this.#findings.wrongKind(column, 'numeric and takes a range, not a list of levels', filter.place))
    else for (const { value, range } of filter.levels) this.#findings.checkLevel(column, value, range, found)
  }
}
