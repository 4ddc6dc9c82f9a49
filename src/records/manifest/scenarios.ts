/** What a manifest says about a scenario: what was asked for, what came, and its traces at the service. */

import { z } from 'zod'
import { OUTPUT_FORMAT_NAMES, RESULT_FORMAT_NAMES } from '../../base/result-formats.ts'
import {
  byName,
  count,
  moment,
  number,
  numberRange,
  ordinal,
  sha256,
  size,
  text,
  texts,
} from '../values/common-values.ts'
import { NearestMix } from '../values/nearest-mix.ts'
import { BindingTarget } from '../values/service-account.ts'
import { requestKey } from './datasets.ts'
import { GateResult } from './gates.ts'
import type { Written } from './written.ts'

const ScenarioStatus = z
  .enum(['ready', 'partial', 'failed', 'refused', 'not_started', 'running', 'interrupted'])
  .meta({ id: 'status' })

const ends = z.object({ min: number.optional(), max: number.optional() })

const meanTarget = z.union([number, ends]).meta({ id: 'meanTarget', description: 'The mean, or bounds of it.' })

const shareTarget = z.union([number, ends]).meta({ id: 'shareTarget', description: 'The share, or bounds of it.' })

const ManifestRequest = z
  .object({
    conditions: z
      .object({
        categorical: byName(byName(number)).optional(),
        numeric: byName(numberRange).optional(),
        means: byName(meanTarget).optional(),
        bounds: byName(byName(ends)).optional(),
        cells: z
          .array(z.object({ columns: texts, shares: z.array(z.object({ levels: texts, share: number })) }))
          .optional(),
      })
      .optional(),
    output_format: text,
    row_count: ordinal,
    seed: z.int(),
  })
  .meta({ id: 'request', description: 'The body as it was sent.' })

const ManifestRows = z
  .object({
    requested: ordinal,
    reported: count.nullable().describe('The number of rows that the service reports.'),
    counted: count.nullable().describe('Rows in the artifact.'),
    fill: size.nullable().describe('counted / requested'),
  })
  .meta({ id: 'rows' })

const ShareResult = z
  .object({
    levels: byName(
      z.object({
        target: shareTarget,
        achieved: size,
        delta: number.describe('Achieved less the target; 0 within bounds.'),
        count,
      }),
    ),
    unstated: byName(size).describe('Shares of the levels that the scenario does not state.'),
    missing: size.optional().describe('Share of rows without a value; absent when there are none.'),
  })
  .meta({ id: 'share' })

const momentRange = z.object({ min: text, max: text }).meta({ id: 'momentRange' })

const RangeResult = z
  .object({
    target: numberRange,
    achieved: numberRange.nullable().describe('Null when no row has a value.'),
    outside: size.describe('Share of rows outside the range or without a value.'),
    outside_count: count.describe('The same as a number of rows, which rounding does not hide.'),
    dates: z
      .object({ target: momentRange, achieved: momentRange.nullable() })
      .optional()
      .describe('Target and achieved range as RFC 3339 dates or times, when the study writes an end as one.'),
  })
  .meta({ id: 'range' })

const MeanResult = z
  .object({
    target: meanTarget,
    achieved: number.nullable().describe('Of the rows that have a value; null when none has.'),
    delta: number.nullable().describe('Achieved less the target; 0 within bounds.'),
    values: count.describe('Rows that have a value.'),
  })
  .meta({ id: 'mean' })

const CellResult = z
  .object({
    columns: texts,
    cells: z.array(z.object({ levels: texts, target: number, achieved: size, delta: number, count })),
  })
  .meta({ id: 'cells', description: 'The shares of combinations of levels that a table of cells states.' })

const RuleResult = z
  .object({
    rule: text,
    columns: texts.describe('Cleaned names of its columns, in the sequence in which it names them.'),
    rows: count.describe('Rows that it is about: its conditions hold, and all of its columns have a value.'),
    violations: count.describe('Those of them that break it.'),
  })
  .meta({ id: 'rule' })

const artifactPath = text.describe('Relative to the manifest.')

const ManifestArtifact = z
  .object({
    path: artifactPath,
    format: z.enum(RESULT_FORMAT_NAMES),
    bytes: count,
    sha256,
    names: z.enum(['original']).optional().describe('Present if the columns have the names of the seed file.'),
    received: z
      .object({ path: artifactPath, format: z.enum(OUTPUT_FORMAT_NAMES), bytes: count, sha256 })
      .optional()
      .describe('What the service sent, if the file was made of it.'),
    notes: texts
      .optional()
      .describe('What the form of the file cannot hold, and cells of CSV that begin like a formula.'),
  })
  .meta({ id: 'artifact' })

