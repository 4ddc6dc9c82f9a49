import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

interface SigningKey {
  readonly keyId: string
  readonly algorithm: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
}

/** A small identity provider of somebody else: keys over HTTP, and tokens with whatever claims. */
export interface ForeignProvider {
  readonly issuer: string
  readonly jwksUrl: string
  /** Number of requests for its keys. */
  asked: number
  /** The answer in place of the keys, when set. */
  answer: ((reply: ServerResponse) => void) | null
  /** Publishes a new key alone, and signs with it. */
  rollOver(algorithm?: string): Promise<void>
  /** A token of the newest key. */
  token(claims: JWTPayload, header?: Record<string, unknown>): Promise<string>
  /** SPKI of the newest key, as PEM: what an attacker knows of it. */
  publicPem(): Promise<string>
  /** Stops listening; `open` listens on the same port again. */
  shut(): Promise<void>
  open(): Promise<void>
}

export async function startForeignProvider(): Promise<ForeignProvider> {
  let key = await makeKey('RS256', 1)
  let server: Server | null = null
  let port = 0
  let made = 1
  const provider: ForeignProvider = {
    issuer: '',
    jwksUrl: '',
    asked: 0,
    answer: null,
    async rollOver(algorithm = 'RS256') {
      key = await makeKey(algorithm, ++made)
    },
    async token(claims, header = {}) {
      return await new SignJWT(claims)
        .setProtectedHeader({ alg: key.algorithm, kid: key.keyId, ...header })
        .sign(key.privateKey)
    },
    publicPem: async () => await exportSPKI(key.publicKey),
    async shut() {
      server?.closeAllConnections()
      await new Promise((resolve) => server?.close(resolve))
    },
    async open() {
      server = createServer(async (_request, reply) => {
        provider.asked++
        if (provider.answer !== null) return provider.answer(reply)
        const jwk = { ...(await exportJWK(key.publicKey)), kid: key.keyId, use: 'sig', alg: key.algorithm }
        reply.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }))
      })
      await new Promise<void>((resolve) => (server as Server).listen(port, '127.0.0.1', resolve))
      port = (server.address() as AddressInfo).port
    },
  }
  await provider.open()
  return Object.assign(provider, {
    issuer: `http://127.0.0.1:${port}/`,
    jwksUrl: `http://127.0.0.1:${port}/keys`,
  })
}

async function makeKey(algorithm: string, number: number): Promise<SigningKey> {
  const pair = await generateKeyPair(algorithm, { extractable: true })
  return { keyId: `key-${number}`, algorithm, ...pair }
}
