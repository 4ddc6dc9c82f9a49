import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FILES_RESERVE_BYTES, freeSpace, MIB } from '../disk/disk-space.ts'

/**
 * Less than what the database wants free before it writes: given up on a disk without a free byte, it lets deletions go on,
 * and nothing else.
 */
const SIZE_BYTES = 40 * MIB

/**
 * A file that takes room and is given up when there is none for deleting. Whatever fills the disk, another program too,
 * what is stored can then be deleted, which makes room. It is made again when there is plenty.
 */
export class DeletionReserve {
  readonly #folder: string
  readonly #path: string
  #isThere: boolean
  #changing: Promise<void> | null = null
  /** Not tried again by this process: it would be tried at every statement. */
  #hasFailed = false

  constructor(folder: string) {
    this.#folder = folder
    this.#path = join(folder, 'deletion-reserve')
    this.#isThere = statSync(this.#path, { throwIfNoEntry: false })?.size === SIZE_BYTES
  }

  /** Gives the room up; resolves when it is free. */
  async giveUp(): Promise<void> {
    await this.settled()
    this.#isThere = false
    await rm(this.#path, { force: true })
  }

  /** Begins to make the file when it is not there and there is room beside what is kept free. Nobody waits for it. */
  restore(): void {
    if (this.#isThere || this.#hasFailed || this.#changing !== null) return
    if (freeSpace(this.#folder) < FILES_RESERVE_BYTES + SIZE_BYTES) return
    this.#changing = this.#make()
      .catch(async () => {
        this.#hasFailed = true
        await rm(this.#path, { force: true }).catch(() => undefined)
      })
      .finally(() => {
        this.#changing = null
      })
  }

  /** Resolves when nothing is being made. */
  async settled(): Promise<void> {
    await this.#changing
  }

  async #make(): Promise<void> {
    // Random: a file system that packs files would keep no room for zeros.
    const block = randomBytes(MIB)
    const file = await open(this.#path, 'w', 0o600)
    try {
      for (let written = 0; written < SIZE_BYTES; written += MIB) await file.write(block)
      await file.sync()
    } finally {
      await file.close()
    }
    this.#isThere = true
  }
}