const ManifestEvidence = z
  .object({
    effective_rows: number.describe(
      "Rows of the seed that the rows rest on (Kish's effective sample size). Without `exact` they are rounded down: 1 for fewer than 10, then 10, 20, 50, 100, then two digits, so that 10 stands for 10 to 20.",
    ),
    exact: z
      .boolean()
      .optional()
      .describe('True where these figures are exact, as a service tells them to the owner of the seed alone.'),
    largest_tilt: number.describe("Largest ratio of a combination's share of the rows to its share in the model."),
    in_range_share: number.optional().describe('Share of the model inside all ranges.'),
    low_support: z.boolean().optional().describe('Whether the evidence is thin.'),
    converged: z
      .boolean()
      .optional()
      .describe('Whether the mix is the closest to the model that there is; the shares hold in any case.'),
  })
  .meta({ id: 'evidence', description: 'How much of the seed data supports the rows, as the service reports it.' })

const boundedDetail = z.string().max(500)

const ManifestShortfall = z
  .object({
    detail: boundedDetail,
    binding: z.array(BindingTarget),
    nearest_mix: NearestMix.optional(),
  })
  .meta({
    id: 'shortfall',
    description: 'The targets that bind, when the service reports why there are fewer rows.',
  })

const ManifestPartialPolicy = z.union([
  z.enum(['accept', 'warn', 'fail']),
  z.object({ accept_from: number, otherwise: z.enum(['warn', 'fail']) }),
])

export const ManifestScenario = z
  .object({
    group: text.nullable(),
    axes: byName(text),
    description: text.optional(),
    replicate: z
      .object({ of: text, number: ordinal })
      .optional()
      .describe(
        'For one of several scenarios that differ in the seed alone: the name that they share, and its number from 1.',
      ),
    fingerprint: sha256.nullable(),
    dataset: text,
    margins: z
      .object({ file: text, sha256 })
      .optional()
      .describe('The file that shares come from which the scenario does not state itself, as the study names it.'),
    request: ManifestRequest.nullable().describe('Null while a random seed is not drawn.'),
    status: ScenarioStatus,
    rows: ManifestRows,
    shares: byName(ShareResult),
    ranges: byName(RangeResult),
    means: byName(MeanResult).optional().describe('Absent where the scenario states no mean.'),
    cells: z.array(CellResult).optional().describe('Absent where the scenario states no cells.'),
    rules: z
      .array(RuleResult)
      .optional()
      .describe('Rules of the dataset; absent where it has none, or before they are counted.'),
    artifact: ManifestArtifact.nullable(),
    gates: z.array(GateResult),
    shortfall: ManifestShortfall.optional(),
    evidence: ManifestEvidence.optional(),
    standard_error_factor: z
      .number()
      .min(1)
      .optional()
      .describe(
        '√(1 + rows / effective rows): by how much standard errors grow that are computed as if the generated rows were as many people. The largest that it can be where effective rows are rounded down; absent where all that is known is that they are fewer than 10.',
      ),
    partial: ManifestPartialPolicy.optional().describe(
      "The study's policy for fewer rows than requested, in its own words; only for the status `partial`.",
    ),
    error: z
      .object({ code: text, detail: boundedDetail })
      .optional()
      .describe('Why it failed, was refused, was interrupted or did not start.'),
  })
  .meta({ id: 'scenario' })

export const ScenarioTrace = z
  .object({
    generation_id: text.nullable(),
    job_id: text.nullable(),
    dataset_id: text.nullable(),
    idempotency_key: requestKey.nullable(),
    epoch: count.nullable(),
    attempts: count,
    request_ids: texts,
    submitted_at: moment.nullable(),
    completed_at: moment.nullable(),
    download_before: moment.nullable().describe('When the artifact expires at the service.'),
    model_id: text
      .optional()
      .describe('Identity of the model that the rows come from; absent when the service does not tell.'),
  })
  .meta({ id: 'scenario_trace' })

export type ScenarioStatus = z.infer<typeof ScenarioStatus>
export type ManifestScenario = Written<z.infer<typeof ManifestScenario>>
export type ManifestRequest = Written<z.infer<typeof ManifestRequest>>
export type ManifestRows = Written<z.infer<typeof ManifestRows>>
export type ShareResult = Written<z.infer<typeof ShareResult>>
export type RangeResult = Written<z.infer<typeof RangeResult>>
export type CellResult = Written<z.infer<typeof CellResult>>
export type RuleResult = Written<z.infer<typeof RuleResult>>
export type MeanResult = Written<z.infer<typeof MeanResult>>
export type ManifestArtifact = Written<z.infer<typeof ManifestArtifact>>
/** As reported by the service, which alone has the seed data; `manifest/effective-rows.ts` says how it is read. */
export type ManifestEvidence = Written<z.infer<typeof ManifestEvidence>>
export type NearestMixRecord = Written<z.infer<typeof NearestMix>>
export type ManifestPartialPolicy = Written<z.infer<typeof ManifestPartialPolicy>>
export type ScenarioTrace = Written<z.infer<typeof ScenarioTrace>>
