import { canonicalJson } from '../../base/canonical-json.ts'
import { sha256Hex } from '../../base/sha256.ts'
import { escapeJson } from '../../base/text/escape-text.ts'
import type { LockedColumn, LockedDataset, LockedDrop, LockedSeed, StudyLock } from './lock.ts'

/**
 * The text of a lock file: sorted keys, one column per line, LF, final newline. The same lock always has the same text,
 * so a difference between two revisions is a difference of the data. No character in it moves a terminal's cursor or
 * reorders the text that a reviewer sees.
 */
export function renderLock(lock: StudyLock): string {
  const lines = ['{', '  "lock_version": 1,']
  if (lock.levelSalt !== null) lines.push(`  "level_salt": ${json(lock.levelSalt)},`)
  lines.push(...block('  ', '"datasets": ', datasetMembers(lock), '{}'), '}', '')
  return escapeJson(lines.join('\n'))
}

function datasetMembers(lock: StudyLock): string[][] {
  return sorted(lock.datasets).map(([name, dataset]) => member(name, dataset, lock.levelSalt !== null))
}

function member(name: string, dataset: LockedDataset, isHashed: boolean): string[] {
  const { seed } = dataset
  const columns = sorted(dataset.columns).map(([column, facts]) => [
    `        ${json(column)}: ${columnText(facts, isHashed)}`,
  ])
  const fields: [key: string, lines: string[]][] = [
    ['columns', block('      ', '"columns": ', columns, '{}')],
    ['dropped_columns', droppedLines(dataset.dropped)],
    ['schema_sha256', [`      "schema_sha256": ${json(dataset.schemaSha256)}`]],
  ]
  if (seed !== null) {
    fields.push(
      ['auto_clean', [`      "auto_clean": ${seed.autoClean}`]],
      ['bytes', [`      "bytes": ${seed.bytes}`]],
      ...declarationsField(seed),
      ['fingerprint', [`      "fingerprint": ${json(seed.fingerprint)}`]],
      ['sha256', [`      "sha256": ${json(seed.sha256)}`]],
      ...sentField(seed),
    )
  }
  const ordered = fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, lines]) => lines)
  return block('    ', `${json(name)}: `, ordered, '{}')
}

/** Absent when there are none, so that locks of studies without declarations keep their bytes. */
function declarationsField({ declarations }: LockedSeed): [key: string, lines: string[]][] {
  return declarations === undefined ? [] : [['declarations', [`      "declarations": ${json(declarations)}`]]]
}

function sentField({ sent }: LockedSeed): [key: string, lines: string[]][] {
  if (sent === undefined) return []
  return [['sent', [`      "sent": {"bytes": ${sent.bytes}, "sha256": ${json(sent.sha256)}}`]]]
}

function columnText({ kind, levels }: LockedColumn, isHashed: boolean): string {
  if (levels === null) return `{"kind": ${json(kind)}}`
  return `{"kind": ${json(kind)}, "${isHashed ? 'level_digests' : 'levels'}": [${levels.map(json).join(', ')}]}`
}

/** A single dropped column goes on its key's line; several get a line each. */
function droppedLines(dropped: readonly LockedDrop[]): string[] {
  const texts = dropped.map(({ name, reason }) => `{"name": ${json(name)}, "reason": ${json(reason)}}`)
  if (texts.length < 2) return [`      "dropped_columns": [${texts.join('')}]`]
  const items = texts.map((text, i) => `        ${text}${i < texts.length - 1 ? ',' : ''}`)
  return ['      "dropped_columns": [', ...items, '      ]']
}

/** `{`, the members with commas between them, and `}`; `empty` when there are none. */
function block(indent: string, key: string, members: readonly (readonly string[])[], empty: string): string[] {
  if (members.length === 0) return [`${indent}${key}${empty}`]
  const lines = members.flatMap((each, i) =>
    i < members.length - 1 ? [...each.slice(0, -1), `${each.at(-1)!},`] : [...each],
  )
  return [`${indent}${key}{`, ...lines, `${indent}}`]
}

const json = (value: string): string => JSON.stringify(value)

/** By UTF-16 code units. */
function sorted<V>(map: ReadonlyMap<string, V>): [string, V][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

/**
 * Identifies a lock's content for saved plans, whatever its layout or line ends; null when there is no lock. 64
 * lower-case hexadecimal digits.
 */
export function lockDigest(lock: StudyLock | null): string | null {
  return lock === null ? null : sha256Hex(canonicalJson({ v: 1, kind: 'lock', lock: renderLock(lock) }))
}
