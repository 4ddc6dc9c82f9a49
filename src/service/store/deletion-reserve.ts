import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FILES_RESERVE_BYTES, freeSpace, MIB } from '../disk/disk-space.ts'

/**
 * Less than the free space that the database needs before it writes. Freed on a full disk, it allows deletions and
 * nothing else.
 */
const SIZE_BYTES = 40 * MIB

/**
 * A file that reserves space and is deleted when there is none for deleting. Whatever fills the disk, even another
 * program, stored data can then be deleted, which frees space. The file is created again when there is plenty.
 */
export class DeletionReserve {
  readonly #folder: string
  readonly #path: string
  #isThere: boolean
  #changing: Promise<void> | null = null
  /** After a failure this process does not try again, because every statement would. */
  #hasFailed = false

  constructor(folder: string) {
    this.#folder = folder
    this.#path = join(folder, 'deletion-reserve')
    this.#isThere = statSync(this.#path, { throwIfNoEntry: false })?.size === SIZE_BYTES
  }

  /** Frees the space; resolves when it is free. */
  async giveUp(): Promise<void> {
    await this.settled()
    this.#isThere = false
    await rm(this.#path, { force: true })
  }

  /** Starts creating the file if it is missing and there is space in addition to the reserve. Nothing waits for it. */
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

  /** Resolves when no file is being created. */
  async settled(): Promise<void> {
    await this.#changing
  }

  async #make(): Promise<void> {
    // Random bytes, because a compressing file system would reserve no space for zeros.
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
