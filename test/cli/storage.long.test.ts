import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startService } from '../../src/service/start-service.ts'
import { inStudyFolder, whatif } from './command-in-process.ts'

/** An environment that names no service. */
const NOWHERE = { DATABASE_URL: '', WHATIF_S3_ENDPOINT: '', WHATIF_S3_BUCKET: '' }
inStudyFolder()

describe('whatif storage', () => {
  it.each([
    ['hold', 'DATABASE_URL is not set\nIf the database is in the data folder, stop the service and copy the folder.'],
    [
      'release',
      'DATABASE_URL is not set\nIf the database is in the data folder, stop the service and copy the folder.',
    ],
    ['resume-sweeps', 'DATABASE_URL is not set\nThe sweeps of a database in the data folder are never held.'],
  ])('%s names the remedy where the database is in the data folder', async (command, message) => {
    const { code, stderr } = await whatif(`storage ${command} --data data`, NOWHERE)
    expect({ code, stderr }).toEqual({ code: 5, stderr: `error: ${message}\n` })
    expect(existsSync('data')).toBe(false)
  })

  it('check makes no data folder where there is none', async () => {
    const { code, stderr } = await whatif('storage check --data data', NOWHERE)
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: there is no data folder\nName it with --data, or set DATABASE_URL.\n',
    })
    expect(existsSync('data')).toBe(false)
  })

  it('hold accepts a day at most', async () => {
    const { code, stderr } = await whatif('storage hold --for 25h', NOWHERE)
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'error: a hold lasts from 1s to 24h\n' })
  })

  it('check does not wait for a service that uses the folder, and compares records and files when it is stopped', async () => {
    const service = await startService({ dataDir: resolve('data'), operatorToken: null })
    const busy = await whatif('storage check --data data', NOWHERE)
    await service.close()
    expect(busy).toMatchObject({ code: 10, stdout: '' })
    const same = await whatif('storage check --data data', NOWHERE)
    expect(same).toMatchObject({
      code: 0,
      stdout: 'files: 0\nwithout a record: 0, of 0 bytes\nrecords without their file: 0\n',
    })
    await mkdir('data/blobs/models', { recursive: true })
    await writeFile('data/blobs/models/ds_1.1', 'abc')
    const differs = await whatif('storage check --data data', NOWHERE)
    expect(differs).toMatchObject({
      code: 20,
      stdout: 'files: 1\nwithout a record: 1, of 3 bytes\nrecords without their file: 0\n',
    })
    const foreign = await whatif('storage check --repair --data data', NOWHERE)
    expect(foreign).toMatchObject({
      code: 5,
      stderr:
        'error: none of the files belongs to a record of this database (files: 1)\nCheck DATABASE_URL and the storage. Nothing was changed.\n',
    })
  })
})
