import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** A key that a storage knows. */
export interface KnownKey {
  readonly secretAccessKey: string
  /** The token of temporary credentials; null: none. */
  readonly sessionToken: string | null
  /** Milliseconds since 1970; left out: it does not end. */
  readonly expiresAtMs?: number
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** RFC 3986, 2.3: what the signature's rules leave as it is. */
const encode = (text: string) =>
  [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte)
      return /[A-Za-z0-9._~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')

/**
 * Signature Version 4 with an unsigned body, computed from the finished request by the rules of Amazon's documentation
 * ("Authenticating Requests", Amazon S3 API Reference). `credential` and `signedHeaders` are the request's own.
 */
export function signatureOf(
  request: { readonly method: string; readonly url: URL; readonly headers: IncomingHttpHeaders },
  signed: { readonly credential: string; readonly signedHeaders: string; readonly time: string },
  secretAccessKey: string,
): string {
  const [, date = '', region = '', service = '', end = ''] = signed.credential.split('/')
  const query = [...request.url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const path = decodeURIComponent(request.url.pathname).split('/').map(encode).join('/')
  const headers = signed.signedHeaders.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}`)
  const canonical = [request.method, path, query, ...headers, '', signed.signedHeaders, 'UNSIGNED-PAYLOAD'].join('\n')
  const toSign = [
    'AWS4-HMAC-SHA256',
    signed.time,
    `${date}/${region}/${service}/${end}`,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n')
  const key = [date, region, service, end].reduce<string | Buffer>((k, text) => hmac(k, text), `AWS4${secretAccessKey}`)
  return hmac(key, toSign).toString('hex')
}

/** Why a storage that knows `keys` refuses a request, by its header or its query; null if it accepts it. */
export function faultOf(
  request: { readonly method: string; readonly url: URL; readonly headers: IncomingHttpHeaders },
  keys: Readonly<Record<string, KnownKey>>,
): 'AccessDenied' | 'InvalidAccessKeyId' | 'ExpiredToken' | 'InvalidToken' | 'SignatureDoesNotMatch' | null {
  const { headers, url } = request
  const header = /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(
    headers.authorization ?? '',
  )
  const ofQuery = (name: string) => url.searchParams.get(`X-Amz-${name}`) ?? ''
  const [credential, signedHeaders, signature, time, token] =
    header === null
      ? [
          ofQuery('Credential'),
          ofQuery('SignedHeaders'),
          ofQuery('Signature'),
          ofQuery('Date'),
          ofQuery('Security-Token'),
        ]
      : [header[1], header[2], header[3], headers['x-amz-date'], headers['x-amz-security-token'] ?? '']
  if (!credential || !signedHeaders) return 'AccessDenied'
  const key = keys[credential.split('/')[0] as string]
  if (key === undefined) return 'InvalidAccessKeyId'
  if ((key.expiresAtMs ?? Infinity) <= Date.now()) return 'ExpiredToken'
  if (token !== (key.sessionToken ?? '')) return 'InvalidToken'
  // Everything that matters must be signed, because anybody in between could otherwise change it.
  const mustBeSigned = ['host', ...Object.keys(headers).filter((name) => /^x-amz-/.test(name))]
  const isCovered = mustBeSigned.every((name) => signedHeaders.split(';').includes(name))
  const expected = signatureOf(request, { credential, signedHeaders, time: String(time) }, key.secretAccessKey)
  return isCovered && signature === expected ? null : 'SignatureDoesNotMatch'
}
