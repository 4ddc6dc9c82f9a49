/** The counts of an artifact. Lists of pairs, because columns and levels can have any name. */

import { z } from 'zod'
import type { DeepReadonly } from '../../base/deep-readonly.ts'
import { count, number, text, texts } from '../values/common-values.ts'

export const pairs = <V extends z.ZodType>(value: V) => z.array(z.tuple([text, value]))

const figure = number.nullable()

const Bins = z
  .object({ edges: z.array(number).min(2), counts: z.array(count), below: count, above: count })
  .refine(({ edges, counts }) => edges.length === counts.length + 1)

/** `levels`: ascending by UTF-16 code units. */
const LevelCounts = z.object({ levels: pairs(count), missing: count })

/** Of the values that are not missing; `n` 0 leaves the others null. */
const NumberSummary = z.object({
  n: count,
  missing: count,
  min: figure,
  max: figure,
  mean: figure,
  sd: figure,
  /** At 0.05, 0.25, 0.5, 0.75, 0.95. */
  quantiles: z.array(number).nullable(),
  /** At other shares, which comparisons ask for. */
  at: z.array(z.tuple([number, number])).optional(),
  /** Of a column whose means are compared, where edges are known. Measured again where they do not fit. */
  bins: Bins.optional().catch(undefined),
})

/** Of the rows that have a level, by column. */
const SegmentCounts = z.object({ rows: count, shares: pairs(LevelCounts), numbers: pairs(NumberSummary) })

const segments = pairs(pairs(SegmentCounts))

/** Of the rows that pass the filters of a comparison. */
const GroupCounts = SegmentCounts.extend({ segments: segments.optional() })

export const Measurement = SegmentCounts.extend({
  /** Per ranged column: rows outside the range, rows without a value included. */
  outside: pairs(count),
  /** Requested columns that the artifact lacks. */
  absent: texts,
  /** Per column that divides a comparison: the counts inside each of its levels; absent: no column does. */
  segments: segments.optional(),
  /** Rows by combination of levels, of the columns that a scenario states cells of; absent: of none. */
  tables: z.array(z.object({ columns: texts, counts: z.array(z.tuple([texts, count])) })).optional(),
  /** Rows that each rule of the dataset is about, and those that break it; absent: there are no rules. */
  rules: z.array(z.object({ rule: text, columns: texts, rows: count, broken: count })).optional(),
  /** Per group of rows that comparisons count in, by its filters (`rowFilterKey`); absent: no comparison has any. */
  groups: pairs(GroupCounts).optional(),
  /** Cells of CSV that are texts and begin like a formula, by column; absent: there are none, or nobody counted them. */
  formulas: pairs(count).optional(),
})

export type LevelCounts = DeepReadonly<z.infer<typeof LevelCounts>>
export type NumberSummary = DeepReadonly<z.infer<typeof NumberSummary>>
export type SegmentCounts = DeepReadonly<z.infer<typeof SegmentCounts>>
export type GroupCounts = DeepReadonly<z.infer<typeof GroupCounts>>
export type Measurement = DeepReadonly<z.infer<typeof Measurement>>
