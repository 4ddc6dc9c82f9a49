import { about, type FileSystem } from '../../base/atomic-file.ts'
import type { ExistingRecord, UploadRecord } from '../../records/state/datasets.ts'
import type { EstimateRecord } from '../../records/state/estimates.ts'
import type { GenerationRecord, ScenarioRecord } from '../../records/state/generations.ts'
import { PRIVATE_FILE } from '../files/project-paths.ts'
import type { emptyState } from '../plan/study-state.ts'
import type { StateMirror } from './state-mirror.ts'

/**
 * A change of the state, as one line of the journal. `set` holds the fields that change; the first entry for an id
 * holds all of them.
 */
export type Change =
  | { readonly kind: 'study'; readonly path: string }
  | { readonly kind: 'upload'; readonly id: string; readonly set: Partial<UploadRecord>; readonly forced?: boolean }
  | {
      readonly kind: 'generation'
      readonly id: string
      readonly set: Partial<GenerationRecord>
      readonly forced?: boolean
    }
  /** A request that was prepared and never sent: its previous record is restored. */
  | { readonly kind: 'withdrawn'; readonly id: string; readonly before: GenerationRecord | null }
  | { readonly kind: 'existing'; readonly id: string; readonly set: Partial<ExistingRecord> }
  | { readonly kind: 'scenario'; readonly id: string; readonly set: ScenarioRecord }
  /** A seed drawn for a scenario; null once the scenario is done. */
  | { readonly kind: 'seed'; readonly id: string; readonly seed: number | null }
  /** The answer about a difference; null removes it. */
  | { readonly kind: 'estimate'; readonly id: string; readonly set: EstimateRecord | null }
  /** A run ended with nothing pending: its forced work may be forced again. */
  | { readonly kind: 'settled' }

/** `Change` with its serial number and its time. */
export type Entry = Change & { readonly v: 1; readonly serial: number; readonly at: string }

/** The state while it is being changed. */
export type MutableState = ReturnType<typeof emptyState>

/** Applies a change. Records are replaced, never altered, so a reference to a record never changes. */
export function applyChange(state: MutableState, change: Change, serial: number): void {
  state.serial = serial
  switch (change.kind) {
    case 'study':
      state.studyPath = change.path
      return
    case 'upload':
      merge(state.uploads, change.id, change.set)
      if (change.forced) state.forced.add(change.id)
      return
    case 'generation':
      merge(state.generations, change.id, change.set)
      if (change.forced) state.forced.add(change.id)
      return
    case 'withdrawn':
      if (change.before === null) state.generations.delete(change.id)
      else state.generations.set(change.id, change.before)
      return
    case 'existing':
      merge(state.existing, change.id, change.set)
      return
    case 'scenario':
      state.scenarios.set(change.id, change.set)
      return
    case 'seed':
      if (change.seed === null) state.seeds.delete(change.id)
      else state.seeds.set(change.id, change.seed)
      return
    case 'estimate':
      // Appended after the others, which are older.
      state.estimates.delete(change.id)
      if (change.set !== null) state.estimates.set(change.id, change.set)
      return
    case 'settled':
      state.forced.clear()
      return
  }
}

function merge<R extends object>(records: Map<string, R>, id: string, set: Partial<R>): void {
  records.set(id, { ...records.get(id), ...set } as R)
}

/**
 * The lines of an append-only file, and how many of its bytes are complete. An interrupted write (crash, full disk)
 * leaves a last line without its line feed; that line is not part of the content.
 */
export async function readJournal(
  fs: FileSystem,
  path: string,
): Promise<{ lines: string[]; wholeBytes: number; tornBytes: number }> {
  let content: Buffer
  try {
    content = await fs.readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { lines: [], wholeBytes: 0, tornBytes: 0 }
    throw error
  }
  const wholeBytes = content.lastIndexOf(0x0a) + 1
  const lines = content.subarray(0, wholeBytes).toString('utf8').split('\n')
  lines.pop()
  return { lines, wholeBytes, tornBytes: content.length - wholeBytes }
}

export interface JournalOptions {
  /** Called before each write; rejects when the file is no longer this writer's. */
  readonly mayWrite: () => Promise<void>
  /** Has the lines before the file. */
  readonly mirror?: StateMirror | undefined
}

/**
 * Appends lines and resolves each append once its line is forced to disk. Appends that arrive during a flush share the
 * next write, so that many concurrent scenarios do not wait for one disk flush each.
 */
export class JournalWriter {
  readonly #file: Awaited<ReturnType<FileSystem['open']>>
  readonly #path: string
  readonly #mayWrite: () => Promise<void>
  readonly #mirror: StateMirror | undefined
  #waiting: { line: string; resolve: () => void; reject: (error: unknown) => void }[] = []
  #writing: Promise<void> | null = null
  /** After a failed write nothing more is appended: the file may end in half a line. */
  #failure: { error: unknown } | null = null

  private constructor(
    file: Awaited<ReturnType<FileSystem['open']>>,
    path: string,
    { mayWrite, mirror }: JournalOptions,
  ) {
    this.#file = file
    this.#path = path
    this.#mayWrite = mayWrite
    this.#mirror = mirror
  }

  /**
   * Opens for appending after cutting everything after the first `wholeBytes`.
   */
  static async open(fs: FileSystem, path: string, wholeBytes: number, options: JournalOptions): Promise<JournalWriter> {
    const file = await fs.open(path, 'a', PRIVATE_FILE)
    try {
      const { size } = await file.stat()
      if (size > wholeBytes) {
        await file.truncate(wholeBytes)
        await file.sync()
      }
    } catch (error) {
      await file.close()
      throw error
    }
    return new JournalWriter(file, path, options)
  }

  append(line: string): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure.error)
    const done = new Promise<void>((resolve, reject) => this.#waiting.push({ line, resolve, reject }))
    this.#writing ??= this.#drain()
    return done
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Changes that arrive during this check join the write.
      const refusal = await this.#mayWrite().then(
        () => null,
        (error: unknown) => ({ error }),
      )
      this.#failure ??= refusal
      const batch = this.#waiting
      this.#waiting = []
      try {
        if (this.#failure !== null) throw this.#failure.error
        await this.#mirror?.append(batch.map(({ line }) => line))
        await this.#file.appendFile(batch.map((w) => `${w.line}\n`).join(''), 'utf8')
        await this.#file.sync()
        for (const { resolve } of batch) resolve()
      } catch (error) {
        this.#failure ??= { error: about(error, this.#path) }
        for (const { reject } of batch) reject(this.#failure.error)
      }
    }
    this.#writing = null
  }

  async close(): Promise<void> {
    await this.#writing
    await this.#file.close()
  }
}
