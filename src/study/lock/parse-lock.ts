import { isColumnKind } from '../../base/column-kind.ts'
import { conflictLines, lineListText } from '../../base/conflict-marks.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { cutText } from '../../base/text/fit-text.ts'
import { WhatifError } from '../../base/whatif-error.ts'
import {
  type FileDigest,
  LOCK_VERSION,
  type LockedColumn,
  type LockedDataset,
  type LockedDrop,
  type LockedSeed,
  type StudyLock,
} from './lock.ts'

/** Larger lock files are refused. A thousand columns with a hundred levels each are about 2 MB. */
export const MAX_LOCK_BYTES = 16 * 1024 * 1024

/** Longest name of a path or key that a message repeats, in UTF-16 units. */
const SHOWN_NAME = 60

/** What is wrong with a lock file, and where: `datasets.panel.bytes: expected …, found …`. */
function faulty(message: string): WhatifError {
  return new WhatifError('lock_file', message)
}

/**
 * Reads a lock file. Its bytes come from a repository and may be anything: everything but an exact lock of this version
 * (`schemas/lock.v1.json`) is refused with the expected value and its place.
 *
 * @throws WhatifError with the code `lock_file`
 */
export function parseLock(text: string): StudyLock {
  if (Buffer.byteLength(text) > MAX_LOCK_BYTES) throw faulty(`it has more than ${MAX_LOCK_BYTES} bytes`)
  const conflict = conflictIn(text)
  if (conflict !== null) throw faulty(`it ${conflict}`)
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    // The parser's message quotes the text.
    throw faulty('it is not JSON')
  }
  const repeated = repeatedJsonKey(text)
  if (repeated !== null) throw faulty(`line ${repeated.line}: the key ${quoted(repeated.key)} appears twice`)
  return readLock(value)
}

/** What is said of a lock file with an unresolved merge conflict; null: it has none. */
export function conflictIn(text: string): string | null {
  // Git's own marker of a conflict; no line of JSON begins like this.
  if (!/^<{7} /m.test(text)) return null
  const lines = conflictLines(text)
  return `holds an unresolved merge conflict${lines.length === 0 ? '' : `, with marks in ${lineListText(lines)}`}`
}

/** The salt of a lock file that holds a conflict, so that a lock made in its place also hides its levels; null: it has none. */
export function saltIn(text: string): string | null {
  return /^\s*"level_salt": "([0-9a-f]{32})",?$/m.exec(text)?.[1] ?? null
}

function readLock(value: unknown): StudyLock {
  const fields = mapOf(value, 'the file')
  const version = fields.get('lock_version')
  if (Number.isSafeInteger(version) && (version as number) > LOCK_VERSION)
    throw faulty(`lock_version: ${version as number} needs a newer runner; this one reads ${LOCK_VERSION}`)
  if (version !== LOCK_VERSION) throw expected('lock_version', `the number ${LOCK_VERSION}`, version)
  onlyKeys(fields, '', ['lock_version', 'level_salt', 'datasets'])
  const levelSalt = fields.has('level_salt') ? hexOf(fields.get('level_salt'), 'level_salt', 32) : null
  const datasets = new Map<string, LockedDataset>()
  for (const [name, dataset] of mapOf(fields.get('datasets'), 'datasets')) {
    const path = `datasets.${shown(name)}`
    if (!/^[a-z0-9._-]{1,40}$/.test(name)) throw faulty(`${path}: not a dataset id`)
    datasets.set(name, readDataset(mapOf(dataset, path), path, levelSalt !== null))
  }
  return { levelSalt, datasets }
}

const SCHEMA_KEYS = ['columns', 'dropped_columns', 'schema_sha256']
const SEED_KEYS = ['auto_clean', 'bytes', 'declarations', 'fingerprint', 'sent', 'sha256']

function readDataset(fields: Fields, path: string, isHashed: boolean): LockedDataset {
  onlyKeys(fields, path, [...SCHEMA_KEYS, ...SEED_KEYS])
  const columns = new Map<string, LockedColumn>()
  for (const [name, column] of mapOf(fields.get('columns'), `${path}.columns`)) {
    const at = `${path}.columns.${shown(name)}`
    columns.set(name, readColumn(mapOf(column, at), at, isHashed))
  }
  return {
    seed: SEED_KEYS.some((key) => fields.has(key)) ? readSeed(fields, path) : null,
    columns,
    dropped: listOf(fields.get('dropped_columns'), `${path}.dropped_columns`).map((drop, i) =>
      readDrop(drop, `${path}.dropped_columns[${i}]`),
    ),
    schemaSha256: hexOf(fields.get('schema_sha256'), `${path}.schema_sha256`, 64),
  }
}

