import { rm } from 'node:fs/promises'

/** Total size of unused copies, in bytes... */
const MAX_IDLE_BYTES = 1 << 30
/** ...and how long they stay after their last use: deleted data should not linger. */
const MAX_IDLE_MS = 5 * 60_000

interface Copy {
  readonly path: string
  /** Resolves with the size in bytes once the file is complete. */
  readonly ready: Promise<number>
  bytes: number
  users: number
  isDropped: boolean
  expiry: NodeJS.Timeout | null
}

/** Local files that hold remote blobs: one per blob, shared by all that use it at the same time. */
export class LocalCopies {
  /** Least recently used first. */
  readonly #copies = new Map<string, Copy>()

  /** Calls `use` with the path of a copy. If there is none, `download` makes it at `path`. */
  async use<T>(
    key: string,
    path: string,
    download: (path: string) => Promise<number>,
    use: (path: string) => Promise<T>,
  ): Promise<T> {
    const copy = this.#copies.get(key) ?? this.#begin(key, path, download(path))
    copy.users++
    if (copy.expiry !== null) clearTimeout(copy.expiry)
    try {
      copy.bytes = await copy.ready
      return await use(copy.path)
    } finally {
      copy.users--
      await this.#release(key, copy)
    }
  }

  /** Adopts a file as the copy of a blob. */
  async add(key: string, path: string, bytes: number): Promise<void> {
    await this.drop(key)
    await this.#release(key, Object.assign(this.#begin(key, path, Promise.resolve(bytes)), { bytes }))
  }

  /** Forgets a copy; its file is removed now, or when its last user has finished. */
  async drop(key: string): Promise<void> {
    const copy = this.#copies.get(key)
    if (copy === undefined) return
    this.#copies.delete(key)
    copy.isDropped = true
    await this.#release(key, copy)
  }

  /** Forgets all copies. */
  async close(): Promise<void> {
    for (const key of [...this.#copies.keys()]) await this.drop(key)
  }

  #begin(key: string, path: string, ready: Promise<number>): Copy {
    const copy: Copy = { path, ready, bytes: 0, users: 0, isDropped: false, expiry: null }
    this.#copies.set(key, copy)
    ready.catch(() => {
      copy.isDropped = true
      if (this.#copies.get(key) === copy) this.#copies.delete(key)
    })
    return copy
  }

  async #release(key: string, copy: Copy): Promise<void> {
    if (copy.users > 0) return
    if (copy.expiry !== null) clearTimeout(copy.expiry)
    if (copy.isDropped) {
      await rm(copy.path, { force: true })
      return
    }
    this.#copies.delete(key)
    this.#copies.set(key, copy)
    copy.expiry = setTimeout(() => void this.drop(key).catch(() => undefined), MAX_IDLE_MS)
    copy.expiry.unref()
    let idleBytes = 0
    for (const { users, bytes } of this.#copies.values()) if (users === 0) idleBytes += bytes
    for (const [oldest, { users, bytes }] of [...this.#copies]) {
      if (idleBytes <= MAX_IDLE_BYTES) return
      if (users > 0) continue
      idleBytes -= bytes
      await this.drop(oldest)
    }
  }
}
