import { createHash, randomBytes } from 'node:crypto'
import { fstatSync } from 'node:fs'
import { type FileHandle, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeHashed } from '../../../src/service/blobs/write-hashed.ts'

const KIB = 1024
const BYTES = randomBytes(1700 * KIB + 1)

let folder: string
let file: FileHandle
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whatif-written-'))
})
afterAll(async () => await rm(folder, { recursive: true }))
beforeEach(async () => {
  file = await open(join(folder, 'file'), 'w')
})
afterEach(async () => await file.close())

/** Yields the bytes in pieces of one size; the memory of each is used again for the next, as a source may do. */
async function* pieces(bytes: Buffer, size: number, onPull: () => void = () => undefined): AsyncGenerator<Uint8Array> {
  const piece = Buffer.alloc(size)
  for (let at = 0; at < bytes.length; at += size) {
    onPull()
    yield piece.subarray(0, bytes.copy(piece, 0, at, at + size))
  }
}

describe('bytes that are written and hashed', () => {
  it.each([7, 64 * KIB, 300_007, 128 * KIB - 1, 128 * KIB, 128 * KIB + 1, 1200 * KIB, BYTES.length])(
    'are the bytes that came in pieces of %i bytes',
    async (size) => {
      const stored = await writeHashed(file, pieces(BYTES, size), { folder })
      expect(stored).toEqual({ bytes: BYTES.length, sha256: createHash('sha256').update(BYTES).digest('hex') })
      expect(BYTES.equals(await readFile(join(folder, 'file')))).toBe(true)
    },
  )

  it('are reported when they are in the file, to the last byte', async () => {
    const reported: number[] = []
    await writeHashed(file, pieces(BYTES, 100 * KIB), {
      folder,
      onWritten: (bytes) => {
        expect(fstatSync(file.fd).size).toBe(bytes)
        reported.push(bytes)
      },
    })
    expect(reported).toEqual([...reported].sort((a, b) => a - b))
    expect(reported.at(-1)).toBe(BYTES.length)
  })

  it('are read no further when the file cannot be written', async () => {
    const readOnly = await open(join(folder, 'file'), 'r')
    let pulled = 0
    try {
      const endless = pieces(Buffer.alloc(64 << 20), 64 * KIB, () => pulled++)
      await expect(writeHashed(readOnly, endless, { folder })).rejects.toMatchObject({ code: 'EBADF' })
    } finally {
      await readOnly.close()
    }
    expect(pulled * 64 * KIB).toBeLessThanOrEqual(2 * 128 * KIB)
  })
})
