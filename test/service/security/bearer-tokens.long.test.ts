import { createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestStore, startTestService, type TestService, type TestStore } from '../http/test-service.ts'

let store: TestStore
let service: TestService
/** Would give keys to a service that fetches what a token names. */
let keyServer: { readonly url: string; readonly asked: string[]; close(): Promise<void> }

beforeAll(async () => {
  store = await openTestStore()
  service = await startTestService(store)
  keyServer = await startKeyServer()
})
afterAll(async () => {
  await keyServer?.close()
  await service?.close()
  await store?.close()
})

const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const strangerJwk = stranger.publicKey.export({ format: 'jwk' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

async function startKeyServer(): Promise<typeof keyServer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end(JSON.stringify({ keys: [{ ...strangerJwk, kid: 'mine', alg: 'ES256', use: 'sig' }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys.json`,
    asked,
    close: async () => await new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

type Claims = Record<string, unknown>

function goodClaims(): Claims {
  const nowS = Math.floor(service.clock.nowMs / 1000)
  const { baseUrl } = service
  return { iss: baseUrl, aud: baseUrl, sub: 'cli_test', tenant_id: 'ten_test', jti: 'j', iat: nowS, exp: nowS + 3600 }
}

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A compact JWT by hand: libraries refuse to write most of what follows. */
function jwt(
  head: Claims,
  claims: unknown,
  signWith: (input: string) => Buffer = (input) => es256(input, service.context.keys.signing.privateKey),
): string {
  const input = `${encode(head)}.${encode(claims)}`
  return `${input}.${signWith(input).toString('base64url')}`
}

const es256 = (input: string, key: KeyObject): Buffer =>
  sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
const hs256 =
  (secret: string | Buffer) =>
  (input: string): Buffer =>
    createHmac('sha256', secret).update(input).digest()
const ofStranger = (input: string): Buffer => es256(input, stranger.privateKey)
const NOTHING = (): Buffer => Buffer.alloc(0)

const ES256 = { alg: 'ES256', typ: 'JWT' }
const publicKey = (): KeyObject => service.context.keys.signing.publicKey
const keyId = (): string => service.context.keys.signing.keyId
const withClaims = (change: Claims): string => jwt(ES256, { ...goodClaims(), ...change })
const inSeconds = (seconds: number): number => Math.floor(service.clock.nowMs / 1000) + seconds
/** A good signature's 64 bytes, changed. */
const withSignature = (change: (signature: Buffer) => Buffer): string =>
  jwt(ES256, goodClaims(), (input) => change(es256(input, service.context.keys.signing.privateKey)))
/** Good claims as text, with more before the closing brace. */
const claimsText = (more: string): string => JSON.stringify(goodClaims()).replace(/\}$/, `,${more}}`)

const call = async (token: string) => await service.get('/v1/datasets', { authorization: `Bearer ${token}` })

it('a token made by hand like ours is accepted: each of the following differs from it in one thing', async () => {
  expect((await call(jwt(ES256, goodClaims()))).status).toBe(200)
})

describe.each<[string, [string, () => string][]]>([
  [
    'alg none',
    ['none', 'None', 'NONE', 'nOnE', ''].map((alg) => [
      `"${alg}"`,
      () => jwt({ alg, typ: 'JWT' }, goodClaims(), NOTHING),
    ]),
  ],
  [
    'another algorithm',
    [
      ['HS256 with the public key as PEM', () => keyAsSecret(publicKey().export({ type: 'spki', format: 'pem' }))],
      ['HS256 with the public key as DER', () => keyAsSecret(publicKey().export({ type: 'spki', format: 'der' }))],
      ['HS256 with the public key as JWK', () => keyAsSecret(JSON.stringify(publicKey().export({ format: 'jwk' })))],
      ['HS256 with the published key set', () => keyAsSecret(JSON.stringify(service.context.keys.signing.publicJwk))],
      ['HS256 with an empty secret', () => keyAsSecret('')],
      [
        'RS256',
        () => jwt({ alg: 'RS256' }, goodClaims(), (input) => sign('sha256', Buffer.from(input), rsa.privateKey)),
      ],
      ['ES384 over the same bytes', () => jwt({ alg: 'ES384' }, goodClaims())],
      ['ES256K over the same bytes', () => jwt({ alg: 'ES256K' }, goodClaims())],
      ['a list of algorithms', () => jwt({ alg: ['ES256'] }, goodClaims())],
      ['no algorithm', () => jwt({ typ: 'JWT' }, goodClaims())],
    ],
  ],
  [
    'a key that the token brings or names',
    [
      ['jwk', () => jwt({ ...ES256, jwk: strangerJwk }, goodClaims(), ofStranger)],
      ['jku', () => jwt({ ...ES256, jku: keyServer.url, kid: 'mine' }, goodClaims(), ofStranger)],
      ['x5u', () => jwt({ ...ES256, x5u: keyServer.url }, goodClaims(), ofStranger)],
      ['x5c', () => jwt({ ...ES256, x5c: [encode('certificate')] }, goodClaims(), ofStranger)],
      ['our own kid', () => jwt({ ...ES256, kid: keyId() }, goodClaims(), ofStranger)],
      ['a path as kid', () => jwt({ alg: 'HS256', kid: '../../../../dev/null' }, goodClaims(), hs256(''))],
      ['SQL as kid', () => jwt({ ...ES256, kid: "x' union select 'key" }, goodClaims(), ofStranger)],
      ['an address as kid', () => jwt({ ...ES256, kid: keyServer.url }, goodClaims(), ofStranger)],
      ['another key server as issuer', () => jwt(ES256, { ...goodClaims(), iss: keyServer.url }, ofStranger)],
    ],
  ],
  [
    'a header that asks for more',
    [
      ['crit', () => jwt({ ...ES256, crit: ['exp'], exp: 1 }, goodClaims())],
      ['an unknown crit', () => jwt({ ...ES256, crit: ['whatever'], whatever: 1 }, goodClaims())],
      ['an empty crit', () => jwt({ ...ES256, crit: [] }, goodClaims())],
      ['b64 false', () => jwt({ ...ES256, b64: false, crit: ['b64'] }, goodClaims())],
    ],
  ],
  [
    'an ES256 signature that is none',
    [
      [
        'r and s of 31 bytes',
        () => withSignature((bytes) => Buffer.concat([bytes.subarray(0, 31), bytes.subarray(32, 63)])),
      ],
      ['r and s of 33 bytes', () => withSignature((bytes) => padEach(bytes))],
      ['DER instead of r and s', () => jwt(ES256, goodClaims(), derSignature)],
      ['all zero', () => withSignature(() => Buffer.alloc(64))],
      ['r = s = n', () => withSignature(() => Buffer.concat([ORDER, ORDER]))],
      ['a byte too much', () => withSignature((bytes) => Buffer.concat([bytes, Buffer.of(0)]))],
      ['a byte too few', () => withSignature((bytes) => bytes.subarray(0, 63))],
      ['s and r exchanged', () => withSignature((bytes) => Buffer.concat([bytes.subarray(32), bytes.subarray(0, 32)]))],
      ['none at all', () => withSignature(() => Buffer.alloc(0))],
    ],
  ],
  [
    'a token at the wrong time',
    [
      ['expired a second ago', () => withClaims({ exp: inSeconds(-1) })],
      ['expiring at this second', () => withClaims({ exp: inSeconds(0) })],
      ['not before a minute from now', () => withClaims({ nbf: inSeconds(60) })],
      ['an expiry that is text', () => withClaims({ exp: String(inSeconds(60)) })],
      ['an expiry that is null', () => withClaims({ exp: null })],
      ['a start that is text', () => withClaims({ nbf: 'now' })],
    ],
  ],
  [
    'a token for another or by another',
    [
      ['the audience of another service', () => withClaims({ aud: 'https://elsewhere.example' })],
      ['an audience that begins like ours', () => withClaims({ aud: `${service.baseUrl}0` })],
      ['an audience with a slash behind it', () => withClaims({ aud: `${service.baseUrl}/` })],
      ['no audience in a list', () => withClaims({ aud: [] })],
      ['the issuer with a slash behind it', () => withClaims({ iss: `${service.baseUrl}/` })],
      ['no issuer', () => withClaims({ iss: undefined })],
      ['a tenant that is an object', () => withClaims({ tenant_id: { toString: 'ten_test' } })],
      ['a subject that is a number', () => withClaims({ sub: 7 })],
      ['no identity of its own', () => withClaims({ jti: undefined })],
      ['an epoch that is text', () => withClaims({ token_epoch: '9' })],
    ],
  ],
  [
    'claims that are no object, or hold something twice',
    [
      ['an array', () => jwt(ES256, [goodClaims()])],
      ['null', () => jwt(ES256, 'null')],
      ['no JSON', () => jwt(ES256, '{')],
      ['a second expiry, which has passed', () => jwt(ES256, claimsText(`"exp":${inSeconds(-60)}`))],
      ['a second audience', () => jwt(ES256, claimsText('"aud":"https://elsewhere.example"'))],
    ],
  ],
  [
    'another shape',
    [
      ['a JWE of five parts', () => `${jwt(ES256, goodClaims())}.a.b`],
      ['JSON serialisation', () => Buffer.from(JSON.stringify({ payload: 'x' })).toString('base64url')],
      ['white space within', () => jwt(ES256, goodClaims()).replace('.', '. ')],
      ['a NUL within', () => jwt(ES256, goodClaims()).replace('.', '%00.')],
    ],
  ],
])('refused as if there were no token: %s', (_subject, cases) => {
  it.each(cases)('%s', async (_name, make) => {
    const answer = await call(make())
    const requestId = answer.headers.get('x-request-id')
    expect([answer.status, answer.text]).toEqual([
      401,
      `{"type":"about:blank","title":"Unauthorized","status":401,"detail":"Invalid credentials.","request_id":"${requestId}"}`,
    ])
  })
})

it('no key is fetched from an address in a token', () => {
  expect(keyServer.asked).toEqual([])
})

it('the key of an older or another service is refused', async () => {
  const other = await openTestStore()
  try {
    const { loadServiceKeys } = await import('../../../src/service/keys/service-keys.ts')
    const { loadMasterKey } = await import('../../../src/service/settings/master-key.ts')
    const { signing } = await loadServiceKeys(other.db, loadMasterKey(other.dataDir, null))
    const token = jwt({ ...ES256, kid: keyId() }, goodClaims(), (input) => es256(input, signing.privateKey))
    expect((await call(token)).status).toBe(401)
  } finally {
    await other.close()
  }
})

/** The order of the curve P-256 (SEC 2, 2.4.2). */
const ORDER = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex')

function keyAsSecret(secret: string | Buffer): string {
  return jwt({ alg: 'HS256', typ: 'JWT', kid: keyId() }, goodClaims(), hs256(secret))
}

function padEach(signature: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0), signature.subarray(0, 32), Buffer.of(0), signature.subarray(32)])
}

function derSignature(input: string): Buffer {
  const key = createPrivateKey(service.context.keys.signing.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return sign('sha256', Buffer.from(input), key)
}
