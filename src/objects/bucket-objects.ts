import { randomUUID } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import type { ObjectStorage } from './object-storage.ts'
import { readObject } from './read-object.ts'
import { type ConnectionOptions, S3Connection } from './s3-connection.ts'
import { PartBuffers, S3Upload } from './s3-upload.ts'
import { StorageError } from './storage-error.ts'

/** S3's own limit. */
const LISTED_AT_ONCE = 1000

/** A state of 50,000 scenarios has about 150 MB. */
const MAX_TEXT_BYTES = 512 * 1024 * 1024

/** The text of an object, and the version that a later replacement can be bound to. */
export interface VersionedText {
  readonly text: string
  readonly version: string
  /** How long ago it was written, by the clock of the storage alone; null: it does not say. */
  readonly ageMs: number | null
}

/**
 * Small texts in a bucket that several machines write by conditional requests (`If-None-Match`, `If-Match`), and files that are written
 * once. Keys are relative to the prefix of the storage. Rejects with StorageError.
 */
export class BucketObjects {
  readonly #connection: S3Connection
  readonly #prefix: string
  readonly #buffers = new PartBuffers()
  /** The form of a version in `If-Match`: older gateways of Ceph compare it without its quotes. `honoursConditions` finds out. */
  #versionForm: (version: string) => string = (version) => version

  constructor(storage: ObjectStorage, options: ConnectionOptions = {}) {
    this.#connection = new S3Connection(storage, options)
    this.#prefix = storage.prefix
  }

  /** Null when there is no such object. */
  async read(key: string): Promise<VersionedText | null> {
    const object = this.#prefix + key
    let headers = new Headers()
    const pieces: Buffer[] = []
    let bytes = 0
    try {
      for await (const piece of readObject(this.#connection, object, null, undefined, (opened) => {
        headers = opened
      })) {
        bytes += piece.length
        if (bytes > MAX_TEXT_BYTES) throw new StorageError(`${object} is longer than any state.`, UNREADABLE)
        pieces.push(piece)
      }
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ENOENT') return null
      throw error
    }
    const age = timeOf(headers, 'date') - timeOf(headers, 'last-modified')
    return {
      text: Buffer.concat(pieces).toString(),
      version: headers.get('etag') ?? '',
      ageMs: Number.isNaN(age) ? null : age,
    }
  }

  /** Writes an object, whether it is there or not. */
  async write(key: string, text: string): Promise<void> {
    await this.#put(key, text, {})
  }

  /** Writes an object that must not be there yet. Its version; null: it is there. */
  async create(key: string, text: string): Promise<string | null> {
    return await this.#put(key, text, { 'if-none-match': '*' })
  }

  /** Replaces the object if it still has this version. Its new version; null: it has another one, or is gone. */
  async replace(key: string, text: string, version: string): Promise<string | null> {
    return await this.#put(key, text, { 'if-match': this.#versionForm(version) })
  }

  /** Keys that begin with `start`, ascending. */
  async list(start: string): Promise<string[]> {
    const keys: string[] = []
    for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
      const page = await this.#connection.run({ request: `the listing of ${this.#prefix}${start}` }, async (s3) => {
        return await s3.listObjectsPaged('/', this.#prefix + start, LISTED_AT_ONCE, token)
      })
      token = page?.nextContinuationToken
      for (const { Key } of page?.objects ?? []) keys.push(String(Key).slice(this.#prefix.length))
    }
    return keys.sort()
  }

  async remove(key: string): Promise<void> {
    const object = this.#prefix + key
    await this.#connection.run({ request: `DELETE ${object}` }, async (s3) => await s3.deleteObject(object))
  }

  /** Stores a file under a name that only this content has, unless it is there. */
  async upload(key: string, path: string): Promise<void> {
    const object = this.#prefix + key
    if (await this.#has(object)) return
    const file = await open(path, 'r')
    const upload = new S3Upload(this.#connection, this.#buffers, object, file)
    try {
      await upload.finish((await stat(path)).size)
    } catch (error) {
      await upload.abort()
      throw error
    } finally {
      await file.close()
    }
  }

  /** Writes an object to a new file. False: there is no such object, and no file either. */
  async download(key: string, path: string): Promise<boolean> {
    if (!(await this.#has(this.#prefix + key))) return false
    const file = await open(path, 'wx', 0o644)
    try {
      for await (const piece of readObject(this.#connection, this.#prefix + key, null)) await file.writeFile(piece)
      await file.sync()
      return true
    } finally {
      await file.close()
    }
  }

  /**
   * Whether the bucket keeps to both conditions; false for one that ignores or refuses them, where two machines could overwrite each
   * other's writes unnoticed.
   */
  async honoursConditions(folder: string): Promise<boolean> {
    for (let tries = 0; tries < PROBES; tries++) {
      const key = `${folder}checks/${randomUUID()}`
      try {
        const found = await this.#probe(key)
        if (found !== 'unclear') return found === 'kept'
      } catch (error) {
        // The operation or one of its headers is unknown.
        if (error instanceof StorageError && (error.status === 501 || UNKNOWN_HEADER.has(error.code))) return false
        throw error
      } finally {
        await this.remove(key).catch(() => {})
      }
    }
    return false
  }

  /** `unclear`: a write that should have succeeded did not, perhaps because its answer was lost and it was repeated. */
  async #probe(key: string): Promise<'kept' | 'ignored' | 'unclear'> {
    const version = await this.create(key, 'whatif')
    if (version === null || version === '') return 'unclear'
    if ((await this.create(key, 'twice')) !== null) return 'ignored'
    for (const form of VERSION_FORMS) {
      this.#versionForm = form
      if ((await this.replace(key, 'other', OTHER_VERSION)) !== null) return 'ignored'
      if ((await this.replace(key, 'again', version)) !== null) return 'kept'
    }
    return 'unclear'
  }

  async close(): Promise<void> {
    await this.#connection.close()
  }

  async #put(key: string, text: string, headers: Readonly<Record<string, string>>): Promise<string | null> {
    const object = this.#prefix + key
    let version = ''
    const call = {
      request: `PUT ${object}`,
      headers,
      onReply: (_status: number, replied: Headers) => {
        version = replied.get('etag') ?? ''
      },
    }
    try {
      await this.#connection.run(call, async (s3) => await s3.putObject(object, Buffer.from(text)))
      return version
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      // A replacement of what is gone is 404 on some storages.
      if (error.status === 412 || (error.status === 404 && error.code === 'NoSuchKey')) return null
      throw error
    }
  }

  async #has(object: string): Promise<boolean> {
    try {
      await this.#connection.run({ request: `HEAD ${object}` }, async (s3) => await s3.objectExists(object))
      return true
    } catch (error) {
      if (error instanceof StorageError && error.status === 404) return false
      throw error
    }
  }
}

/** Most probes of a storage whose answers are lost. */
const PROBES = 4
const UNKNOWN_HEADER = new Set(['NotImplemented', 'InvalidArgument', 'InvalidRequest'])
/** Of no object. */
const OTHER_VERSION = '"0123456789abcdef0123456789abcdef"'

const VERSION_FORMS = [(version: string) => version, (version: string) => version.replaceAll('"', '')]

const UNREADABLE = { status: null, code: 'unreadable', isTransient: false }

const timeOf = (headers: Headers, name: string): number => Date.parse(headers.get(name) ?? '')
