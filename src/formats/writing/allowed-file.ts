import { type FileHandle, open, rm } from 'node:fs/promises'
import type { WriteAllowance } from './table-writer.ts'

/** A new file, of its owner alone, that takes what its allowance gives. */
export class AllowedFile {
  readonly #path: string
  readonly #file: FileHandle
  readonly #allowance: WriteAllowance | undefined
  #open = true

  private constructor(path: string, file: FileHandle, allowance: WriteAllowance | undefined) {
    this.#path = path
    this.#file = file
    this.#allowance = allowance
  }

  static async open(path: string, allowance: WriteAllowance | undefined): Promise<AllowedFile> {
    return new AllowedFile(path, await open(path, 'w', 0o600), allowance)
  }

  requireOpen(): void {
    if (!this.#open) throw new Error('the writer is closed')
  }

  async append(bytes: Uint8Array): Promise<void> {
    this.#allowance?.take(bytes.length)
    await this.#file.writeFile(bytes)
  }

  /** Appends the last bytes and closes the file, also where they cannot be written. A second call does nothing. */
  async close(lastBytes?: () => Uint8Array): Promise<void> {
    if (!this.#open) return
    this.#open = false
    try {
      if (lastBytes !== undefined) await this.append(lastBytes())
    } finally {
      await this.#file.close()
    }
  }

  async remove(): Promise<void> {
    await this.close()
    await rm(this.#path, { force: true })
  }
}
