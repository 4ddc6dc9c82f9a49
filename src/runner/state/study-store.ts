import { join, sep } from 'node:path'
import type { z } from 'zod'
import { type FileSystem, writeAtomically } from '../../base/atomic-file.ts'
import { type Clock, timestamp } from '../../base/clock.ts'
import type { UploadRecord } from '../../records/state/datasets.ts'
import type { GenerationRecord } from '../../records/state/generations.ts'
import { PRIVATE_FILE } from '../files/project-paths.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import { emptyState, type StudyState } from '../plan/study-state.ts'
import { applyChange, type Change, type Entry, JournalWriter, type MutableState, readJournal } from './journal.ts'

/*
 * Files of a study's state folder:
 *
 *   state.json      the state at some serial; replaced atomically at the end of a run
 *   journal.ndjson  every change since, one per line, forced to disk before what it announces is done
 *   lock            who is running (run-lock.ts)
 *
 * Recovery: read state.json, cut the journal's torn last line, apply the entries whose serial is higher. A crash
 * between replacing state.json and restarting the journal leaves entries that are already in it; their serials say so.
 */

/** The journal is restarted if it is longer than this at the end of a run; until then it is a readable history. */
const RESTART_JOURNAL_BYTES = 1024 * 1024

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

/** Reads without changing anything, for `plan` while another process may be running. */
export async function readState(fs: FileSystem, folder: string): Promise<StudyState> {
  return (await recover(fs, folder)).state
}

export interface StoreOptions {
  readonly fs: FileSystem
  readonly folder: string
  readonly clock: Clock
  /** Called before anything is written; rejects when another run has taken over the folder. */
  readonly mayWrite: () => Promise<void>
}

export class StudyStore {
  readonly #fs: FileSystem
  readonly #folder: string
  readonly #clock: Clock
  readonly #mayWrite: () => Promise<void>
  readonly #state: MutableState
  #journal: JournalWriter
  #journalBytes: number
  #snapshotSerial: number
  /** Bytes of a torn last line that were cut when the store was opened. */
  readonly cutBytes: number

  private constructor({ fs, folder, clock, mayWrite }: StoreOptions, from: Recovered, journal: JournalWriter) {
    this.#fs = fs
    this.#folder = folder
    this.#clock = clock
    this.#mayWrite = mayWrite
    this.#state = from.state
    this.#journal = journal
    this.#journalBytes = from.wholeBytes
    this.#snapshotSerial = from.snapshotSerial
    this.cutBytes = from.tornBytes
  }

  /** The caller holds the lock of `folder`, which exists. */
  static async open(options: StoreOptions): Promise<StudyStore> {
    const { fs, folder, mayWrite } = options
    const recovered = await recover(fs, folder)
    const journal = await JournalWriter.open(fs, join(folder, 'journal.ndjson'), recovered.wholeBytes, mayWrite)
    return new StudyStore(options, recovered, journal)
  }

  get state(): StudyState {
    return this.#state
  }

