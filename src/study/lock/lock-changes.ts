import { listText } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { type LockedDataset, type LockedSeed, ownSha256, type StudyLock, sentOf, withLevelSalt } from './lock.ts'

/** A field in which two locks differ. */
export interface LockChange {
  /** `['panel', 'columns', 'region', 'levels']`: names as they are. Empty: the whole file. */
  readonly path: readonly string[]
  /** The change, for people: `+ "Centre", - "Center"`; safe to print. */
  readonly text: string
}

/** Names that are listed; further ones are only counted. */
const LISTED = 5

/**
 * The changes that turn the file `before` (null: there is none) into `after`, field by field and in the sequence of the
 * file. Layout, line ends and the sequence of keys are no changes.
 */
export function lockChanges(before: StudyLock | null, after: StudyLock): readonly LockChange[] {
  if (before === null) return [{ path: [], text: 'added' }]
  const changes: LockChange[] = []
  if (before.levelSalt !== after.levelSalt) {
    const text = after.levelSalt === null ? 'removed' : before.levelSalt === null ? 'added' : 'changed'
    changes.push({ path: ['level_salt'], text })
  }
  // Levels have not changed if they only became digests.
  const comparable = withLevelSalt(before, after.levelSalt)
  for (const name of [...new Set([...before.datasets.keys(), ...after.datasets.keys()])].sort()) {
    const [old, now] = [comparable.datasets.get(name), after.datasets.get(name)]
    if (old === undefined || now === undefined) changes.push({ path: [name], text: old ? 'removed' : 'added' })
    else changes.push(...datasetChanges(name, old, now, after.levelSalt !== null))
  }
  return changes
}

function datasetChanges(name: string, before: LockedDataset, after: LockedDataset, isHashed: boolean): LockChange[] {
  const seeds = seedChanges(name, before, after)
  const columns = columnChanges(name, before, after, isHashed)
  const changes = [...seeds, ...columns, ...dropChanges(name, before, after)]
  // Trained bounds are part of the digest, and not in the file.
  if (before.schemaSha256 !== after.schemaSha256)
    changes.push({
      path: [name, 'schema_sha256'],
      text: `${before.schemaSha256.slice(0, 8)} → ${after.schemaSha256.slice(0, 8)}${columns.length === 0 ? ' (bounds of numeric columns)' : ''}`,
    })
  return changes
}

function seedChanges(name: string, before: LockedDataset, after: LockedDataset): LockChange[] {
  const [old, now] = [before.seed, after.seed]
  if (old === null && now === null) return []
  if (old === null || now === null)
    return [{ path: [name], text: old === null ? 'dataset_id → file' : 'file → dataset_id' }]
  const changes: LockChange[] = []
  if (old.autoClean !== now.autoClean)
    changes.push({ path: [name, 'auto_clean'], text: `${old.autoClean} → ${now.autoClean}` })
  // A lock of 1.0.0 with declarations does not know the file itself, so nothing is known to have changed.
  const isKnown = ownSha256(old) !== null && ownSha256(now) !== null
  if (isKnown && old.bytes !== now.bytes) changes.push({ path: [name, 'bytes'], text: `${old.bytes} → ${now.bytes}` })
  if (old.declarations !== now.declarations)
    changes.push({ path: [name, 'declarations'], text: declarationsText(name, old, now) })
  const note = (key: string, was: string, is: string): void => {
    if (was !== is) changes.push({ path: [name, key], text: `${was.slice(0, 8)} → ${is.slice(0, 8)}` })
  }
  note('fingerprint', old.fingerprint, now.fingerprint)
  if (old.sent !== undefined || now.sent !== undefined || !isKnown) note('sent', sentOf(old).sha256, sentOf(now).sha256)
  if (isKnown) note('sha256', old.sha256, now.sha256)
  return changes
}

/** Their digests would mean nothing to a reader. */
function declarationsText(name: string, { declarations: old }: LockedSeed, { declarations: now }: LockedSeed): string {
  if (old === undefined || now === undefined) return old === undefined ? 'added' : 'removed'
  return `the declarations of dataset ${name} changed`
}

function columnChanges(name: string, before: LockedDataset, after: LockedDataset, isHashed: boolean): LockChange[] {
  const changes: LockChange[] = []
  for (const column of [...new Set([...before.columns.keys(), ...after.columns.keys()])].sort()) {
    const path = [name, 'columns', column]
    const [old, now] = [before.columns.get(column), after.columns.get(column)]
    if (old === undefined || now === undefined) {
      changes.push({ path, text: old ? 'removed' : `added (${now?.kind})` })
      continue
    }
    if (old.kind !== now.kind) changes.push({ path: [...path, 'kind'], text: `${old.kind} → ${now.kind}` })
    const text = levelsText(old.levels ?? [], now.levels ?? [], isHashed)
    if (text !== '') changes.push({ path: [...path, 'levels'], text })
  }
  return changes
}

function levelsText(before: readonly string[], after: readonly string[], isHashed: boolean): string {
  const [old, now] = [new Set(before), new Set(after)]
  const added = after.filter((level) => !old.has(level))
  const gone = before.filter((level) => !now.has(level))
  const parts = [
    { mark: '+', names: added },
    { mark: '-', names: gone },
  ].filter(({ names }) => names.length > 0)
  // Digests mean nothing to a reader.
  return parts.map(({ mark, names }) => `${mark} ${isHashed ? names.length : listed(names)}`).join(', ')
}

function dropChanges(name: string, before: LockedDataset, after: LockedDataset): LockChange[] {
  const [old, now] = [reasons(before), reasons(after)]
  const names = [...new Set([...old.keys(), ...now.keys()])].sort()
  return names
    .filter((column) => old.get(column) !== now.get(column))
    .map((column) => {
      const [was, is] = [old.get(column), now.get(column)]
      const text =
        was === undefined
          ? `added: ${escapeText(is!)}`
          : is === undefined
            ? 'removed'
            : `${escapeText(was)} → ${escapeText(is)}`
      return { path: [name, 'dropped_columns', column], text }
    })
}

const reasons = (dataset: LockedDataset) => new Map(dataset.dropped.map(({ name, reason }) => [name, reason]))

const listed = (names: readonly string[]): string =>
  listText(
    names.map((name) => `"${escapeText(name)}"`),
    LISTED,
  )

/** `panel.columns.region.levels: + "Centre"`, safe to print. */
export function lockChangeText({ path, text }: LockChange): string {
  return path.length === 0 ? text : `${path.map(escapeText).join('.')}: ${text}`
}
