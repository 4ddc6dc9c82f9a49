import { z } from 'zod'
import { byName, number, texts } from './common-values.ts'

const ends = z.object({ min: number.optional(), max: number.optional() })

const table = z.object({ columns: texts, shares: z.array(z.object({ levels: texts, share: number })) })

/** The nearest scenario that has all rows, as the service reports it: the conditions that change. */
export const NearestMix = z
  .object({
    conditions: z.object({
      categorical: byName(byName(number)).optional(),
      bounds: byName(byName(ends)).optional(),
      cells: z.array(table).optional(),
      means: byName(z.union([number, ends])).optional(),
    }),
    moved_share: number.describe(
      'The part of the rows that would have another level, summed over columns and tables of cells; the least possible one but for the rounding of shares.',
    ),
  })
  .meta({
    id: 'nearestMix',
    description:
      'The nearest conditions that have all rows: those that change, each complete for its column or columns, whose place they take. Absent: none are known.',
  })
