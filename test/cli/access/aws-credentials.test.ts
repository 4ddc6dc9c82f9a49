import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { standardCredentials } from '../../../src/cli/access/aws-credentials.ts'

const END = '2030-01-02T03:04:05Z'

let folder: string
let server: Server
let url: string
/** Decides on each request to the stand-in for a container's endpoint or the token service. */
let answer: (request: IncomingMessage, body: string) => { status: number; body: string }
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whatif-aws-'))
  server = createServer(async (request, response) => {
    const { status, body } = answer(request, await text(request))
    response.writeHead(status).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) vi.stubEnv(name, undefined)
  // Whose machine this is must not matter.
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'credentials'))
  vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'))
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

function setEnv(variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
}
const credentials = async () => await standardCredentials(process.env)()

const webIdentity = async () => {
  await writeFile(join(folder, 'token'), 'token-of-the-pod')
  setEnv({
    AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, 'token'),
    AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/whatif',
    AWS_ROLE_SESSION_NAME: 'whatif',
    AWS_ENDPOINT_URL_STS: url,
    AWS_REGION: 'eu-test-1',
    AWS_MAX_ATTEMPTS: '1',
  })
}
const container = (variables: Record<string, string> = {}) =>
  setEnv({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/v1/credentials`, ...variables })

describe('credentials that are found as AWS defines it', () => {
  it('are those of the environment', async () => {
    setEnv({ AWS_ACCESS_KEY_ID: 'AKIA1', AWS_SECRET_ACCESS_KEY: 'secret' })
    const lasting = { accessKeyId: 'AKIA1', secretAccessKey: 'secret', sessionToken: null, expiresAtMs: null }
    expect(await credentials()).toEqual(lasting)
    setEnv({ AWS_SESSION_TOKEN: 'token' })
    expect(await credentials()).toEqual({ ...lasting, sessionToken: 'token' })
  })

  it('come from a profile, are read again each time, and AWS_PROFILE precedes an access key', async () => {
    setEnv({ AWS_PROFILE: 'whatif', AWS_ACCESS_KEY_ID: 'AKIA1', AWS_SECRET_ACCESS_KEY: 'secret' })
    for (const id of ['AKIA2', 'AKIA3']) {
      await writeFile(
        join(folder, 'credentials'),
        `[default]\naws_access_key_id = other\naws_secret_access_key = other\n[whatif]\naws_access_key_id = ${id}\naws_secret_access_key = of-a-file\n`,
      )
      expect(await credentials()).toMatchObject({ accessKeyId: id, secretAccessKey: 'of-a-file' })
    }
  })

  it('are those of a program that the profile in AWS_CONFIG_FILE names', async () => {
    const keys = { Version: 1, AccessKeyId: 'ASIA4', SecretAccessKey: 's', SessionToken: 't', Expiration: END }
    await writeFile(join(folder, 'answer.json'), JSON.stringify(keys))
    await writeFile(
      join(folder, 'config'),
      `[profile whatif]\ncredential_process = cat ${join(folder, 'answer.json')}\n`,
    )
    setEnv({ AWS_PROFILE: 'whatif' })
    expect(await credentials()).toEqual({
      accessKeyId: 'ASIA4',
      secretAccessKey: 's',
      sessionToken: 't',
      expiresAtMs: Date.parse(END),
    })
  })

  it('come from a web identity, whose token is read again each time', async () => {
    await webIdentity()
    const asked: (string | null)[][] = []
    answer = (_request, body) => {
      const form = new URLSearchParams(body)
      asked.push(['Action', 'RoleArn', 'RoleSessionName', 'WebIdentityToken'].map((name) => form.get(name)))
      return {
        status: 200,
        body: `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult>
          <Credentials><AccessKeyId>ASIA5</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>
          <Expiration>${END}</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
      }
    }
    expect(await credentials()).toEqual({
      accessKeyId: 'ASIA5',
      secretAccessKey: 's',
      sessionToken: 't',
      expiresAtMs: Date.parse(END),
    })
    await writeFile(join(folder, 'token'), 'token-of-later')
    await credentials()
    const call = ['AssumeRoleWithWebIdentity', 'arn:aws:iam::123456789012:role/whatif', 'whatif']
    expect(asked).toEqual([
      [...call, 'token-of-the-pod'],
      [...call, 'token-of-later'],
    ])
  })

  it("are given by a container's endpoint, with the token for it from a file", async () => {
    await writeFile(join(folder, 'token'), 'token-of-the-container')
    container({ AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: join(folder, 'token') })
    const asked: (string | undefined)[][] = []
    answer = ({ url: path, headers }) => {
      asked.push([path, headers.authorization])
      const keys = { AccessKeyId: 'ASIA6', SecretAccessKey: 's', Token: 't', Expiration: END }
      return { status: 200, body: JSON.stringify(keys) }
    }
    expect(await credentials()).toEqual({
      accessKeyId: 'ASIA6',
      secretAccessKey: 's',
      sessionToken: 't',
      expiresAtMs: Date.parse(END),
    })
    expect(asked).toEqual([['/v1/credentials', 'token-of-the-container']])
  })
})

describe('missing credentials', () => {
  it.each<[string, () => Promise<void> | void, { status: number; body: string }, string]>([
    [
      'nothing is set',
      () => undefined,
      { status: 500, body: '' },
      ': no variable names a source, and neither the files in ~/.aws nor the machine have any (CredentialsProviderError).',
    ],
    [
      'there is no such profile',
      () => setEnv({ AWS_PROFILE: 'nobody' }),
      { status: 500, body: '' },
      ' from the profile of AWS_PROFILE, nobody (CredentialsProviderError).',
    ],
    [
      'the token service says no',
      webIdentity,
      {
        status: 403,
        body: '<ErrorResponse><Error><Code>AccessDenied</Code><Message>canary-secret</Message></Error></ErrorResponse>',
      },
      ' from the web identity of AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN (AccessDenied).',
    ],
    [
      'the token is not there',
      () => setEnv({ AWS_WEB_IDENTITY_TOKEN_FILE: '/nowhere/token', AWS_ROLE_ARN: 'arn:aws:iam::1:role/r' }),
      { status: 500, body: '' },
      ' from the web identity of AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN (ENOENT).',
    ],
    [
      "the container's endpoint says no",
      () => container(),
      { status: 403, body: '{"Code":"canary-secret","Message":"canary-secret"}' },
      ' from the address of AWS_CONTAINER_CREDENTIALS_FULL_URI (CredentialsProviderError).',
    ],
    [
      "the container's endpoint gives nonsense",
      () => container(),
      { status: 200, body: 'canary-secret' },
      ' from the address of AWS_CONTAINER_CREDENTIALS_FULL_URI (SyntaxError).',
    ],
    [
      'the endpoint is an address of somebody else',
      () => setEnv({ AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://example.com/canary-secret' }),
      { status: 500, body: '' },
      ' from the address of AWS_CONTAINER_CREDENTIALS_FULL_URI (CredentialsProviderError).',
    ],
  ])(
    'because %s, are an error that names the places searched, and no secret',
    async (_name, prepare, reply, message) => {
      await prepare()
      answer = () => reply
      const failure = await credentials().catch((error: unknown) => error)
      expect(failure).toMatchObject({
        name: 'StorageError',
        code: 'no credentials',
        message: `There are no credentials for the object storage${message}`,
      })
      expect(inspect(failure)).not.toContain('canary-secret')
    },
  )
})
