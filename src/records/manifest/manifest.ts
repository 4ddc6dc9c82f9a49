import { z } from 'zod'
import { byName, count, moment, ordinal, sha256, text, texts } from '../values/common-values.ts'
import { ManifestBacktest } from './backtests.ts'
import { ManifestAxes } from './columns.ts'
import { ManifestComparison } from './comparisons.ts'
import { DatasetTrace, ManifestDataset } from './datasets.ts'
import { ManifestScenario, ScenarioTrace } from './scenarios.ts'
import type { Written } from './written.ts'

const study = z.object({
  name: text,
  version: z.literal(1),
  digest: sha256.nullable().describe('Null only while a seed is still to be drawn or a schema still to be fetched.'),
  baseline: text.nullable(),
  description: text.optional(),
  scenario_order: texts.optional().describe('Ids of all scenarios in the sequence of the study.'),
  axes: ManifestAxes.optional().describe(
    'The axes of each matrix in the sequence of the study, by group; the values are those of `scenarios[id].axes`.',
  ),
})

const ManifestStatus = z.enum(['running', 'complete', 'interrupted', 'refused'])

const ManifestOutcome = z
  .object({
    exit_code: z.int().min(0).max(255),
    reason: text,
    also: texts.describe('Further causes, in the order of precedence; those that were forgiven last.'),
  })
  .meta({ id: 'outcome' })

const ManifestTotals = z.object({
  scenarios: count,
  ready: count,
  partial: count,
  failed: count,
  refused: count,
  not_started: count,
  running: count,
  interrupted: count,
  rows_requested: count,
  rows_generated: count.describe('Rows in the artifacts, counted.'),
})

const ManifestDiagnostic = z
  .object({
    severity: z.enum(['error', 'warning', 'note']),
    code: text,
    summary: text,
    detail: text,
    suggestions: texts,
  })
  .meta({
    id: 'diagnostic',
    description: 'Without its place in the file: an added comment moves every line and changes no result.',
  })

const ManifestRun = z.object({
  id: text,
  actions: byName(text),
  rows_billable: count.describe(
    'Rows of the generations that this run requested and saw end. Work that it left running (status `interrupted`) is billed as well once it is done; then it counts as `rows_collected` of the run that sees its end.',
  ),
  rows_collected: count
    .optional()
    .describe(
      'Rows of the generations whose end this run saw and that a request before it had made: of a run that was interrupted, or from another place.',
    ),
  started_at: moment,
  finished_at: moment.nullable(),
  tool: text,
  node: text,
  scope: text.nullable(),
  trial: ordinal
    .optional()
    .describe('Most rows of a scenario; absent unless the run was a trial of the study with fewer rows.'),
  shard: z
    .object({ index: ordinal, of: ordinal })
    .optional()
    .describe('The part of the study that the run carried out; absent: all of it. A part judges no gates.'),
  parts: z
    .object({ of: ordinal, missing: z.array(ordinal), unfinished: z.array(ordinal) })
    .optional()
    .describe(
      'Of results that `whatif merge` made of parts: parts that were not there, and parts that lack results of this study.',
    ),
  service: z.enum(['embedded', 'remote']),
  git: z.object({ commit: text, dirty: z.boolean() }).nullable(),
  ci: text.nullable().describe('Name of the CI system, when there is one.'),
})

/**
 * The record of a run, its inputs and its results: the content of `manifest.json`, version 1. The published
 * `schemas/manifest.v1.json` is made of this (`npm run schemas`).
 */
export const Manifest = z.object({
  manifest_version: z.literal(1),
  study,
  status: ManifestStatus,
  outcome: ManifestOutcome.nullable().describe('Null while running.'),
  totals: ManifestTotals,
  datasets: byName(ManifestDataset),
  scenarios: byName(ManifestScenario),
  comparisons: byName(ManifestComparison),
  backtests: byName(ManifestBacktest)
    .optional()
    .describe('How well reweighting predicts groups that were asked; absent where the study has no backtests.'),
  diagnostics: z.array(ManifestDiagnostic),
  trace: z.object({ datasets: byName(DatasetTrace), scenarios: byName(ScenarioTrace) }),
  run: ManifestRun,
})

/**
 * Fields are only added within version 1. Written with sorted keys; ratios are rounded to 6 decimals, half away from zero.
 * `run` and `trace` are the only parts that differ between two runs with the same results.
 *
 * Maps whose keys are data (columns, levels) are objects without a prototype, so that `__proto__` can be a level.
 */
export type Manifest = Written<z.infer<typeof Manifest>>
export type ManifestStatus = z.infer<typeof ManifestStatus>
export type ManifestOutcome = Written<z.infer<typeof ManifestOutcome>>
export type ManifestTotals = Written<z.infer<typeof ManifestTotals>>
/** Without its place in the file: an added comment moves every line and changes no result. */
export type ManifestDiagnostic = Written<z.infer<typeof ManifestDiagnostic>>
export type ManifestRun = Written<z.infer<typeof ManifestRun>>
