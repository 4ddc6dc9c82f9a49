import { z } from 'zod'
import { BacktestRecord } from './backtest.ts'
import { EVENTS, EventHead } from './events.ts'
import { Manifest } from './manifest/manifest.ts'
import { FeasibleRowsRecord, PlanEstimatesRecord } from './plan-estimates.ts'
import { RunRecord } from './run-record.ts'
import { SavedPlanRecord } from './saved-plan.ts'
import { SensitivityRecord } from './sensitivity.ts'
import { SolutionRecord } from './solution.ts'
import { VerificationRecord } from './verification.ts'

type Json = Readonly<Record<string, unknown>>

/** The published JSON Schemas that are made of records, by the name of their file in `schemas/`. */
export function publishedSchemas(): Readonly<Record<string, Json>> {
  return {
    'events.v1.json': eventsSchema(),
    'manifest.v1.json': manifestSchema(),
    'plan.v1.json': savedPlanSchema(),
    'plan-estimates.v1.json': partSchema(
      PlanEstimatesRecord,
      'plan-estimates',
      'whatif expected differences, version 1',
      '`data.estimates` of `whatif plan --estimates --json`: by comparison, the differences that the seed itself has, with their intervals. Fields may be added within version 1.',
    ),
    'plan-feasible-rows.v1.json': partSchema(
      FeasibleRowsRecord,
      'plan-feasible-rows',
      'whatif feasible rows, version 1',
      '`data.feasible_rows` of `whatif plan --estimates --json`: by scenario that would be generated, how many of its rows model and seed allow. A scenario is absent if it has no conditions, if its dataset is not trained, or if the service does not say it. Fields may be added within version 1.',
    ),
    'run-record.v1.json': runRecordSchema(),
    'sensitivity.v1.json': answerSchema(SensitivityRecord, 'sensitivity', 'how far each lever moves one figure'),
    'solution.v1.json': answerSchema(
      SolutionRecord,
      'solution',
      'which value of a lever moves a figure by so much',
      'solve',
    ),
    'backtest.v1.json': answerSchema(
      BacktestRecord,
      'backtest',
      'how well reweighting predicts groups that were asked',
    ),
    'verification.v1.json': answerSchema(
      VerificationRecord,
      'verification',
      'what holds of the files of a run, and what differs',
      'verify',
    ),
  }
}

/** One line of the log of events. A type that a reader does not know passes, as fields that it does not know do. */
function eventsSchema(): Json {
  const { definitions: _none, $schema, ...head } = schemaOf(EventHead)
  const definitions: Record<string, unknown> = {}
  for (const [type, event] of Object.entries(EVENTS)) {
    const { definitions: shared, $schema: _dialect, ...own } = schemaOf(event)
    Object.assign(definitions, shared)
    definitions[type] = own
  }
  return {
    $schema,
    $id: 'https://whatif.invalid/schemas/events.v1.json',
    title: 'An event of whatif run --events, version 1',
    description:
      'One line of the log. Within version 1 fields and types are only added: readers ignore unknown fields.',
    ...head,
    allOf: Object.keys(EVENTS).map((type) => ({
      if: { properties: { type: { const: type } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { $ref: `#/definitions/${type}` },
    })),
    definitions,
  }
}

function manifestSchema(): Json {
  const { $schema, ...manifest } = schemaOf(Manifest)
  return {
    $schema,
    title: 'whatif manifest, version 1',
    description:
      'The record of a run of a study, its inputs and its results. Within version 1 fields are only added. `run` and `trace` are the only parts that differ between runs with the same results.',
    ...JSON.parse(JSON.stringify(manifest), unbounded),
  }
}

/** For `JSON.parse`: leaves out the bounds of `z.int()`, so that a manifest with a larger whole number stays readable. */
function unbounded(key: string, value: unknown): unknown {
  return (key === 'minimum' || key === 'maximum') && Math.abs(value as number) === Number.MAX_SAFE_INTEGER
    ? undefined
    : value
}

function savedPlanSchema(): Json {
  const { $schema, ...plan } = schemaOf(SavedPlanRecord)
  return {
    $schema,
    $id: 'https://whatif.invalid/schemas/plan.v1.json',
    title: 'whatif saved plan, version 1',
    description:
      'An object: what `whatif plan --save` keeps of a plan, so that `whatif run --plan` can refuse when anything has changed. Fields may be added within version 1.',
    ...plan,
  }
}

function runRecordSchema(): Json {
  const { $schema, ...record } = schemaOf(RunRecord)
  return {
    $schema,
    $id: 'https://whatif.invalid/schemas/run-record.v1.json',
    title: 'whatif run record, version 1',
    description:
      'An object: what a run used and what it made, with the digest of each file, as `run-record.json` beside the manifest. Within version 1 fields are only added.',
    ...record,
  }
}

/** A part of the `data` of a command's `--json`. */
function partSchema(record: z.ZodType, name: string, title: string, description: string): Json {
  const { $schema, ...part } = schemaOf(record)
  const head = { $schema, $id: `https://whatif.invalid/schemas/${name}.v1.json`, title, description }
  return { ...head, ...JSON.parse(JSON.stringify(part), unbounded) }
}

/** The `data` of a command's `--json`. */
function answerSchema(record: z.ZodType, name: string, what: string, command = name): Json {
  const { $schema, ...answer } = schemaOf(record)
  return {
    $schema,
    $id: `https://whatif.invalid/schemas/${name}.v1.json`,
    title: `data of whatif ${command} --json, version 1`,
    description: `An object: ${what}. Fields may be added within version 1.`,
    ...answer,
  }
}

/** In input form, which does not forbid unknown fields. */
function schemaOf(schema: z.ZodType): Json {
  return JSON.parse(JSON.stringify(z.toJSONSchema(schema, { target: 'draft-7', io: 'input' })), tidied) as Json
}

/** For `JSON.parse`: leaves out what says nothing, and writes a value or null as one schema of two types. */
function tidied(_key: string, schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema
  const { propertyNames, readOnly: _copy, anyOf, allOf, ...others } = schema as Record<string, unknown>
  const isNamed = propertyNames !== undefined && 'pattern' in (propertyNames as Json)
  const rest = isNamed ? { ...others, propertyNames } : others
  if ('const' in rest) delete rest.type
  const [value, nothing, ...further] = (anyOf ?? []) as readonly Record<string, unknown>[]
  if (further.length === 0 && nothing?.type === 'null' && typeof value?.type === 'string') {
    return { ...rest, ...value, type: [value.type, 'null'] }
  }
  const [part, ...parts] = (allOf ?? []) as readonly Json[]
  const isOne = part !== undefined && parts.length === 0
  const joined = isOne ? part : allOf === undefined ? {} : { allOf }
  return { ...rest, ...joined, ...(anyOf !== undefined && { anyOf }) }
}
