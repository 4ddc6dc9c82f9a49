/** What a manifest says about columns: their natural distribution, the sequence of their levels, their histograms. */

import { z } from 'zod'
import { byName, number, share, text, texts } from '../values/common-values.ts'
import type { Written } from './written.ts'

const naturalValue = z.union([number, text]).meta({ id: 'natural_value', maxLength: 40 })

const NaturalQuantiles = z.object({
  q05: naturalValue,
  q25: naturalValue,
  q50: naturalValue,
  q75: naturalValue,
  q95: naturalValue,
})

const ManifestLevel = z.object({
  level: text,
  share: share
    .optional()
    .describe("Share of the seed file's rows, to three decimals; absent when the service does not report it."),
})

export const ManifestColumn = z
  .object({
    label: text.optional().describe('What the seed file says that the column means.'),
    kind: z.enum(['categorical', 'numeric', 'date']),
    ordered: z.literal(true).optional().describe('The levels have an order, and `levels` is in it.'),
    levels: z
      .array(ManifestLevel)
      .optional()
      .describe('In the order of the levels if they have one, otherwise the most frequent first.'),
    quantiles: NaturalQuantiles.optional().describe(
      'Of the seed file, without missing values. Numbers; RFC 3339 text for dates.',
    ),
  })
  .meta({ id: 'column' })

/** The axes of each matrix, by group. */
export const ManifestAxes = byName(z.array(z.object({ name: text, values: texts })))

export const Histogram = z
  .object({
    edges: z
      .array(number)
      .min(2)
      .max(101)
      .describe('Ascending; one more than `shares`. Dates in milliseconds since 1970.'),
    shares: z
      .array(share)
      .min(1)
      .max(100)
      .describe(
        'Of the values that are not missing. With `below` and `above` they sum to 1, up to rounding to 4 decimals.',
      ),
    whole: z.literal(true).optional().describe('Each bin holds one whole number, the middle between its edges.'),
    below: share.optional().describe('Share of the values below the first edge; absent when there are none.'),
    above: share.optional().describe('Share of the values above the last edge; absent when there are none.'),
  })
  .meta({
    id: 'histogram',
    description:
      'A bin holds the values from its lower edge up to, but without, its upper edge; the last one holds its upper edge as well. All sides of one outcome have the same edges.',
  })

/** A column of a dataset that conditions or comparisons of the study name. */
export type ManifestColumn = Written<z.infer<typeof ManifestColumn>>
export type ManifestLevel = Written<z.infer<typeof ManifestLevel>>
/** Numbers; for a date, RFC 3339 text. Rounded by the service so that they reveal no single person's value. */
export type NaturalQuantiles = Written<z.infer<typeof NaturalQuantiles>>
/** An axis of a matrix: its values in the sequence of the study, by the short names that `scenarios[id].axes` holds. */
export type ManifestAxis = Written<z.infer<typeof ManifestAxes>>[string][number]
/** How the values of a column are distributed. */
export type Histogram = Written<z.infer<typeof Histogram>>