  /** @throws RangeError when there is no upload under the key. */
  upload(key: string): UploadRecord {
    return recordUnder(this.#state.uploads, key)
  }

  /** @throws RangeError when there is no generation under the key. */
  generation(key: string): GenerationRecord {
    return recordUnder(this.#state.generations, key)
  }

  /**
   * Makes a change and resolves when it is on disk. The state shows it at once; await it before acting on anything
   * outside because of it.
   */
  async record(change: Change): Promise<void> {
    const serial = this.#state.serial + 1
    applyChange(this.#state, change, serial)
    const entry: Entry = { v: 1, serial, at: timestamp(this.#clock), ...change }
    const line = JSON.stringify(entry)
    this.#journalBytes += Buffer.byteLength(line) + 1
    await this.#journal.append(line)
  }

  /** Writes `state.json` when anything changed, and restarts the journal when it has grown long. */
  async checkpoint(): Promise<void> {
    if (this.#state.serial === this.#snapshotSerial) return
    await this.#mayWrite()
    const snapshot = join(this.#folder, 'state.json')
    await writeAtomically(this.#fs, snapshot, stateText(this.#state), { mode: PRIVATE_FILE })
    this.#snapshotSerial = this.#state.serial
    if (this.#journalBytes <= RESTART_JOURNAL_BYTES) return
    await this.#journal.close()
    const path = join(this.#folder, 'journal.ndjson')
    await writeAtomically(this.#fs, path, '', { mode: PRIVATE_FILE })
    this.#journal = await JournalWriter.open(this.#fs, path, 0, this.#mayWrite)
    this.#journalBytes = 0
  }

  async close(): Promise<void> {
    await this.#journal.close()
  }
}

function recordUnder<R>(records: ReadonlyMap<string, R>, key: string): R {
  const record = records.get(key)
  if (record === undefined) throw new RangeError(`no record under key ${key}`)
  return record
}

interface Recovered {
  readonly state: MutableState
  readonly snapshotSerial: number
  readonly wholeBytes: number
  readonly tornBytes: number
}

async function recover(fs: FileSystem, folder: string): Promise<Recovered> {
  const state = await readSnapshot(fs, folder)
  const snapshotSerial = state.serial
  const journal = await readJournal(fs, join(folder, 'journal.ndjson'))
  journal.lines.forEach((line, i) => {
    const entry = parseEntry(line)
    if (entry === null) throw stateUnreadable(`line ${i + 1} of journal.ndjson`, folder)
    if (entry.serial > state.serial) applyChange(state, entry, entry.serial)
  })
  await dropUnreadable(state)
  return { state, snapshotSerial, wholeBytes: journal.wholeBytes, tornBytes: journal.tornBytes }
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

async function readSnapshot(fs: FileSystem, folder: string): Promise<MutableState> {
  let text: string
  try {
    text = await fs.readFile(join(folder, 'state.json'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return emptyState()
    throw error
  }
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
    throw stateUnreadable('state.json', folder, cause)
  }
}

type MapValue<M> = M extends ReadonlyMap<string, infer V> ? V : never

/** One record per line, so that a person can read and compare states. */
function stateText(state: StudyState): string {
  const lines = (records: Iterable<unknown>): string => {
    const texts = [...records].map((record) => `    ${JSON.stringify(record)}`)
    return texts.length === 0 ? '[]' : `[\n${texts.join(',\n')}\n  ]`
  }
  return `{
  "state_version": 1,
  "serial": ${state.serial},
  "study_path": ${JSON.stringify(state.studyPath)},
  "uploads": ${lines(current(state.uploads.values(), new Set()))},
  "existing": ${lines(state.existing.values())},
  "generations": ${lines(current(state.generations.values(), new Set([...state.scenarios.values()].map((s) => s.key))))},
  "scenarios": ${lines(state.scenarios.values())},
  "seeds": ${lines(state.seeds)},
  "forced": ${lines(state.forced)},
  "estimates": ${lines(state.estimates.values())}
}
`
}

/** Leaves out records whose epoch is superseded, unless a stored artifact still refers to them. */
function* current<R extends { key: string; hash: string; label: string | null; epoch: number }>(
  records: Iterable<R>,
  referred: ReadonlySet<string>,
): Iterable<R> {
  const all = [...records]
  const newest = new Map<string, number>()
  const name = (r: R): string => `${r.hash} ${r.label ?? ''}`
  for (const r of all) newest.set(name(r), Math.max(newest.get(name(r)) ?? 0, r.epoch))
  for (const r of all) if (r.epoch === newest.get(name(r)) || referred.has(r.key)) yield r
}

/** Ids kept per piece of work: the last ones, enough for support. */
const MOST_REQUEST_IDS = 20

export function withRequestId(ids: readonly string[], id: string | null): readonly string[] {
  return id === null || ids.includes(id) ? ids : [...ids, id].slice(-MOST_REQUEST_IDS)
}
