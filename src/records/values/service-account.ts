import { z } from 'zod'
import { number, text } from './common-values.ts'

/** What a service says of the seed behind a scenario, as state and manifest keep it. */

/** Why there will be no estimates until the question or the service changes: asking again gives the same result. */
export const SETTLED_GAPS = [
  'no_estimates_operation',
  'no_segment_estimates',
  'no_where_estimates',
  'no_quantile_estimates',
  'estimates_dataset_gone',
  'estimates_other_model',
  'estimates_refused',
  'estimates_unreadable',
] as const

/** A target that keeps a scenario from having all its rows. */
export const BindingTarget = z.object({
  column: text,
  level: text.optional(),
  target: number.optional(),
  seed_rows: number.optional(),
  nearest: number.optional().describe('Of a mean: the nearest one that is possible.'),
})
