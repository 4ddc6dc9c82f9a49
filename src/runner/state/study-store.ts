import { join } from 'node:path'
import { type FileSystem, writeAtomically } from '../../base/atomic-file.ts'
import { type Clock, timestamp } from '../../base/clock.ts'
import { sharedWork } from '../../base/shared-work.ts'
import type { UploadRecord } from '../../records/state/datasets.ts'
import type { GenerationRecord } from '../../records/state/generations.ts'
import { PRIVATE_FILE } from '../files/project-paths.ts'
import type { StudyState } from '../plan/study-state.ts'
import { applyChange, type Change, type Entry, JournalWriter, type MutableState } from './journal.ts'
import { type Recovered, recover } from './recover-state.ts'
import type { StateMirror } from './state-mirror.ts'

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
  /** A second place of the state, which is written first; absent: the folder is the only one. */
  readonly mirror?: StateMirror | undefined
}

export class StudyStore {
  readonly #fs: FileSystem
  readonly #folder: string
  readonly #clock: Clock
  readonly #mayWrite: () => Promise<void>
  readonly #mirror: StateMirror | undefined
  readonly #state: MutableState
  #journal: JournalWriter
  #journalBytes: number
  #snapshotSerial: number
  /** Bytes of a torn last line that were cut when the store was opened. */
  readonly cutBytes: number
  /** Concurrent calls share one snapshot. */
  readonly #shorten = sharedWork(async () => {
    await this.#mayWrite()
    if (this.#mirror?.isLong()) await this.publish()
  })

  private constructor({ fs, folder, clock, mayWrite, mirror }: StoreOptions, from: Recovered, journal: JournalWriter) {
    this.#fs = fs
    this.#folder = folder
    this.#clock = clock
    this.#mayWrite = mayWrite
    this.#mirror = mirror
    this.#state = from.state
    this.#journal = journal
    this.#journalBytes = from.wholeBytes
    this.#snapshotSerial = from.snapshotSerial
    this.cutBytes = from.tornBytes
  }

  /** The caller holds the lock of `folder`, which exists. */
  static async open(options: StoreOptions): Promise<StudyStore> {
    const { fs, folder } = options
    const recovered = await recover(fs, folder)
    const journal = await JournalWriter.open(fs, join(folder, 'journal.ndjson'), recovered.wholeBytes, options)
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
    if (this.#mirror?.isLong()) await this.#shorten()
  }

  /** Writes `state.json` when anything changed, and restarts the journal when it has grown long. */
  async checkpoint(): Promise<void> {
    if (this.#state.serial === this.#snapshotSerial) return
    await this.#mayWrite()
    const snapshot = join(this.#folder, 'state.json')
    const text = stateText(this.#state)
    await this.#mirror?.snapshot(text)
    await writeAtomically(this.#fs, snapshot, text, { mode: PRIVATE_FILE })
    this.#snapshotSerial = this.#state.serial
    if (this.#journalBytes <= RESTART_JOURNAL_BYTES) return
    await this.#journal.close()
    const path = join(this.#folder, 'journal.ndjson')
    await writeAtomically(this.#fs, path, '', { mode: PRIVATE_FILE })
    this.#journal = await JournalWriter.open(this.#fs, path, 0, { mayWrite: this.#mayWrite, mirror: this.#mirror })
    this.#journalBytes = 0
  }

  /** Puts the whole state into its second place. */
  async publish(): Promise<void> {
    await this.#mirror?.snapshot(stateText(this.#state))
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
