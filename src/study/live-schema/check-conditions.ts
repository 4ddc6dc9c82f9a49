import { MAX_SEGMENTS } from '../../base/segment-limit.ts'
import type {
  Condition,
  MeanCondition,
  Range,
  RangeCondition,
  ShareChange,
  ShareCondition,
} from '../conditions/condition.ts'
import { meanText } from '../conditions/mean.ts'
import { boundOf, greatestIn, rangeText } from '../conditions/range-ends.ts'
import { excessOf, isRelative, roundedAdvice, shareSum } from '../conditions/share.ts'
import { changedShare, changeText, closedShares, naturalShare } from '../conditions/share-change.ts'
import type { DiagnosticCode } from '../diagnostics/catalogue.ts'
import { type DiagnosticText, diagnose, ScenarioFindings } from '../diagnostics/diagnose.ts'
import { byPlace, type Diagnostic, type SourceRange } from '../diagnostics/diagnostic.ts'
import { suggest } from '../diagnostics/did-you-mean.ts'
import { SHARE_SUM_TOLERANCE } from '../diagnostics/limits.ts'
import { areCodes, OUTCOME_KIND_NAMES, OUTCOME_KINDS } from '../outcomes/outcome.ts'
import type { RowFilter } from '../outcomes/row-filter.ts'
import { comparedName } from '../replicates.ts'
import type { Comparison, Scenario, Study } from '../study.ts'
import {
  type CleanedColumn,
  type CleanedSchema,
  ColumnFinder,
  hasLevel,
  listNames,
  MOST_COMPARED,
  normalisationHint,
  withSchema,
} from './cleaned-schema.ts'
import { boundText, firstUnlisted, rareText, restText } from './figure-words.ts'

interface Finding {
  readonly code: DiagnosticCode
  readonly text: DiagnosticText
}

