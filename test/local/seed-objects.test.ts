import { createHash } from 'node:crypto'
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seedObjects } from '../../src/local/seed-objects.ts'
import { noCredentials } from '../../src/objects/storage-error.ts'
import { S3Server } from '../service/storage/s3-server.ts'

const KEY = '2026/Welle 3 – März#1.csv'
const BYTES = Buffer.alloc(300_000, 'id,region\n1,North\n2,South\n')
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const SHA = digest(BYTES)
const DAY_S = 86_400
const OTHER = Buffer.from('id,region\n3,East\n')
const OTHER_SHA = digest(OTHER)

let server: S3Server
let root: string

beforeEach(async () => {
  server = await S3Server.start('')
  await server.replace(KEY, BYTES)
  root = await mkdtemp(join(tmpdir(), 'whatif-seeds-'))
})

afterEach(async () => {
  await server.close()
  await rm(root, { recursive: true, force: true })
})

const sizes: number[] = []
const copyOf = (key = KEY, sha256 = SHA, signal = new AbortController().signal, storage = {}) => {
  const objects = seedObjects(root, (bucket) => ({ ...server.storage, ...storage, bucket }))
  return objects.copyOf({ bucket: server.storage.bucket, key, sha256 }, { signal, onSize: (n) => sizes.push(n) })
}
const refused = async (work: Promise<unknown>) =>
  await work.then(
    () => null,
    (error: unknown) => error,
  )
const copies = async () => await readdir(join(root, '.whatif/seeds'))
const reads = () => server.lines.filter((line) => line === `GET ${KEY}`).length

describe('an object that a dataset names', () => {
  it('is read once, and its copy is private and has the name of its digest', async () => {
    const first = await copyOf()
    expect(first).toEqual({ path: join(root, '.whatif/seeds', `${SHA}.csv`), bytes: BYTES.length })
    expect(await readFile(first.path)).toEqual(BYTES)
    expect((await stat(first.path)).mode & 0o777).toBe(0o600)
    expect((await stat(join(root, '.whatif/seeds'))).mode & 0o777).toBe(0o700)
    expect(await copyOf()).toEqual(first)
    expect(reads()).toBe(1)
    expect(sizes.splice(0)).toEqual([BYTES.length, BYTES.length])
    expect(await copies()).toEqual([`${SHA}.csv`])
  })

  it('is read again where its copy has other bytes', async () => {
    const { path } = await copyOf()
    await writeFile(path, 'damaged')
    await copyOf()
    expect(await readFile(path)).toEqual(BYTES)
    expect(reads()).toBe(2)
  })

  it('with another digest is refused with both, and nothing of it stays', async () => {
    const pin = 'ab'.repeat(32)
    const error = await refused(copyOf(KEY, pin))
    expect(error).toMatchObject({ code: 'seed_file_changed', reason: 'does_not_fit_data' })
    expect(String(error)).toContain(`the sha256 of the object is ${SHA},\nthe study pins ${pin}`)
    expect(await copies()).toEqual([])
  })

  it('goes on at the byte where the connection was cut', async () => {
    server.fault = ({ earlier }) => (earlier === 0 ? { cutAnswerAfter: 200_000 } : null)
    const { path } = await copyOf()
    expect(await readFile(path)).toEqual(BYTES)
    expect(reads()).toBe(2)
  })

  it('is not there half when the connection stays cut', async () => {
    server.fault = ({ earlier }) => (earlier === 0 ? { cutAnswerAfter: 200_000 } : { status: 503, code: 'SlowDown' })
    const error = await refused(copyOf())
    expect(error).toMatchObject({ code: 'seed_object', reason: 'deadline_or_network' })
    expect(String(error)).toContain('Check the network and WHATIF_S3_ENDPOINT, and run again.')
    expect(await copies()).toEqual([])
  })

  it('is not there half when the command is interrupted', async () => {
    const controller = new AbortController()
    server.fault = () => {
      controller.abort(new Error('interrupted'))
      return 'no answer'
    }
    await expect(copyOf(KEY, SHA, controller.signal)).rejects.toThrow('interrupted')
    expect(await copies()).toEqual([])
  })

  it.each([
    [403, 'AccessDenied', 'authentication', 'they must be allowed to read the object (s3:GetObject)'],
    [403, 'RequestTimeTooSkewed', 'authentication', 'set it by NTP'],
    [404, 'NoSuchBucket', 'usage', 'Correct the name of the bucket in the study, or WHATIF_S3_ENDPOINT'],
    [301, 'PermanentRedirect', 'usage', 'Set WHATIF_S3_REGION'],
  ])('by %d %s is refused with what to do', async (status, code, reason, said) => {
    server.fault = () => ({ status, code })
    const error = await refused(copyOf())
    expect(error).toMatchObject({ code: 'seed_object', reason })
    expect(String(error)).toContain(said)
    expect(String(error)).not.toMatch(/127\.0\.0\.1|canary/)
  })

  it('that is not there, or that nobody may sign for, says so', async () => {
    expect(await refused(copyOf('no.csv'))).toMatchObject({
      code: 'seed_file_missing',
      reason: 'usage',
      message: 'there is no such object in the bucket; upload it, or correct the key',
    })
    const nobody = {
      accessKeyId: undefined,
      secretAccessKey: undefined,
      credentials: async () => {
        throw noCredentials('no source')
      },
    }
    const error = await refused(copyOf(KEY, SHA, undefined, nobody))
    expect(error).toMatchObject({ code: 'seed_object', reason: 'authentication' })
    expect(String(error)).toContain('or give the machine a role')
  })

  it('larger than a seed file is refused before it is read', async () => {
    const large = createServer((_, reply) => {
      reply.writeHead(200, { 'content-length': 500 * 1024 * 1024 + 1, etag: '"1"' })
      reply.write('id')
    })
    await new Promise<void>((resolve) => large.listen(0, '127.0.0.1', resolve))
    try {
      const endpoint = `http://127.0.0.1:${(large.address() as AddressInfo).port}`
      const error = await refused(copyOf(KEY, SHA, undefined, { endpoint }))
      expect(error).toMatchObject({ code: 'seed_file_too_large', reason: 'does_not_fit_data' })
      expect(await copies()).toEqual([])
    } finally {
      large.closeAllConnections()
      large.close()
    }
  })
})

