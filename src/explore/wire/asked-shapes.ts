/** What a question asks for, as the page and an assistant send it. */

import { z } from 'zod'
import { LEAST_QUANTILE, MAX_FILTER_LEVELS, MAX_FILTERS } from '../../contract/limits.ts'

const quantile = z
  .number()
  .min(LEAST_QUANTILE)
  .max(1 - LEAST_QUANTILE)

export const outcomeShape = z
  .strictObject({
    column: z.string(),
    of: z.union([z.enum(['shares', 'mean']), quantile]).describe('A number is a quantile: 0.5 is the median.'),
  })
  .describe('Shares of the levels, the mean of numbers, or a quantile of them.')

export const figureShape = z
  .strictObject({
    column: z.string(),
    level: z.string().nullable().describe('A level, for its share; null for the mean or a quantile of numbers.'),
    quantile: quantile.optional().describe('With level null: the quantile with this share of the rows up to it.'),
  })
  .refine(({ level, quantile }) => level === null || quantile === undefined, 'a quantile has level null')
  .describe('A share of a level, a mean, or a quantile.')

const end = z.union([z.number(), z.string()]).exactOptional()

export const whereShape = z
  .array(
    z.strictObject({
      column: z.string(),
      levels: z.array(z.string()).min(1).max(MAX_FILTER_LEVELS).exactOptional(),
      min: end,
      max: end,
    }),
  )
  .max(MAX_FILTERS)
  // A service takes one filter of a column: of two, it would count by the last, and both would be told.
  .refine((filters) => new Set(filters.map(({ column }) => column)).size === filters.length, 'a column has one filter')
  .refine(
    (filters) => filters.every(({ levels, min, max }) => (levels === undefined) === ((min ?? max) !== undefined)),
    'a filter has levels, or an end of numbers',
  )
  .describe(
    'The rows that figures are counted in: those that pass all of these, by levels or by ends of a number or a date, both included. The scenario stays what it is.',
  )

export const baseShape = z
  .enum(['all', 'valid'])
  .optional()
  .describe('What shares are shares of: all rows, or those with an answer.')
