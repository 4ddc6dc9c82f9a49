import { z } from 'zod'
import { Conditions } from './conditions.ts'

/**
 * The nearest scenario that has all rows: our own addition. It has the conditions that change alone, each complete for its column or
 * table, because the others may be many.
 */
export const NearestMix = z
  .object({
    conditions: Conditions.describe(
      'The conditions that change. A column of `categorical` or `bounds`, a table of `cells` and a mean take the place of what the request states of the same column or columns; what is not here stays as it is. Never ranges.',
    ),
    moved_share: z
      .number()
      .describe(
        'The part of the rows that would have another level than the request asks for, summed over columns and tables of cells. It is the least possible one, but for the rounding of the shares. 0 where only means change.',
      ),
  })
  .meta({ id: 'NearestMix' })
export type NearestMix = z.infer<typeof NearestMix>
