import { join } from 'node:path'
import { about, type FileSystem, removeIfThere, writeAtomically } from '../../base/atomic-file.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'

/** Least time between two replacements of a manifest during a run. */
const INTERVAL_MS = 500
/**
 * Writing takes at most one part in this many of the time, so a manifest of 10,000 scenarios is replaced less often.
 */
const SHARE_OF_TIME = 20
/** The longest interval, even if a write seemed to take hours because the machine slept. */
const LONGEST_INTERVAL_MS = 10_000

export interface ManifestWriterOptions {
  readonly fs: FileSystem
  /** Folder of `manifest.json`; it exists. */
  readonly folder: string
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Called before each write; rejects when another run has taken over the folder. */
  readonly mayWrite: () => Promise<void>
  readonly onWritten: (path: string, final: boolean) => void
}

/**
 * Keeps `manifest.json` up to date during a run: replaced atomically, at most every half second, and once at the end.
 * Until then the previous manifest stays in the folder under another name, because a run without results has to restore
 * it, even on a full disk.
 */
export class ManifestWriter {
  readonly #options: ManifestWriterOptions
  readonly #path: string
  readonly #before: string
  readonly #closing = new AbortController()
  #begun = false
  #build: (() => Manifest) | null = null
  #loop: Promise<void> | null = null
  #nextWriteAt = Number.NEGATIVE_INFINITY

  constructor(options: ManifestWriterOptions) {
    this.#options = options
    this.#path = join(options.folder, 'manifest.json')
    this.#before = `${this.#path}.before`
  }

  /** Writes the first manifest of the run. Rejects when the folder is not writable: then nothing was changed. */
  async begin(manifest: Manifest): Promise<void> {
    const { fs, folder, now } = this.#options
    await fs.mkdir(join(folder, 'runs'), { recursive: true })
    await removeIfThere(fs, this.#before)
    await keepAside(fs, this.#path, this.#before)
    try {
      await this.#write(manifestText(manifest), false)
    } catch (error) {
      await removeIfThere(fs, this.#before).catch(() => {})
      throw error
    }
    this.#begun = true
    this.#nextWriteAt = now() + INTERVAL_MS
  }

  /** Reports a change. The result of `build` is written at the next opportunity. */
  touch(build: () => Manifest): void {
    if (this.#closing.signal.aborted) return
    this.#build = build
    this.#loop ??= this.#drain()
  }

  async #drain(): Promise<void> {
    const { now, sleep } = this.#options
    try {
      while (this.#build !== null && !this.#closing.signal.aborted) {
        const wait = this.#nextWriteAt - now()
        if (wait > 0) await sleep(wait, this.#closing.signal)
        const build = this.#build
        this.#build = null
        const beganAt = now()
        await this.#write(manifestText(build()), false)
        const pauseMs = Math.max(INTERVAL_MS, SHARE_OF_TIME * (now() - beganAt))
        this.#nextWriteAt = now() + Math.min(pauseMs, LONGEST_INTERVAL_MS)
      }
    } catch {
      // The end of the run interrupts the wait. A full disk may have room later, and the last write decides.
    } finally {
      this.#loop = null
    }
  }

  /** Stops writing. */
  async stop(): Promise<void> {
    this.#closing.abort()
    await this.#loop
  }

  /** The run had no results: restores the previous manifest. */
  async withdraw(): Promise<void> {
    await this.stop()
    if (!this.#begun) return
    const { fs, mayWrite } = this.#options
    await mayWrite()
    await fs.rename(this.#before, this.#path).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      await removeIfThere(fs, this.#path)
    })
  }

  /**
   * Restores the manifest of the previous run, because this run's record holds everything. False when the previous run
   * did not end: the manifest of a killed run still has the status `running`.
   */
  async handBack(): Promise<boolean> {
    await this.stop()
    if (!(await isOfEndedRun(this.#options.fs, this.#begun ? this.#before : this.#path))) return false
    await this.withdraw()
    return true
  }

  /** Writes `text` as the last manifest of the run. Rejects when it cannot be written. */
  async finish(text: string): Promise<void> {
    await this.stop()
    await this.#write(text, true)
    await removeIfThere(this.#options.fs, this.#before)
  }

  async #write(text: string, final: boolean): Promise<void> {
    await this.#options.mayWrite()
    await writeAtomically(this.#options.fs, this.#path, text)
    this.#options.onWritten(this.#path, final)
  }
}

/**
 * Makes a second name for a file, which needs no space, or a copy if the file system has no links. Does nothing if
 * there is no file.
 */
async function keepAside(fs: FileSystem, path: string, aside: string): Promise<void> {
  try {
    await fs.link(path, aside)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EXDEV', 'EMLINK'].includes(code ?? '')) throw about(error, path)
    await fs.copyFile(path, aside)
  }
}

async function isOfEndedRun(fs: FileSystem, path: string): Promise<boolean> {
  try {
    const { status } = JSON.parse(await fs.readFile(path, 'utf8')) as Partial<Manifest>
    return status === 'complete' || status === 'interrupted'
  } catch {
    return false
  }
}

/** Writes the run's own copy, `runs/<run id>.json`, to the folder of the manifest. */
export async function writeRunRecord(fs: FileSystem, folder: string, runId: string, text: string): Promise<void> {
  const runs = join(folder, 'runs')
  await fs.mkdir(runs, { recursive: true })
  await writeAtomically(fs, join(runs, `${runId}.json`), text)
}

/**
 * A manifest (or any JSON value) as text: keys sorted by UTF-16 code units, two spaces per level, line feeds, a final
 * one.
 */
export function manifestText(value: object): string {
  return `${write(value, '')}\n`
}

/** `JSON.stringify` writes whatever it can, seven times faster than this module: a run writes its manifest often. */
function write(value: unknown, indent: string): string {
  const sorted = inOrder(value)
  if (sorted !== UNSORTABLE) {
    const text = JSON.stringify(sorted, null, 2)
    return indent === '' ? text : text.replaceAll('\n', `\n${indent}`)
  }
  const inner = `${indent}  `
  if (Array.isArray(value)) return `[\n${value.map((item) => `${inner}${write(item, inner)}`).join(',\n')}\n${indent}]`
  const members = Object.entries(value as object)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, member]) => `${inner}${JSON.stringify(key)}: ${write(member, inner)}`)
  return `{\n${members.join(',\n')}\n${indent}}`
}

/** An object lists keys such as `10` and `9` numerically, whatever the sequence of insertion. */
const UNSORTABLE = Symbol('unsortable')

/** The value with the keys of all its objects sorted, or itself if they are; `UNSORTABLE` if they cannot be. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map(inOrder)
    if (items.includes(UNSORTABLE)) return UNSORTABLE
    return items.every((item, i) => item === value[i]) ? value : items
  }
  const object = value as Record<string, unknown>
  const keys = Object.keys(object)
  let isSame = areSorted(keys)
  if (!isSame) keys.sort()
  const sorted: Record<string, unknown> = Object.create(null)
  for (const key of keys) {
    const member = inOrder(object[key])
    if (member === UNSORTABLE) return UNSORTABLE
    isSame &&= member === object[key]
    sorted[key] = member
  }
  if (isSame) return object
  return areSorted(Object.keys(sorted)) ? sorted : UNSORTABLE
}

function areSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if (keys[i]! < keys[i - 1]!) return false
  return true
}
