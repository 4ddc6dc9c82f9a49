import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AddressCache } from '../../../src/service/blobs/address-cache.ts'
import { ScratchFolder } from '../../../src/service/blobs/scratch-folder.ts'

const MINUTE_MS = 60_000

let path: string
const open: ScratchFolder[] = []

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'whatif-scratch-'))
})
afterEach(async () => {
  for (const folder of open.splice(0)) folder.close()
  await rm(path, { recursive: true, force: true })
})

/** A process that shares the folder. */
async function share(): Promise<ScratchFolder> {
  const folder = await ScratchFolder.open(path, { isShared: true })
  open.push(folder)
  return folder
}

async function age(file: string, minutes: number): Promise<void> {
  const then = new Date(Date.now() - minutes * MINUTE_MS)
  await utimes(file, then, then)
}

describe('a scratch folder that processes share', () => {
  it.each(['a file', 'a folder'])('loses %s of a killed process after an hour', async (what) => {
    const [killed, living] = [await share(), await share()]
    const left = killed.newPath()
    await (what === 'a file' ? writeFile(left, 'half') : mkdir(left))
    await age(left, 59)
    await living.look()
    await living.look()
    expect(await readdir(path)).toEqual([basename(left)])
    await age(left, 61)
    // Seen so for the first time: its process may be about to renew it.
    await living.look()
    expect(await readdir(path)).toEqual([basename(left)])
    await living.look()
    expect(await readdir(path)).toEqual([])
  })

  it('keeps what a living process renews, also from one whose clock is hours ahead', async () => {
    const [working, ahead] = [await share(), await share()]
    const file = working.newPath()
    await writeFile(file, 'a copy that is read for hours')
    // By a clock that is 25 h ahead every file is that much older.
    await age(file, 25 * 60)
    await ahead.look()
    await working.renew()
    expect(Date.now() - (await stat(file)).mtimeMs).toBeLessThan(MINUTE_MS)
    await age(file, 25 * 60 - 10)
    await ahead.look()
    expect(await readdir(path)).toEqual([basename(file)])
  })

  it('keeps its own files at any age, and those of versions that renew nothing for a day', async () => {
    const folder = await share()
    const own = folder.newPath()
    const older = join(path, '6d0cbb3a-6f0e-4a55-9d5c-7f4f9f0f3b11')
    for (const file of [own, older]) {
      await writeFile(file, '')
      await age(file, 23 * 60)
    }
    for (let look = 0; look < 3; look++) await folder.look()
    expect((await readdir(path)).sort()).toEqual([basename(own), basename(older)].sort())
    await age(older, 25 * 60)
    await folder.look()
    await folder.look()
    expect(await readdir(path)).toEqual([basename(own)])
  })
})

describe('a presigned address', () => {
  it('is reused for a minute and then made anew', async () => {
    let nowMs = 0
    let made = 0
    const addresses = new AddressCache(() => nowMs)
    const get = async (key: string) => await addresses.get(key, async () => `${key} ${++made}`)
    expect([await get('a'), await get('b'), await get('a')]).toEqual(['a 1', 'b 2', 'a 1'])
    nowMs = 59_999
    expect(await get('a')).toBe('a 1')
    nowMs = 60_000
    expect([await get('a'), await get('a')]).toEqual(['a 3', 'a 3'])
    // The other one, which is not requested any more, is removed.
    expect(addresses.size).toBe(1)
  })

  it('that could not be made is tried again', async () => {
    const addresses = new AddressCache()
    await expect(addresses.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await addresses.get('a', async () => 'address')).toBe('address')
  })

  it('is forgotten after 10,000 newer ones', async () => {
    const addresses = new AddressCache(() => 0)
    await addresses.get('first', async () => 'old')
    for (let i = 0; i < 10_000; i++) await addresses.get(`other ${i}`, async () => '')
    expect(await addresses.get('first', async () => 'new')).toBe('new')
  })
})
