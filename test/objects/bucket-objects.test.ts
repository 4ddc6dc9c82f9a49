import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BucketObjects } from '../../src/objects/bucket-objects.ts'
import { S3Server } from '../service/storage/s3-server.ts'

let server: S3Server
let objects: BucketObjects
let folder: string

beforeEach(async () => {
  server = await S3Server.start('state/')
  objects = new BucketObjects(server.storage, { backoffMs: 1 })
  folder = await mkdtemp(join(tmpdir(), 'whatif-objects-'))
})

afterEach(async () => {
  await objects.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

describe('texts of a bucket', () => {
  it('are created once, replaced by who knows their version, and say how old they are', async () => {
    expect(await objects.read('main/lock')).toBeNull()
    const first = await objects.create('main/lock', 'one')
    expect(first).toMatch(/^".+"$/)
    expect(await objects.create('main/lock', 'two')).toBeNull()
    expect(await objects.replace('main/lock', 'three', '"00000000000000000000000000000000"')).toBeNull()
    const second = await objects.replace('main/lock', 'four', String(first))
    const found = await objects.read('main/lock')
    expect(found).toMatchObject({ text: 'four', version: second })
    expect(found?.ageMs).toBeGreaterThanOrEqual(0)
    expect(found?.ageMs).toBeLessThan(60_000)
    expect(await objects.replace('main/gone', 'x', String(second))).toBeNull()
    await objects.write('main/lock', 'five')
    expect((await objects.read('main/lock'))?.text).toBe('five')
    await objects.remove('main/lock')
    expect(await objects.read('main/lock')).toBeNull()
  })

  it('are created by one of many at once', async () => {
    const others = Array.from({ length: 8 }, () => new BucketObjects(server.storage))
    const made = await Promise.all(others.map((other, i) => other.create('main/lock', `machine ${i}`)))
    expect(made.filter((version) => version !== null)).toHaveLength(1)
    const version = String(made.find((each) => each !== null))
    const replaced = await Promise.all(others.map((other, i) => other.replace('main/lock', `again ${i}`, version)))
    expect(replaced.filter((each) => each !== null)).toHaveLength(1)
    await Promise.all(others.map((other) => other.close()))
  })

  it('are listed below a folder in order', async () => {
    const names = Array.from({ length: 60 }, (_, i) => `main/journal/${String(i).padStart(15, '0')}.ndjson`)
    await Promise.all(names.map((name) => objects.write(name, 'x')))
    await objects.write('main/state.json', 'x')
    expect(await objects.list('main/journal/')).toEqual(names)
  })

  it('a conflict, a cut and a lost answer are repeated, and a write that was heard is not taken for that of another', async () => {
    server.fault = ({ line, earlier }) =>
      line === 'PUT state/a' && earlier === 0
        ? { status: 409, code: 'ConditionalRequestConflict' }
        : line === 'PUT state/a' && earlier === 1
          ? 'lose the answer'
          : null
    // The third request finds the object of the second: the caller compares what is there.
    expect(await objects.create('a', 'text')).toBeNull()
    expect((await objects.read('a'))?.text).toBe('text')
    expect(server.lines.filter((line) => line === 'PUT state/a')).toHaveLength(3)
  })
})

describe('files of a bucket', () => {
  it('are stored once and come back as they were, or not at all', async () => {
    await writeFile(join(folder, 'rows'), Buffer.alloc(300_000, 'x'))
    await objects.upload('main/artifacts/1', join(folder, 'rows'))
    await objects.upload('main/artifacts/1', join(folder, 'rows'))
    expect(server.lines.filter((line) => line.startsWith('PUT'))).toHaveLength(1)
    expect(await objects.download('main/artifacts/1', join(folder, 'copy'))).toBe(true)
    expect(await readFile(join(folder, 'copy'))).toEqual(await readFile(join(folder, 'rows')))
    expect(await objects.download('main/artifacts/2', join(folder, 'none'))).toBe(false)
    await expect(readFile(join(folder, 'none'))).rejects.toThrow('ENOENT')
  })
})

describe('a storage', () => {
  it('that keeps to conditions is found out, and nothing of the question stays', async () => {
    expect(await objects.honoursConditions('main/')).toBe(true)
    expect(await server.objects()).toEqual([])
  })

  it('is not taken for another because an answer was lost', async () => {
    for (const lost of [0, 2, 3]) {
      let puts = 0
      server.fault = ({ line }) => (line.startsWith('PUT ') && puts++ === lost ? 'lose the answer' : null)
      expect(await objects.honoursConditions('main/')).toBe(true)
    }
  })

  it.each(['ignored', 'refused'] as const)('whose conditions are %s is found out', async (conditions) => {
    server.conditions = conditions
    expect(await objects.honoursConditions('main/')).toBe(false)
    expect(await server.objects()).toEqual([])
  })
})
