import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seedObjectsOf } from '../../../src/cli/access/seed-buckets.ts'
import { S3Server } from '../../service/storage/s3-server.ts'

let server: S3Server
let root: string

beforeEach(async () => {
  server = await S3Server.start('')
  root = await mkdtemp(join(tmpdir(), 'whatif-seeds-'))
})

afterEach(async () => {
  await server.close()
  await rm(root, { recursive: true, force: true })
})

const env = (buckets: string | undefined, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  WHATIF_S3_ENDPOINT: server.storage.endpoint,
  WHATIF_S3_REGION: server.storage.region,
  WHATIF_S3_ACCESS_KEY_ID: server.storage.accessKeyId,
  WHATIF_S3_SECRET_ACCESS_KEY: server.storage.secretAccessKey,
  ...(buckets !== undefined && { WHATIF_SEED_BUCKETS: buckets }),
  ...more,
})

const refusal = (variables: NodeJS.ProcessEnv, bucket: string, key: string): Promise<unknown> =>
  seedObjectsOf(variables, root)
    .copyOf({ bucket, key, sha256: '0'.repeat(64) }, { signal: new AbortController().signal, onSize: () => {} })
    .then(
      () => null,
      (error: unknown) => error,
    )

describe('the buckets that studies may read', () => {
  it.each([
    [undefined, 'panels', 'a.csv', 'and is not set; if you trust the study with it, add panels'],
    ['', 'panels', 'a.csv', 'and is not set'],
    ['panels-2,other/2026', 'panels', 'a.csv', 'and has panels-2, other/2026/; if you trust the study'],
    ['panels/2026', 'panels', '2026.csv', 'and has panels/2026/'],
    ['panels/2026', 'panels', '2026-secret/a.csv', 'and has panels/2026/'],
    ['panels', 'panel', 'a.csv', 'add panel'],
  ])('are those of %j: %s/%s is not', async (buckets, bucket, key, said) => {
    const error = await refusal(env(buckets), bucket, key)
    expect(error).toMatchObject({ name: 'RunRefusalError', code: 'seed_bucket', reason: 'usage' })
    expect(String(error)).toContain(said)
    // Nobody was asked, and nothing was signed.
    expect(server.lines).toEqual([])
  })

  it.each([
    ['whatif-test', 'a.csv'],
    [' other , whatif-test/2026 ', '2026/a.csv'],
    ['whatif-test/2026/', '2026/x/a.csv'],
    ['whatif-test,', 'a.csv'],
  ])('are those of %j, with one that has %s', async (buckets, key) => {
    expect(await refusal(env(buckets), 'whatif-test', key)).toMatchObject({ code: 'seed_file_missing' })
    expect(server.lines).toEqual([`GET ${key}`])
  })

  it.each(['Panels', 's3://panels', 'panels/*', 'panels/../x', '*', 'panels other'])(
    'are not read from %j',
    (buckets) => {
      expect(() => seedObjectsOf(env(buckets), root)).toThrow(
        'WHATIF_SEED_BUCKETS: expected names of buckets with commas',
      )
    },
  )

  it('are in the storage of the variables, whose faults are told', async () => {
    const half = await refusal(env('panels', { WHATIF_S3_SECRET_ACCESS_KEY: '' }), 'panels', 'a.csv')
    expect(half).toMatchObject({ code: 'seed_object', reason: 'authentication' })
    expect(String(half)).toContain('a seed file in a bucket needs both WHATIF_S3_ACCESS_KEY_ID')
    const address = await refusal(env('panels', { WHATIF_S3_ENDPOINT: 'http://id:canary@host/' }), 'panels', 'a.csv')
    expect(address).toMatchObject({ code: 'seed_object', reason: 'usage' })
    expect(String(address)).not.toContain('canary')
  })
})
