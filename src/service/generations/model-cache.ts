import { readFile } from 'node:fs/promises'
import type { Model } from '../../engine/model/model.ts'
import { decodeModel, modelChecksum } from '../../engine/model/model-file.ts'

/** Decoded models kept at most, by number and by size of their files in bytes. */
const MAX_MODELS = 8
const MAX_BYTES = 256 * 1024 * 1024

export interface LoadedModel {
  readonly model: Model
  /** Of the model's file: what is cached belongs to exactly this model. */
  readonly checksum: string
}

interface Kept extends LoadedModel {
  readonly bytes: number
}

/**
 * Keeps the models used last, in memory. What scenarios made the engine train hangs on the model object, so that it is
 * kept and dropped with it.
 */
export class ModelCache {
  /** A Map keeps the order of insertion: the first entry is the one used longest ago. */
  readonly #kept = new Map<string, Kept>()

  /** The model of a blob whose bytes lie at `path`; blobs of models never change. */
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
      // The newest stays, however large.
      if (this.#kept.size <= 1 || (this.#kept.size <= MAX_MODELS && total <= MAX_BYTES)) return
      this.#kept.delete(blob)
      total -= bytes
    }
  }
}
