import { z } from 'zod'

/** A bound of a numeric column: a number, or an RFC 3339 string for dates. */
export const Bound = z.union([z.number(), z.string()])

/** Where the middle of a numeric column's values lies. */
export const NaturalQuantiles = z
  .object({
    q05: Bound.optional().describe('5 % of the values are lower.'),
    q25: Bound.optional(),
    q50: Bound.optional().describe('The median.'),
    q75: Bound.optional(),
    q95: Bound.optional().describe('5 % of the values are higher.'),
  })
  .meta({ id: 'NaturalQuantiles' })
export type NaturalQuantiles = z.infer<typeof NaturalQuantiles>
