import { readFile } from 'node:fs/promises'
import type { Model } from '../../engine/model/model.ts'
import { decodeModel, modelChecksum } from '../../engine/model/model-file.ts'

/** Most cached decoded models, by number and by size of their files in bytes. */
const MAX_MODELS = 8
const MAX_BYTES = 256 * 1024 * 1024

export interface LoadedModel {
  readonly model: Model
  /** Of the model's file: cached data belong to exactly this model. */
  readonly checksum: string
}

interface Kept extends LoadedModel {
  readonly bytes: number
}

/**
 * Keeps the most recently used models in memory. The models that the engine trained for scenarios belong to the model
 * object, so they are kept and dropped with it.
 */
export class ModelCache {
  /** A Map iterates by insertion: the first entry is the least recently used one. */
  readonly #kept = new Map<string, Kept>()

  /** The model of a blob whose bytes are at `path`; blobs of models never change. */
  async load(blob: string, path: string): Promise<LoadedModel> {
    const known = this.#kept.get(blob)
    if (known !== undefined) {
      this.#kept.delete(blob)
      this.#kept.set(blob, known)
      return known
    }
    const bytes = await readFile(path)
    const loaded = { model: decodeModel(bytes), checksum: modelChecksum(bytes), bytes: bytes.length }
    this.#kept.set(blob, loaded)
    this.#trim()
    return loaded
  }

  #trim(): void {
    let total = 0
    for (const { bytes } of this.#kept.values()) total += bytes
    for (const [blob, { bytes }] of this.#kept) {
      // The newest entry stays, however large.
      if (this.#kept.size <= 1 || (this.#kept.size <= MAX_MODELS && total <= MAX_BYTES)) return
      this.#kept.delete(blob)
      total -= bytes
    }
  }
}
