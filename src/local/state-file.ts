import { existsSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { readBoundedText } from '../base/bounded-file.ts'
import { escapeText } from '../base/text/escape-text.ts'
import { WhatifError } from '../base/whatif-error.ts'
import { SCOPE_LABEL_PATTERN } from '../study/hashing/request-key.ts'
import { SetupError } from './setup-error.ts'

/** The file of a project that says where the state of its studies lives. It is committed, so it holds no secret and no address. */
export const STATE_FILE = 'whatif.state.yaml'

/** What a line or two take. */
const MOST_BYTES = 64 * 1024

export interface StateFile {
  /** `s3://BUCKET/PREFIX` */
  readonly bucket: string
  readonly scope: string | undefined
  readonly reads: readonly string[]
}

/**
 * Null: the project has none.
 *
 * @throws SetupError
 */
export async function readStateFile(projectRoot: string): Promise<StateFile | null> {
  const path = join(projectRoot, STATE_FILE)
  if (!existsSync(path)) return null
  const wrong = (what: string): SetupError =>
    new SetupError(
      2,
      `${STATE_FILE}: ${what}`,
      'It has one line, bucket: s3://BUCKET/PREFIX, and may have reads: [main] and scope: LABEL. Address and keys of the storage are variables, such as WHATIF_S3_ENDPOINT.',
    )
  const text = await readBoundedText(fs, path, MOST_BYTES).catch((error: unknown) => {
    throw error instanceof WhatifError ? wrong(error.message) : error
  })
  const document = parseDocument(text, { prettyErrors: true, logLevel: 'silent' })
  const [fault] = document.errors
  if (fault !== undefined) throw wrong(`it is not YAML (line ${fault.linePos?.[0].line ?? 1})`)
  const value: unknown = document.toJS()
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong('expected keys and values')
  const { bucket, scope, reads = [], ...others } = value as Record<string, unknown>
  const [other] = Object.keys(others)
  if (other !== undefined) throw wrong(`there is no key "${escapeText(other.slice(0, 60))}"`)
  if (typeof bucket !== 'string') throw wrong('expected a text under "bucket"')
  if (!Array.isArray(reads)) throw wrong('expected a list under "reads", such as [main]')
  return {
    bucket,
    scope: scope === undefined ? undefined : labelOf(scope, 'scope', wrong),
    reads: reads.map((read) => labelOf(read, 'reads', wrong)),
  }
}

function labelOf(value: unknown, key: string, wrong: (what: string) => SetupError): string {
  const label = String(value)
  if (SCOPE_LABEL_PATTERN.test(label)) return label
  throw wrong(
    `"${escapeText(label.slice(0, 60))}" under "${key}" is no label of a scope: 1 to 48 letters, digits, dashes and underscores`,
  )
}
