import { mayHaveLevels } from '../../base/column-kind.ts'
import type { ShareBounds, ShareChange, ShareCondition } from '../conditions/condition.ts'
import { excessOf, isRelative, roundedAdvice, shareSum } from '../conditions/share.ts'
import { boundedShares, endOf } from '../conditions/share-bounds.ts'
import { changedShare, changeText, closedShares, knownShares, naturalShare } from '../conditions/share-change.ts'
import type { SourceRange } from '../diagnostics/diagnostic.ts'
import { SHARE_SUM_TOLERANCE } from '../diagnostics/limits.ts'
import { type CleanedColumn, listNames, MOST_LISTED, withSchema } from './cleaned-schema.ts'
import type { ColumnFindings, Finding } from './column-findings.ts'

export function checkShares(findings: ColumnFindings, condition: ShareCondition): readonly Finding[] {
  const { column: name, shares, place, levels } = condition
  const found: Finding[] = []
  const column = findings.find(name, place, found)
  if (column === null) return found
  if (!mayHaveLevels(column)) return [findings.wrongKind(column, 'numeric and takes a range, not shares', place)]
  if (column.levels === undefined && column.hiddenLevels === undefined) return found
  for (const level of shares.keys()) findings.checkLevel(column, level, levels.get(level)!, found)
  if (found.length > 0) return found
  // A lock has no natural shares.
  if (isRelative(condition) && findings.schema.hasNoBounds === true) return found
  const closed = closedShares(shares, (level, change) =>
    shareAfter(findings, column, level, change, levels.get(level)!, found),
  )
  if (closed === null || found.length > 0) return found
  const excess = isRelative(condition) ? excessOf(name, closed) : null
  if (excess === null) return checkRest(findings, column, knownShares(closed), boundedShares(closed), place)
  return [{ code: 'S2001', text: { ...excess, range: place, detail: withSchema(excess.detail, findings.schema) } }]
}

function shareAfter(
  findings: ColumnFindings,
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
      findings.schema,
    )
    found.push({ code: 'S2115', text: { summary, range, detail } })
    return null
  }
  const share = changedShare(natural, change)
  if (share >= 0 && share <= 1) return share
  const summary = `the share of ${of} would be ${share}, ${share < 0 ? 'less than 0' : 'more than 1'}`
  const detail = withSchema(`the natural share ${natural} ${changeText(change)} = ${share}`, findings.schema)
  found.push({ code: 'S2114', text: { summary, range, detail } })
  return null
}

/** Checks what a column's shares leave to unlisted levels, and whether such levels exist. All listed levels exist. */
function checkRest(
  findings: ColumnFindings,
  column: CleanedColumn,
  shares: ReadonlyMap<string, number>,
  bounds: ReadonlyMap<string, ShareBounds>,
  range: SourceRange,
): readonly Finding[] {
  const rest = 1 - shareSum(shares)
  const { levels, hiddenLevels } = column
  const count = (levels?.length ?? hiddenLevels?.count ?? 0) - shares.size
  if (bounds.size > 0 && rest > SHARE_SUM_TOLERANCE) return checkMost(findings, column, rest, count, bounds, range)
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
      findings.schema,
    ),
  }
  return [{ code: 'S2106', text }]
}

/** Whether levels with greatest shares can take what the stated shares leave (`rest`), where `count` other levels are. */
function checkMost(
  findings: ColumnFindings,
  column: CleanedColumn,
  rest: number,
  count: number,
  bounds: ReadonlyMap<string, ShareBounds>,
  range: SourceRange,
): readonly Finding[] {
  const most = [...bounds.values()].reduce((sum, own) => sum + endOf(own, 'max'), 0)
  const { missingShare } = column
  const hasMissing = missingShare === 'unknown' || (typeof missingShare === 'number' && missingShare > 0)
  if (count > bounds.size || hasMissing || most >= rest - SHARE_SUM_TOLERANCE) return []
  const text = {
    summary: `shares of column "${column.name}" leave ${restText(rest)}, but its bounds let all other levels have ${restText(most)} at most`,
    range,
    detail: withSchema('raise a max, or leave a level out: it takes the rest', findings.schema),
  }
  return [{ code: 'S2106', text }]
}

function firstUnlisted(levels: readonly string[], shares: ReadonlyMap<string, number>): readonly string[] {
  const found: string[] = []
  for (const level of levels) {
    if (found.length === MOST_LISTED) break
    if (!shares.has(level)) found.push(level)
  }
  return found
}

/** At least two decimals: 0.30, but 0.125. */
function restText(rest: number): string {
  const text = String(Number(rest.toFixed(6)))
  return text.length < 4 ? rest.toFixed(2) : text
}