describe('the copies', () => {
  const old = async (name: string, days: number, bytes = 1) => {
    const path = join(root, '.whatif/seeds', name)
    await writeFile(path, Buffer.alloc(bytes))
    const at = Date.now() / 1000 - days * DAY_S
    await utimes(path, at, at)
  }

  it('that nobody used for a week are removed, and what killed commands left', async () => {
    await mkdir(join(root, '.whatif/seeds'), { recursive: true })
    await old('old.csv', 7.1)
    await old('used.csv', 6.9)
    await old('left.csv.0a.part', 1.1)
    await old('arriving.csv.0b.part', 0.9)
    await copyOf()
    expect((await copies()).sort()).toEqual([`${SHA}.csv`, 'arriving.csv.0b.part', 'used.csv'].sort())
  })

  it('of more than 2 GB, those that were not used for longest are removed, unless it was within the last day', async () => {
    await server.replace('other.csv', OTHER)
    await mkdir(join(root, '.whatif/seeds'), { recursive: true })
    // Sparse: they take no room on the disk.
    for (const [name, days] of [
      ['older.csv', 3],
      ['later.csv', 2],
      ['today.csv', 0.9],
    ] as const) {
      const path = join(root, '.whatif/seeds', name)
      await writeFile(path, '')
      await truncate(path, 1.1e9)
      const at = Date.now() / 1000 - days * DAY_S
      await utimes(path, at, at)
    }
    await copyOf()
    expect((await copies()).sort()).toEqual([`${SHA}.csv`, 'today.csv'].sort())
    await utimes(join(root, '.whatif/seeds/today.csv'), Date.now() / 1000 - 2 * DAY_S, Date.now() / 1000 - 2 * DAY_S)
    await copyOf('other.csv', OTHER_SHA)
    expect((await copies()).sort()).toEqual([`${SHA}.csv`, `${OTHER_SHA}.csv`, 'today.csv'].sort())
  })

  it('are counted as used whenever they are', async () => {
    const { path } = await copyOf()
    const at = Date.now() / 1000 - 8 * DAY_S
    await utimes(path, at, at)
    await copyOf()
    expect((await stat(path)).mtimeMs).toBeGreaterThan(Date.now() - DAY_S * 1000)
  })

  it('do not follow a link that was checked in', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'whatif-elsewhere-'))
    try {
      await mkdir(join(root, '.whatif'))
      await symlink(elsewhere, join(root, '.whatif/seeds'))
      await expect(copyOf()).rejects.toThrow('.whatif/seeds is not a folder; remove it, and run again')
      await rm(join(root, '.whatif/seeds'))
      await copyOf()
      await rm(join(root, '.whatif/seeds', `${SHA}.csv`))
      await writeFile(join(elsewhere, 'x.csv'), BYTES)
      await symlink(join(elsewhere, 'x.csv'), join(root, '.whatif/seeds', `${SHA}.csv`))
      await expect(copyOf()).rejects.toThrow(`.whatif/seeds/${SHA}.csv is not a regular file`)
      expect((await lstat(join(elsewhere, 'x.csv'))).size).toBe(BYTES.length)
    } finally {
      await rm(elsewhere, { recursive: true })
    }
  })
})
