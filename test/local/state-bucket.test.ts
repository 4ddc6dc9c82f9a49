import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stateBucket } from '../../src/local/state-bucket.ts'
import { noCredentials } from '../../src/objects/storage-error.ts'
import type { SharedStore } from '../../src/runner/interface/shared-store.ts'
import { S3Server } from '../service/storage/s3-server.ts'

let server: S3Server
let store: SharedStore

beforeEach(async () => {
  server = await S3Server.start('state/')
  store = stateBucket(server.storage)
})

afterEach(async () => {
  await store.close()
  await server.close()
})

describe('a bucket that cannot be used', () => {
  it.each([
    [403, 'AccessDenied', 'authentication', 'write and delete objects below their own --scope'],
    [403, 'InvalidAccessKeyId', 'authentication', 'Check the credentials'],
    [403, 'RequestTimeTooSkewed', 'authentication', 'The clock of this machine is wrong: set it by NTP'],
    [404, 'NoSuchBucket', 'usage', 'Create the bucket, or correct its name'],
    [301, 'PermanentRedirect', 'usage', 'Set WHATIF_S3_REGION'],
    [400, 'AuthorizationHeaderMalformed', 'usage', 'Set WHATIF_S3_REGION'],
    [418, 'Strange', 'deadline_or_network', 'Check the network and WHATIF_S3_ENDPOINT, and run again'],
  ])('by %d %s says what to do', async (status, code, reason, said) => {
    server.fault = () => ({ status, code })
    for (const call of [store.read('a'), store.requireConditions('main/')]) {
      const refusal = await call.then(
        () => null,
        (error: unknown) => error,
      )
      expect(refusal).toMatchObject({ name: 'RunRefusalError', code: 'shared_state', reason })
      expect(String(refusal)).toContain(said)
      // Neither the address nor the text of the storage, which may be signed.
      expect(String(refusal)).not.toMatch(/127\.0\.0\.1|canary/)
    }
  })

  it('without credentials names the ways to have some, or to do without', async () => {
    const { accessKeyId: _, secretAccessKey: __, ...place } = server.storage
    const none = stateBucket({
      ...place,
      credentials: async () => {
        throw noCredentials('no source')
      },
    })
    await expect(none.read('a')).rejects.toMatchObject({ reason: 'authentication' })
    await expect(none.read('a')).rejects.toThrow('give the machine a role, or set WHATIF_STATE=none')
    await none.close()
  })

  it.each(['ignored', 'refused'] as const)('because conditions are %s says so', async (conditions) => {
    server.conditions = conditions
    await expect(store.requireConditions('main/')).rejects.toMatchObject({ reason: 'usage' })
    await expect(store.requireConditions('main/')).rejects.toThrow(
      'does not keep to conditional writes (If-None-Match and If-Match)',
    )
  })
})
