import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Model } from '../../engine/model.ts'
import { ModelFileError } from '../../engine/model-file.ts'
import type { OrderStore } from '../../engine/scenario/order-cache.ts'
import { decodeOrderOf, encodeOrderOf } from '../../engine/scenario/order-file.ts'
import { FILES_RESERVE_BYTES, freeSpace } from '../disk-space.ts'
import type { OrderFiles } from './cached-models.ts'

/**
 * The order of one generation as files. One that is damaged, of another model, or gone meanwhile is trained again; one that
 * cannot be written is used all the same.
 *
 * @param checksum Of the model's file.
 */
export function orderFiles({ keptPath, newPath }: OrderFiles, checksum: string): OrderStore {
  return {
    async load(model: Model, conditioned) {
      if (keptPath === null) return null
      try {
        return decodeOrderOf(model, checksum, conditioned, await readFile(keptPath))
      } catch (error) {
        if (error instanceof ModelFileError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    async save(model, _, order) {
      const bytes = encodeOrderOf(model, checksum, order)
      // What is kept free on the disk is worth more than an order.
      if (freeSpace(dirname(newPath)) - bytes.length < FILES_RESERVE_BYTES) return
      await writeFile(newPath, bytes, { mode: 0o600 }).catch(async () => {
        await rm(newPath, { force: true })
      })
    },
  }
}
