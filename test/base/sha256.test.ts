import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashFile } from '../../src/base/sha256.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whatif-hash-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('the hash of a file', () => {
  it.each([0, 1, 1024 * 1024, 3 * 1024 * 1024 + 5])(
    'of %i bytes is the SHA-256 of its bytes, with its size',
    async (size) => {
      const path = join(folder, 'seed')
      const bytes = randomBytes(size)
      await writeFile(path, bytes)
      const seen: number[] = []
      expect(await hashFile(path, { onProgress: (count) => seen.push(count) })).toEqual({
        sha256: createHash('sha256').update(bytes).digest('hex'),
        sizeBytes: size,
      })
      expect(seen.at(-1)).toBe(size === 0 ? undefined : size)
    },
  )

  it('refuses a path that is not a regular file', async () => {
    await expect(hashFile(folder)).rejects.toThrow('is not a regular file')
    await expect(hashFile('/dev/null')).rejects.toThrow('is not a regular file')
    await expect(hashFile(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('ends with the reason of an abort', async () => {
    const path = join(folder, 'seed')
    await writeFile(path, randomBytes(3 * 1024 * 1024))
    const reason = new Error('enough')
    const control = new AbortController()
    const call = hashFile(path, { signal: control.signal, onProgress: () => control.abort(reason) })
    await expect(call).rejects.toBe(reason)
  })
})
