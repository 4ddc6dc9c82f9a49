import { cutText } from '../../base/text/fit-text.ts'
import { WhatifError } from '../../base/whatif-error.ts'
import type { RunRecord } from '../../records/run-record.ts'
import { dropPrototypes, MAX_DEPTH } from '../manifest/drop-prototypes.ts'
import { tornText } from '../manifest/torn-manifest.ts'

/** Larger records are refused: three files for each of ten thousand scenarios are about 8 MB. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024

/** Code of the `WhatifError` that describes the fault of a record and its place. */
export const NOT_A_RECORD = 'not_a_record'

/** Longest path in a record that a message repeats, in UTF-16 units. */
const SHOWN_PATH = 120

/**
 * Reads a run's record. Its bytes may come from anywhere: what `schemas/run-record.v1.json` does not allow is refused with
 * `NOT_A_RECORD`; unknown fields are ignored. The objects have no prototype.
 */
export async function parseRunRecord(text: string): Promise<RunRecord> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's message quotes the text.
    throw notARecord(text.startsWith('{') || /^\0*$/.test(text) ? tornText(text) : 'it is not JSON')
  }
  if (!dropPrototypes(value)) throw notARecord(`it is nested deeper than ${MAX_DEPTH} levels`)
  const version = (value as { record_version?: unknown } | null)?.record_version
  if (typeof version === 'number' && version > 1)
    throw notARecord(`record_version: ${version} needs a newer whatif; this one reads 1`)
  const schema = await import('../../records/run-record.ts')
  const checked = schema.RunRecord.safeParse(value)
  if (checked.success) return value as RunRecord
  const [issue] = checked.error.issues
  const path = issue?.path.join('.') ?? ''
  const shown = path.length > SHOWN_PATH ? `${cutText(path, SHOWN_PATH)}…` : path
  throw notARecord(`${shown === '' ? 'the file' : shown}: ${issue?.message ?? 'does not match the schema'}`)
}

const notARecord = (message: string): WhatifError => new WhatifError(NOT_A_RECORD, message)
