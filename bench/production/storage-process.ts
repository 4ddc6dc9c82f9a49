import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ObjectStorage } from '../../src/objects/object-storage.ts'
import { lastingPort } from '../../test/service/served-process.ts'

/** The content of the bucket. */
export interface BucketContents {
  /** Keys, with the prefix. */
  readonly objects: readonly string[]
  /** Uploads in parts that are neither complete nor given up. */
  readonly uploads: readonly string[]
}

/** An S3-compatible server as a process. */
export class StorageProcess {
  readonly #folder: string
  readonly #port: number
  #child: ChildProcess | null = null
  #storage: ObjectStorage | null = null

  static async start(): Promise<StorageProcess> {
    const process = new StorageProcess(await mkdtemp(join(tmpdir(), 'whatif-bench-s3-')), await lastingPort())
    await process.start()
    return process
  }

  private constructor(folder: string, port: number) {
    this.#folder = folder
    this.#port = port
  }

  get storage(): ObjectStorage {
    return this.#storage as ObjectStorage
  }

  /** Again with the objects that were there. */
  async start(): Promise<void> {
    this.#child = fork(join(import.meta.dirname, 'storage-program.js'), [this.#folder, String(this.#port)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const [{ storage }] = (await once(this.#child, 'message')) as [{ storage: ObjectStorage }]
    this.#storage = storage
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  async kill(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  async contents(): Promise<BucketContents> {
    const child = this.#child as ChildProcess
    child.send('contents')
    return ((await once(child, 'message')) as [BucketContents])[0]
  }

  async close(): Promise<void> {
    await this.kill()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
