import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, constants, type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { ByteRange } from '../../objects/read-object.ts'
import { FILES_RESERVE_BYTES, requireFreeSpace } from '../disk/disk-space.ts'
import {
  type BlobStore,
  checkBlobKey,
  isBlobKey,
  type ListedBlob,
  type Removal,
  type StoredBlob,
} from './blob-store.ts'
import { ScratchFolder, type ScratchOptions } from './scratch-folder.ts'
import { writeHashed } from './write-hashed.ts'

const SCRATCH_FOLDER = 'scratch'
const HASH_CHUNK_BYTES = 1 << 20

/**
 * Blobs as files under `root`, `root/seeds/ds_...` for the key `seeds/ds_...`. A blob is written to a scratch file,
 * forced to disk and renamed to its place; then the folder is forced to disk. So it is complete or absent even after a
 * power cut. `put` stops with `DISK_FULL` before the disk is full. Several processes may share `root`.
 */
export async function openFileBlobStore(root: string, options: ScratchOptions = {}): Promise<BlobStore> {
  return new FileBlobStore(root, await ScratchFolder.open(join(root, SCRATCH_FOLDER), options))
}

class FileBlobStore implements BlobStore {
  readonly #root: string
  readonly #scratch: ScratchFolder

  constructor(root: string, scratch: ScratchFolder) {
    this.#root = root
    this.#scratch = scratch
  }

  async put(
    key: string,
    source: AsyncIterable<Uint8Array>,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<StoredBlob> {
    const target = this.#pathOf(key)
    const draft = this.scratchPath()
    const file = await open(draft, 'wx', 0o600)
    let isOpen = true
    try {
      const stored = await writeHashed(file, source, { folder: this.#scratch.path, signal: options.signal })
      await file.sync()
      await file.close()
      isOpen = false
      await this.#publish(draft, target)
      return stored
    } catch (error) {
      if (isOpen) await file.close().catch(() => undefined)
      await rm(draft, { force: true })
      throw error
    }
  }

  scratchPath(): string {
    return this.#scratch.newPath()
  }

  async adopt(key: string, scratchPath: string): Promise<StoredBlob> {
    const target = this.#pathOf(key)
    const file = await open(scratchPath, 'r+')
    let stored: StoredBlob
    try {
      // Its writer may have left it readable to others.
      await file.chmod(0o600)
      const hash = createHash('sha256')
      const chunk = Buffer.allocUnsafe(HASH_CHUNK_BYTES)
      let bytes = 0
      for (;;) {
        const { bytesRead } = await file.read(chunk, 0, chunk.length, bytes)
        if (bytesRead === 0) break
        hash.update(chunk.subarray(0, bytesRead))
        bytes += bytesRead
      }
      await file.sync()
      stored = { bytes, sha256: hash.digest('hex') }
    } finally {
      await file.close()
    }
    await this.#publish(scratchPath, target)
    return stored
  }

  async size(key: string): Promise<number | null> {
    try {
      return (await stat(this.#pathOf(key))).size
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }

  async *list(): AsyncGenerator<readonly ListedBlob[], void, undefined> {
    for (const folder of await readdir(this.#root)) {
      const names = folder === SCRATCH_FOLDER ? [] : await readdir(join(this.#root, folder)).catch(() => [])
      const listed: ListedBlob[] = []
      for (const key of names.map((name) => `${folder}/${name}`).filter(isBlobKey)) {
        const bytes = await this.size(key)
        if (bytes !== null) listed.push({ key, bytes })
      }
      yield listed
    }
  }

  read(key: string, range?: ByteRange): Readable {
    // createReadStream's `end` is inclusive and cannot express an empty range.
    if (range !== undefined && range.end <= range.start) throw new RangeError('a range of a blob holds at least a byte')
    return createReadStream(
      this.#pathOf(key),
      range === undefined
        ? { highWaterMark: HASH_CHUNK_BYTES }
        : { start: range.start, end: range.end - 1, highWaterMark: HASH_CHUNK_BYTES },
    )
  }

  async withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T> {
    return await use(this.#pathOf(key))
  }

  async delete(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true })
  }

  async remove(keys: readonly string[], signal: AbortSignal): Promise<Removal> {
    const removed: string[] = []
    let error: Error | null = null
    for (const key of keys) {
      if (signal.aborted) break
      try {
        await this.delete(key)
        removed.push(key)
      } catch (failure) {
        error ??= failure as Error
      }
    }
    return { removed, error }
  }

  async downloadAddress(): Promise<null> {
    return null
  }

  async check(): Promise<void> {
    await access(this.#scratch.path, constants.W_OK)
    requireFreeSpace(this.#scratch.path, FILES_RESERVE_BYTES)
  }

  async close(): Promise<void> {
    this.#scratch.close()
  }

  #pathOf(key: string): string {
    checkBlobKey(key)
    return join(this.#root, key)
  }

  async #publish(draft: string, target: string): Promise<void> {
    const folder = dirname(target)
    if ((await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined) await syncFolder(this.#root)
    await rename(draft, target)
    await syncFolder(folder)
  }
}

/** A rename is durable only once its folder is; systems that cannot open folders (Windows) do without. */
async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle
  try {
    folder = await open(path, 'r')
  } catch (error) {
    if (process.platform === 'win32') return
    throw error
  }
  try {
    await folder.sync()
  } catch (error) {
    // Some network file systems refuse to sync a folder, and there is no alternative.
    if (!['EINVAL', 'EPERM', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    await folder.close()
  }
}
