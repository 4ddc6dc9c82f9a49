import { readFile, writeFile } from 'node:fs/promises'
import type { SharedStore } from '../../src/runner/interface/shared-store.ts'

export interface MemoryStore extends SharedStore {
  readonly objects: Map<string, { readonly bytes: Buffer; readonly version: string; readonly ageMs?: number }>
  /** Every request, such as `create main/demo/embedded/lock`. */
  readonly log: string[]
  /** Called before each request; what it throws is the answer. */
  onRequest: (line: string) => void | Promise<void>
}

/** A store with conditional writes, in memory. */
export function memoryStore(): MemoryStore {
  const objects: MemoryStore['objects'] = new Map()
  const log: string[] = []
  let count = 0
  const put = (key: string, bytes: Buffer): string => {
    const version = `v${++count}`
    objects.set(key, { bytes, version })
    return version
  }
  const store: MemoryStore = {
    objects,
    log,
    onRequest: () => {},
    async read(key) {
      await asked(`read ${key}`)
      const found = objects.get(key)
      return found === undefined
        ? null
        : { text: found.bytes.toString(), version: found.version, ageMs: found.ageMs ?? null }
    },
    async write(key, text) {
      await asked(`write ${key}`)
      put(key, Buffer.from(text))
    },
    async create(key, text) {
      await asked(`create ${key}`)
      return objects.has(key) ? null : put(key, Buffer.from(text))
    },
    async replace(key, text, version) {
      await asked(`replace ${key}`)
      return objects.get(key)?.version === version ? put(key, Buffer.from(text)) : null
    },
    async list(start) {
      await asked(`list ${start}`)
      return [...objects.keys()].filter((key) => key.startsWith(start)).sort()
    },
    async remove(key) {
      await asked(`remove ${key}`)
      objects.delete(key)
    },
    async upload(key, path) {
      await asked(`upload ${key}`)
      if (!objects.has(key)) put(key, await readFile(path))
    },
    async download(key, path) {
      await asked(`download ${key}`)
      const found = objects.get(key)
      if (found === undefined) return false
      await writeFile(path, found.bytes, { flag: 'wx' })
      return true
    },
    requireConditions: async () => {},
    close: async () => {},
  }
  async function asked(line: string): Promise<void> {
    log.push(line)
    await store.onRequest(line)
  }
  return store
}
