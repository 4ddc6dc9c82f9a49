import { join, sep } from 'node:path'
import type { z } from 'zod'
import type { FileSystem } from '../../base/atomic-file.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import { emptyState, type StudyState } from '../plan/study-state.ts'
import { applyChange, type Entry, type MutableState, readJournal } from './journal.ts'

/**
 * `what` of the state in `folder` is damaged: the folder may be deleted, because everything in it can be found again.
 */
function stateUnreadable(what: string, folder: string, cause?: unknown): RunRefusalError {
  const message = `${what} in ${shownFolder(folder)} is not readable; delete that folder and run again, nothing is lost`
  return new RunRefusalError('usage', 'state_unreadable', message, { cause })
}

/** The name of a state folder in messages, without the path to the project. */
function shownFolder(folder: string): string {
  const parts = folder.split(sep)
  return parts.slice(Math.max(0, parts.lastIndexOf('.whatif'))).join('/')
}

export interface Recovered {
  readonly state: MutableState
  readonly snapshotSerial: number
  readonly wholeBytes: number
  readonly tornBytes: number
}

export async function recover(fs: FileSystem, folder: string): Promise<Recovered> {
  const snapshot = await readText(fs, join(folder, 'state.json'))
  const journal = await readJournal(fs, join(folder, 'journal.ndjson'))
  const { wholeBytes, tornBytes } = journal
  const { state, snapshotSerial } = await stateOf({ snapshot, lines: journal.lines }, (what, cause) =>
    stateUnreadable(what, folder, cause),
  )
  return { state, snapshotSerial, wholeBytes, tornBytes }
}

/** The state that the texts of its files hold. `unreadable` makes the error for damage. */
export async function stateOf(
  { snapshot, lines }: { readonly snapshot: string | null; readonly lines: readonly string[] },
  unreadable: (what: string, cause?: unknown) => Error,
): Promise<Pick<Recovered, 'state' | 'snapshotSerial'>> {
  const state = parseSnapshot(snapshot, unreadable)
  const snapshotSerial = state.serial
  lines.forEach((line, i) => {
    const entry = parseEntry(line)
    if (entry === null) throw unreadable(`line ${i + 1} of journal.ndjson`)
    if (entry.serial > state.serial) applyChange(state, entry, entry.serial)
  })
  await dropUnreadable(state)
  return { state, snapshotSerial }
}

async function readText(fs: FileSystem, path: string): Promise<string | null> {
  try {
    return await fs.readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const KINDS = new Set([
  'study',
  'upload',
  'generation',
  'withdrawn',
  'existing',
  'scenario',
  'seed',
  'estimate',
  'settled',
])

function parseEntry(line: string): Entry | null {
  try {
    const entry = JSON.parse(line) as Entry
    const isEntry = typeof entry === 'object' && entry !== null && entry.v === 1 && Number.isSafeInteger(entry.serial)
    return isEntry && KINDS.has(entry.kind) ? entry : null
  } catch {
    return null
  }
}

/**
 * Leaves out incomplete records. They occur when `state.json` was deleted and a later journal was kept: its entries
 * change fields of records that no longer exist.
 */
async function dropUnreadable(state: MutableState): Promise<void> {
  const lists = ['uploads', 'generations', 'existing', 'scenarios', 'estimates'] as const
  if (lists.some((list) => state[list].size > 0)) {
    // Loaded late: the first plan of a study has no records, and loading the schemas takes as long as the plan itself.
    const { STATE_RECORDS } = await import('../../records/state/state-records.ts')
    for (const list of lists) keepValid(state[list], STATE_RECORDS[list])
  }
  for (const [id, seed] of state.seeds) if (!Number.isSafeInteger(seed)) state.seeds.delete(id)
  if (typeof state.studyPath !== 'string') state.studyPath = null
}

function keepValid(records: Map<string, unknown>, schema: z.ZodType): void {
  for (const [id, record] of records) if (!schema.safeParse(record).success) records.delete(id)
}

function parseSnapshot(text: string | null, unreadable: (what: string, cause?: unknown) => Error): MutableState {
  if (text === null) return emptyState()
  try {
    const json = JSON.parse(text) as Record<string, unknown>
    if (json.state_version !== 1) throw new Error(`state_version is ${String(json.state_version)}, not 1`)
    const list = <R>(name: string): R[] => (Array.isArray(json[name]) ? json[name] : [])
    const state = emptyState()
    state.serial = Number.isSafeInteger(json.serial) ? (json.serial as number) : 0
    state.studyPath = typeof json.study_path === 'string' ? json.study_path : null
    for (const record of list<MapValue<StudyState['uploads']>>('uploads')) state.uploads.set(record.key, record)
    for (const record of list<MapValue<StudyState['generations']>>('generations')) {
      state.generations.set(record.key, record)
    }
    for (const record of list<MapValue<StudyState['existing']>>('existing'))
      state.existing.set(record.datasetId, record)
    for (const record of list<MapValue<StudyState['scenarios']>>('scenarios')) {
      state.scenarios.set(record.scenario, record)
    }
    for (const [id, seed] of list<[string, number]>('seeds')) state.seeds.set(id, seed)
    for (const key of list<string>('forced')) state.forced.add(key)
    for (const record of list<MapValue<StudyState['estimates']>>('estimates')) state.estimates.set(record.key, record)
    return state
  } catch (cause) {
    throw unreadable('state.json', cause)
  }
}

type MapValue<M> = M extends ReadonlyMap<string, infer V> ? V : never
