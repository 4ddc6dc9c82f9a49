import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv } from 'ajv'

type Schema = { [key: string]: unknown }

/** `schemas/manifest.v1.json` as it is published. */
export const manifestSchema = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../schemas/manifest.v1.json'), 'utf8'),
) as Schema

/**
 * Faults of a manifest: against the published schema, which lets fields be added, and against the same schema closed,
 * so that no field is written that it does not describe.
 */
export function manifestFaults(manifest: unknown): string[] {
  strict ??= compile(closed(manifestSchema) as Schema)
  const validate = strict
  return validate(manifest)
    ? []
    : (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`)
}

let strict: ReturnType<Ajv['compile']> | undefined

function compile(schema: Schema) {
  const ajv = new Ajv({ strict: true, strictTypes: false, allErrors: true })
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
  return ajv.compile(schema)
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  return 'properties' in copy && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy
}