function readSeed(fields: Fields, path: string): LockedSeed {
  const autoClean = fields.get('auto_clean')
  if (typeof autoClean !== 'boolean') throw expected(`${path}.auto_clean`, 'true or false', autoClean)
  return {
    autoClean,
    ...(fields.has('declarations') && {
      declarations: hexOf(fields.get('declarations'), `${path}.declarations`, 64),
    }),
    fingerprint: hexOf(fields.get('fingerprint'), `${path}.fingerprint`, 64),
    ...readDigest(fields, path),
    ...(fields.has('sent') && { sent: readSent(fields, path) }),
  }
}

function readSent(fields: Fields, path: string): FileDigest {
  const at = `${path}.sent`
  if (!fields.has('declarations')) throw faulty(`${at}: only a file with declarations is sent as another one`)
  const sent = mapOf(fields.get('sent'), at)
  onlyKeys(sent, at, ['bytes', 'sha256'])
  return readDigest(sent, at)
}

function readDigest(fields: Fields, path: string): FileDigest {
  const bytes = fields.get('bytes')
  if (!Number.isSafeInteger(bytes) || (bytes as number) < 0)
    throw expected(`${path}.bytes`, 'a whole number of at least 0', bytes)
  return { bytes: bytes as number, sha256: hexOf(fields.get('sha256'), `${path}.sha256`, 64) }
}

function readColumn(fields: Fields, path: string, isHashed: boolean): LockedColumn {
  const kind = fields.get('kind')
  if (!isColumnKind(kind)) throw expected(`${path}.kind`, '"categorical", "numeric" or "unknown"', kind)
  const key = isHashed ? 'level_digests' : 'levels'
  onlyKeys(fields, path, kind === 'categorical' ? ['kind', key] : ['kind'])
  if (!fields.has(key)) return { kind, levels: null }
  const levels = listOf(fields.get(key), `${path}.${key}`).map((level, i) =>
    isHashed ? hexOf(level, `${path}.${key}[${i}]`, 32) : textOf(level, `${path}.${key}[${i}]`),
  )
  if (new Set(levels).size < levels.length) throw faulty(`${path}.${key}: a level appears twice`)
  return { kind, levels }
}

function readDrop(value: unknown, path: string): LockedDrop {
  const fields = mapOf(value, path)
  onlyKeys(fields, path, ['name', 'reason'])
  return { name: textOf(fields.get('name'), `${path}.name`), reason: textOf(fields.get('reason'), `${path}.reason`) }
}

/** Keys are data and may be called `__proto__`. */
type Fields = ReadonlyMap<string, unknown>

function mapOf(value: unknown, path: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw expected(path, 'a map', value)
  return new Map(Object.entries(value))
}

function listOf(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw expected(path, 'a list', value)
  return value
}

function textOf(value: unknown, path: string): string {
  if (typeof value !== 'string') throw expected(path, 'text', value)
  return value
}

function hexOf(value: unknown, path: string, digits: number): string {
  if (typeof value !== 'string' || value.length !== digits || !/^[0-9a-f]*$/.test(value))
    throw expected(path, `${digits} hexadecimal digits`, value)
  return value
}

function onlyKeys(fields: Fields, path: string, keys: readonly string[]): void {
  for (const key of fields.keys())
    if (!keys.includes(key)) throw faulty(`${path === '' ? '' : `${path}: `}unknown key ${quoted(key)}`)
}

/** Texts of the file are not repeated: it may be a link to something private. */
function expected(path: string, what: string, found: unknown): WhatifError {
  const kind =
    found === undefined ? 'nothing' : found === null ? 'null' : Array.isArray(found) ? 'a list' : naming(found)
  return faulty(`${path}: expected ${what}, found ${kind}`)
}

function naming(found: unknown): string {
  if (typeof found === 'object') return 'a map'
  if (typeof found === 'string') return 'another text'
  return String(found)
}

const shown = (name: string): string => escapeText(name.length > SHOWN_NAME ? `${cutText(name, SHOWN_NAME)}…` : name)

const quoted = (name: string): string => `"${shown(name)}"`

/**
 * The first key that appears twice in one object of a valid JSON text, and its line. `JSON.parse` silently keeps the
 * last of them, so a merge that kept both sides would go unnoticed.
 */
export function repeatedJsonKey(text: string): { readonly key: string; readonly line: number } | null {
  /** Keys of the enclosing objects; null for lists. */
  const open: (Set<string> | null)[] = []
  let lastString = { start: 0, end: 0 }
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      const end = endOfString(text, at)
      lastString = { start: at, end }
      at = end - 1
    } else if (character === '{') open.push(new Set())
    else if (character === '[') open.push(null)
    else if (character === '}' || character === ']') open.pop()
    else if (character === ':') {
      const key = JSON.parse(text.slice(lastString.start, lastString.end)) as string
      const keys = open.at(-1)
      if (keys?.has(key)) return { key, line: text.slice(0, lastString.start).split('\n').length }
      keys?.add(key)
    }
  }
  return null
}

/** Index after the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}