/**
 * Checks the conditions and comparisons that use one dataset against its cleaned schema: unknown columns and levels,
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
  const diagnostics = [
    ...findings.diagnostics(study.scenarios.length),
    ...compared.map(({ code, text }) => diagnose(code, text)),
  ]
  return byPlace(diagnostics)
}

class ConditionChecker {
  readonly #schema: CleanedSchema
  readonly #columns: ColumnFinder
  #compared = 0
  /** Conditions written once are one object in all scenarios. */
  readonly #known = new Map<Condition, readonly Finding[]>()

  constructor(schema: CleanedSchema) {
    this.#schema = schema
    this.#columns = new ColumnFinder(schema)
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
    return found
  }

  #check(condition: Condition): readonly Finding[] {
    switch (condition.kind) {
      case 'share':
        return this.#checkShares(condition)
      case 'range':
        return this.#checkRange(condition)
      case 'mean':
        return this.#checkMean(condition)
    }
  }

  checkComparison(comparison: Comparison): readonly Finding[] {
    const found: Finding[] = []
    for (const { kind, column: name, place } of comparison.outcomes) {
      const column = this.#find(name, place, found)
      if (column === null || OUTCOME_KINDS[kind].fits(column)) continue
      const right = OUTCOME_KIND_NAMES.filter((other) => OUTCOME_KINDS[other].fits(column))
      const words = right.map((word) => `\`${word}\``).join(' or ')
      found.push(this.#wrongKind(column, `${column.kind} and is compared under ${words}`, place))
    }
    if (comparison.by !== null) this.#checkSegments(comparison.by, comparison.byRange ?? comparison.range, found)
    for (const filter of comparison.where) this.#checkFilter(filter, found)
    for (const gate of [...comparison.expect, ...comparison.warn]) {
      const lookup = this.#columns.find(gate.column)
      if (gate.level !== null && 'column' in lookup) this.#checkLevel(lookup.column, gate.level, gate.range, found)
    }
    return found
  }

  #checkSegments(name: string, range: SourceRange, found: Finding[]): void {
    const column = this.#find(name, range, found)
    if (column === null) return
    const count = column.levels?.length ?? column.hiddenLevels?.count ?? 0
    if (column.kind === 'numeric') {
      const bands = `declare bands of it in the dataset, for example bands: { ${name}.band: { of: ${name}, at: [18, 30, 45, 65] } }, and write by: ${name}.band`
      const summary = `column "${name}" is numeric and has no segments`
      found.push({ code: 'S4308', text: { summary, range, detail: withSchema(bands, this.#schema) } })
    } else if (count > MAX_SEGMENTS) {
      const summary = `column "${name}" has ${count} levels, more than ${MAX_SEGMENTS} segments`
      const detail = withSchema('divide the comparison by a column with fewer levels', this.#schema)
      found.push({ code: 'S4309', text: { summary, range, detail } })
    }
  }

  #checkFilter(filter: RowFilter, found: Finding[]): void {
    const column = this.#find(filter.column, filter.place, found)
    if (column === null) return
    if (filter.kind === 'range') {
      if (column.kind === 'categorical')
        found.push(this.#wrongKind(column, 'categorical and takes a list of levels, not a range', filter.place))
      else found.push(...this.#checkRange(filter).filter(({ code }) => code === 'S2107'))
      return
    }
    if (column.kind === 'numeric')
      found.push(this.#wrongKind(column, 'numeric and takes a range, not a list of levels', filter.place))
    else for (const { value, range } of filter.levels) this.#checkLevel(column, value, range, found)
  }

  #checkShares(condition: ShareCondition): readonly Finding[] {
    const { column: name, shares, place, levels } = condition
    const found: Finding[] = []
    const column = this.#find(name, place, found)
    if (column === null) return found
    if (column.kind === 'numeric') return [this.#wrongKind(column, 'numeric and takes a range, not shares', place)]
    if (column.levels === undefined && column.hiddenLevels === undefined) return found
    for (const level of shares.keys()) this.#checkLevel(column, level, levels.get(level)!, found)
    if (found.length > 0) return found
    // A lock has no natural shares.
    if (isRelative(condition) && this.#schema.hasNoBounds === true) return found
    const closed = closedShares(shares, (level, change) =>
      this.#changedShare(column, level, change, levels.get(level)!, found),
    )
    if (closed === null || found.length > 0) return found
    const excess = isRelative(condition) ? excessOf(name, closed) : null
    if (excess === null) return this.#checkRest(column, closed, place)
    return [{ code: 'S2001', text: { ...excess, range: place, detail: withSchema(excess.detail, this.#schema) } }]
  }

  #changedShare(
    column: CleanedColumn,
    level: string,
    change: ShareChange,
    range: SourceRange,
    found: Finding[],
  ): number | null {
    const natural = naturalShare({ ...column, level_shares: column.levelShares }, level)
    const of = `"${level}" in column "${column.name}"`
    if (natural === null) {
      const summary = `the schema does not tell the natural share of ${of}, which the study changes`
      const detail = withSchema(
        'too few rows have it, or the service tells no shares: write the share itself',
        this.#schema,
      )
      found.push({ code: 'S2115', text: { summary, range, detail } })
      return null
    }
    const share = changedShare(natural, change)
    if (share >= 0 && share <= 1) return share
    const summary = `the share of ${of} would be ${share}, ${share < 0 ? 'less than 0' : 'more than 1'}`
    const detail = withSchema(`the natural share ${natural} ${changeText(change)} = ${share}`, this.#schema)
    found.push({ code: 'S2114', text: { summary, range, detail } })
    return null
  }

  /** Checks what a column's shares leave to unlisted levels, and whether such levels exist. All listed levels exist. */
  #checkRest(column: CleanedColumn, shares: ReadonlyMap<string, number>, range: SourceRange): readonly Finding[] {
    const rest = 1 - shareSum(shares)
    const { levels, hiddenLevels } = column
    const count = (levels?.length ?? hiddenLevels?.count ?? 0) - shares.size
    const detail = levels === undefined ? '' : `unlisted: ${listNames(firstUnlisted(levels, shares), count)}`
    if (rest <= SHARE_SUM_TOLERANCE) {
      if (count === 0) return []
      const text = {
        summary: `shares of column "${column.name}": unlisted levels implied 0`,
        range,
        detail,
      }
      return [{ code: 'N2110', text }]
    }
    const left = restText(rest)
    const hasMissing = typeof column.missingShare === 'number' && column.missingShare > 0
    // A single level takes the remainder, so there is nothing to report.
    if (count === 1 && !hasMissing) return []
    if (count > 0) {
      const levelsText = count === 1 ? '1 unlisted level and missing values' : `${count} unlisted levels`
      const summary = `shares of column "${column.name}": ${left} over ${levelsText}`
      return [{ code: 'N2109', text: { summary, range, detail } }]
    }
    if (column.missingShare === 'unknown' || hasMissing) {
      const which = column.missingShare === 'unknown' ? 'missing values, if the column has any' : 'missing values'
      const summary = `shares of column "${column.name}": ${left} left to ${which}`
      return [{ code: 'N2109', text: { summary, range } }]
    }
    const text = {
      summary: `shares of column "${column.name}" leave ${left}, but every level is listed`,
      range,
      detail: withSchema(
        roundedAdvice(1 - rest) || 'the column has no known missing values that could take the remainder',
        this.#schema,
      ),
    }
    return [{ code: 'S2106', text }]
  }

  #checkRange(range: RangeCondition): readonly Finding[] {
    const { column: name, place } = range
    const found: Finding[] = []
    const column = this.#find(name, place, found)
    if (column === null) return found
    if (column.kind === 'categorical')
      return [this.#wrongKind(column, 'categorical and takes shares, not a range', place)]
    const missing = this.#missingEnd(column, range)
    if (missing !== null) {
      const text = {
        summary: `the range of column "${name}" has no ${missing}, and the schema does not report it`,
        range: place,
        detail: withSchema('write both ends', this.#schema),
      }
      return [...found, { code: 'S2003', text }]
    }
    const min = boundOf(column, 'min')
    const max = boundOf(column, 'max')
    const greatest = greatestIn(range, column)
    const isOutside = (min !== null && greatest < min) || (max !== null && range.min > max)
    const isPartlyOutside =
      (min !== null && range.min < min && Number.isFinite(range.min)) ||
      (max !== null && greatest > max && Number.isFinite(greatest))
    if (!isOutside && !isPartlyOutside) return found
    const relation = isOutside ? 'does not overlap the trained range' : 'lies partly outside the trained range'
    const [least, most] = range.areDates
      ? [column.min, column.max].map(String)
      : [column.min, column.max].map(boundText)
    const text = {
      summary: `range ${rangeText(range)} of column "${name}" ${relation} ${least} to ${most}`,
      range: place,
      detail: withSchema('', this.#schema),
    }
    return [{ code: isOutside ? 'S2107' : 'W2108', text }]
  }

  #checkMean({ column: name, place, min, max }: MeanCondition): readonly Finding[] {
    const found: Finding[] = []
    const column = this.#find(name, place, found)
    if (column === null) return found
    if (column.kind === 'categorical')
      return [this.#wrongKind(column, 'categorical and takes shares, not a mean', place)]
    if (column.format !== undefined) {
      const summary = `column "${name}" has dates and takes a range, not a mean`
      const detail = withSchema(
        `for means, add a column of numbers to the file, such as days since a date`,
        this.#schema,
      )
      return [{ code: 'S2105', text: { summary, range: place, detail } }]
    }
    const least = boundOf(column, 'min')
    const most = boundOf(column, 'max')
    if (least === null || most === null || (least === most && min <= least && max >= least)) return found
    if (max > least && min < most) return found
    const text = {
      summary: `mean ${meanText({ min, max })} of column "${name}" does not lie between the ends of the data, ${boundText(column.min)} and ${boundText(column.max)}`,
      range: place,
      detail: withSchema('', this.#schema),
    }
    return [{ code: 'S2113', text }]
  }

  /** An open end that cannot be sent, because no bound of the column is known. A lock has no bounds. */
  #missingEnd(column: CleanedColumn, { min, max }: Range): 'min' | 'max' | null {
    if (this.#schema.hasNoBounds === true) return null
    if (min === Number.NEGATIVE_INFINITY && boundOf(column, 'min') === null) return 'min'
    return max === Number.POSITIVE_INFINITY && boundOf(column, 'max') === null ? 'max' : null
  }

  #checkLevel(column: CleanedColumn, level: string, range: SourceRange, found: Finding[]): void {
    if (hasLevel(column, level) !== false) return
    const { levels, hiddenLevels } = column
    this.#compared += levels?.length ?? 0
    const suggestions = levels === undefined || this.#compared > MOST_COMPARED ? [] : suggest(level, levels)
    const hint = suggestions.length > 0 ? normalisationHint(level, suggestions[0]!) : ''
    const retained = levels === undefined ? `${hiddenLevels?.count}, names hidden` : listNames(levels)
    const rare = this.#schema.rareLevels?.find((dropped) => dropped.column === column.name)?.count ?? 0
    const lost =
      rare === 0 || suggestions.length > 0 ? '' : `\n(cleaning made ${rareText(rare)} of this column missing)`
    found.push({
      code: 'S2103',
      text: {
        summary: `unknown level "${level}" in column "${column.name}"`,
        range,
        detail: withSchema(`${hint && `${hint}  `}retained levels: ${retained}${lost}`, this.#schema),
        suggestions,
      },
    })
  }

  #find(name: string, range: SourceRange, found: Finding[]): CleanedColumn | null {
    const lookup = this.#columns.find(name)
    if ('column' in lookup) return lookup.column
    found.push({ code: lookup.code, text: { ...lookup.text, range } })
    return null
  }

  #wrongKind(column: CleanedColumn, kind: string, range: SourceRange): Finding {
    const detail = withSchema(otherKindAdvice(column), this.#schema)
    return { code: 'S2105', text: { summary: `column "${column.name}" is ${kind}`, range, detail } }
  }
}

/** How a column becomes one of the other kind; empty where its levels are words. */
function otherKindAdvice({ kind, name, sourceName, levels = [] }: CleanedColumn): string {
  const declaring = (type: string) => `declare \`types: { ${sourceName ?? name}: ${type} }\``
  if (kind === 'numeric') return `for shares of its values, ${declaring('ordinal')}`
  return areCodes(levels) ? `for a range of its numbers, ${declaring('numeric')}` : ''
}
