import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { form, surveyCsv } from '../data/data-service.ts'
import { makeClient, mint, request } from '../served-client.ts'
import { NotServedError, type ServedProcess, serve } from '../served-process.ts'
import { S3Server } from './s3-server.ts'

const KEY = { secretAccessKey: 'canary-secret-of-the-role', sessionToken: 'canary-token-of-the-role' }

let storage: S3Server
let endpoint: Server
let folder: string
let service: ServedProcess | null
/** How often the endpoint of the container was asked. */
let asked: number
let askedAtMs: number
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whatif-served-'))
  storage = await S3Server.start()
  asked = 0
  service = null
  // Each is valid for 15 minutes: the next one is requested after a minute.
  endpoint = createServer((_request, response) => {
    const id = `ASIA${++asked}`
    askedAtMs = Date.now()
    storage.keys = { ...storage.keys, [id]: KEY }
    const Expiration = new Date(Date.now() + 15 * 60_000).toISOString()
    response.end(
      JSON.stringify({ AccessKeyId: id, SecretAccessKey: KEY.secretAccessKey, Token: KEY.sessionToken, Expiration }),
    )
  })
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  await service?.kill()
  endpoint.closeAllConnections()
  await new Promise((resolve) => endpoint.close(resolve))
  await storage.close()
  await rm(folder, { recursive: true, force: true })
})

/** The settings of a service without an access key of its own, on a machine that has no other credentials. */
const environment = (variables: Record<string, string>): Record<string, string> => ({
  WHATIF_S3_ENDPOINT: storage.storage.endpoint,
  WHATIF_S3_BUCKET: storage.storage.bucket,
  AWS_SHARED_CREDENTIALS_FILE: join(folder, 'credentials'),
  AWS_CONFIG_FILE: join(folder, 'config'),
  AWS_EC2_METADATA_DISABLED: 'true',
  ...variables,
})
const atEndpoint = () =>
  environment({
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`,
  })

describe('whatif serve without an access key', () => {
  it("uses the credentials of its container, from upload to the artifact's address", async () => {
    storage.keys = {}
    service = await serve(join(folder, 'data'), { env: atEndpoint() })
    const { baseUrl } = service
    const bearer = (await mint(baseUrl, await makeClient(baseUrl, 'role@example.com'))) as string
    const seed = form({ seed_file: new Blob([surveyCsv(200)]), wait_seconds: '60' })
    const { body: dataset } = await request(baseUrl, 'POST', '/v1/datasets', { bearer, body: seed })
    expect(dataset.status).toBe('ready')
    const path = `/v1/datasets/${dataset.dataset_id}/generations`
    const order = { row_count: 100, seed: 1, output_format: 'csv', wait_seconds: 60 }
    const { body: made } = await request(baseUrl, 'POST', path, { bearer, body: order })
    const address = new URL(made.artifact_url)
    expect(address.searchParams.get('X-Amz-Security-Token')).toBe(KEY.sessionToken)
    expect(Number(address.searchParams.get('X-Amz-Expires'))).toBeLessThan(900)
    expect((await (await fetch(address)).text()).split('\r\n')).toHaveLength(102)

    // A changed role: earlier credentials are no longer valid. Within 10 s of the last answer the endpoint is not asked again,
    // and what needs credentials then waits for the minute to end.
    await expect.poll(() => Date.now() - askedAtMs).toBeGreaterThan(10_000)
    const before = asked
    storage.keys = {}
    expect((await request(baseUrl, 'POST', path, { bearer, body: order })).body.status).toBe('ready')
    expect(asked).toBeGreaterThan(before)
    expect(service.log()).not.toMatch(/canary/)
    expect(await service.stop()).toBe(0)
    service = null
  })

  it('exits with 5 if it finds none, and names the places it searched and the remedy', async () => {
    const failure = (await serve(join(folder, 'data'), { env: environment({ AWS_PROFILE: 'nobody' }) }).catch(
      (error: unknown) => error,
    )) as NotServedError
    expect(failure).toBeInstanceOf(NotServedError)
    expect(failure.code).toBe(5)
    expect(failure.message).toContain(
      'There are no credentials for the object storage from the profile of AWS_PROFILE, nobody (CredentialsProviderError). Set WHATIF_S3_ACCESS_KEY_ID and WHATIF_S3_SECRET_ACCESS_KEY, or name a source of credentials by AWS_* variables.',
    )
    expect(failure.message).not.toMatch(/\n\s+at /)
  })

  it('ends with 5 where the storage refuses them, and shows no secret', async () => {
    await writeFile(
      join(folder, 'credentials'),
      '[default]\naws_access_key_id = AKIA1\naws_secret_access_key = canary-secret\n',
    )
    storage.keys = { AKIA1: { secretAccessKey: 'another', sessionToken: null } }
    const failure = (await serve(join(folder, 'data'), { env: environment({}) }).catch(
      (error: unknown) => error,
    )) as NotServedError
    expect(failure.code).toBe(5)
    expect(failure.message).toContain('403 (SignatureDoesNotMatch)')
    expect(failure.message).not.toContain('canary')
  })
})
