import type { AnySchemaColumn } from '../../contract/datasets.ts'
import { tableName } from '../../study/conditions/cell.ts'
import type { CellCondition, Condition, RangeCondition, ShareCondition } from '../../study/conditions/condition.ts'
import { conditionsLike } from '../../study/conditions/kinds.ts'
import { meanText } from '../../study/conditions/mean.ts'
import { isOpen, rangeText } from '../../study/conditions/range-ends.ts'
import { shareSum } from '../../study/conditions/share.ts'
import { boundedShares, boundsText, isBounds } from '../../study/conditions/share-bounds.ts'
import { changeText, knownShares } from '../../study/conditions/share-change.ts'
import { SHARE_SUM_TOLERANCE } from '../../study/diagnostics/limits.ts'
import { sentConditions } from '../../study/hashing/canonical-body.ts'

/**
 * What a reader of the plan should know of a scenario's conditions: what they leave to the model, column by column ("region: 0.30 over
 * 3 unlisted levels"), and what a request has in another form than the study.
 *
 * @param schema Of the scenario's dataset. A column with unknown levels has no note; the live check reports it.
 * @param body As the scenario would be sent; null while it is unknown.
 */
export function conditionNotes(
  conditions: readonly Condition[],
  schema: readonly AnySchemaColumn[] | undefined,
  body: string | null,
): string[] {
  const sent = body === null ? conditions : conditionsLike(conditions, sentConditions(body))
  return conditions.flatMap((condition, i) => notesOf(condition, sent[i] ?? condition, schema))
}

function notesOf(condition: Condition, sent: Condition, schema: readonly AnySchemaColumn[] | undefined): string[] {
  switch (condition.kind) {
    case 'share':
      return shareNotes(condition, sent as ShareCondition, schema)
    case 'range':
      return rangeNotes(condition, sent as RangeCondition)
    case 'mean':
      return [`${condition.column}: mean ${meanText(condition)}`]
    case 'cell':
      return [cellNote(condition)]
  }
}

/** `region × gender: 3 cells, 0.40 over other combinations`. */
function cellNote({ columns, cells }: CellCondition): string {
  const rest = 1 - cells.reduce((sum, { share }) => sum + share, 0)
  const left =
    rest > SHARE_SUM_TOLERANCE ? `${rest.toFixed(2)} over other combinations` : 'other combinations implied 0'
  return `${tableName(columns)}: ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, ${left}`
}

/** Shares that the study leaves to the data, and what all leave to levels that are not listed. */
function shareNotes(
  { column, shares: stated }: ShareCondition,
  sent: ShareCondition,
  schema: readonly AnySchemaColumn[] | undefined,
): string[] {
  const shares = knownShares(sent.shares)
  const bounds = boundedShares(sent.shares)
  const bounded = [...bounds].map(([level, own]) => `${column}: ${level} ${boundsText(own)}`)
  const changed = [...stated].flatMap(([level, share]) => {
    if (typeof share === 'number' || isBounds(share)) return []
    const text = `natural share ${changeText(share)}`
    const known = shares.get(level)
    return [`${column}: ${level} ${known === undefined ? text : `${known}, ${text}`}`]
  })
  // What bounds leave to others follows from the data.
  return shares.size < stated.size ? [...changed, ...bounded] : [...changed, ...restNotes(column, shares, schema)]
}

function restNotes(
  column: string,
  shares: ReadonlyMap<string, number>,
  schema: readonly AnySchemaColumn[] | undefined,
): string[] {
  const retained = schema?.find((c) => c.name === column)?.levels
  if (retained === undefined) return []
  const unlisted = retained.filter((level) => !shares.has(level)).length
  const rest = 1 - shareSum(shares)
  if (rest > SHARE_SUM_TOLERANCE && unlisted === 0) return [`${column}: ${rest.toFixed(2)} left to missing values`]
  if (rest > SHARE_SUM_TOLERANCE) return [`${column}: ${rest.toFixed(2)} over ${unlisted} unlisted ${plural(unlisted)}`]
  return unlisted > 0 ? [`${column}: ${unlisted} unlisted ${plural(unlisted)} implied 0`] : []
}

/** Dates, and ends that the study leaves to the data. */
function rangeNotes(range: RangeCondition, sent: RangeCondition): string[] {
  if (range.areDates !== true && !isOpen(range)) return []
  const isClosed = isOpen(range) && !isOpen(sent)
  return [`${range.column}: ${rangeText(sent)}${isClosed ? ', where the data end' : ''}`]
}

const plural = (n: number): string => (n === 1 ? 'level' : 'levels')
