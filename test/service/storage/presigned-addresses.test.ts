import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ObjectStorage, StorageCredentials } from '../../../src/objects/object-storage.ts'
import { S3Connection } from '../../../src/objects/s3-connection.ts'
import { signatureOf } from './check-signature.ts'

const STORAGE = {
  endpoint: 'https://storage.example:9000/',
  region: 'eu-test-1',
  bucket: 'a-bucket',
  prefix: '',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
} satisfies ObjectStorage

afterEach(() => void vi.useRealTimers())

async function presign(
  storage: ObjectStorage,
  key: string,
  query: Record<string, string>,
  seconds = 900,
): Promise<URL> {
  const connection = new S3Connection(storage)
  try {
    return new URL(await connection.presign(key, seconds, query))
  } finally {
    await connection.close()
  }
}

/** The signature in the query that an independent computation gives. */
function signatureIn(url: URL, { secretAccessKey }: Pick<StorageCredentials, 'secretAccessKey'>): string {
  const of = (name: string) => url.searchParams.get(`X-Amz-${name}`) ?? ''
  const signed = { credential: of('Credential'), signedHeaders: of('SignedHeaders'), time: of('Date') }
  return signatureOf({ method: 'GET', url, headers: { host: url.host } }, signed, secretAccessKey)
}

describe('a presigned address', () => {
  it('has the signature of the example in "Authenticating Requests: Using Query Parameters" (Amazon S3 API Reference)', () => {
    // The example addresses its bucket by host name, our addresses by path: it checks the computation that checks ours.
    const url = new URL(
      'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256' +
        '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
        '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host',
    )
    expect(signatureIn(url, STORAGE)).toBe('aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404')
  })

  it.each<[string, Partial<ObjectStorage>, string, Record<string, string>]>([
    ['a plain key', {}, 'artifacts/gen_1.1', {}],
    ['a prefix', {}, 'studies/a=b/artifacts/gen_1.1', {}],
    [
      'a file name and a content type',
      {},
      'artifacts/gen_1.1',
      {
        'response-content-type': 'text/csv; charset=utf-8; header=present',
        'response-content-disposition': 'attachment; filename="gen_1.csv"',
      },
    ],
    ['an endpoint with a path', { endpoint: 'http://127.0.0.1:9000/s3' }, 'artifacts/gen_1.1', {}],
    ['a key with signs that need encoding', { accessKeyId: 'a+b=c' }, 'artifacts/gen_1.1', {}],
  ])('with %s has the signature that an independent computation gives', async (_name, changes, key, query) => {
    const storage = { ...STORAGE, ...changes }
    const url = await presign(storage, key, query)
    expect(url.searchParams.get('X-Amz-Signature')).toBe(signatureIn(url, storage))
    expect(decodeURIComponent(url.pathname).endsWith(`/a-bucket/${key}`)).toBe(true)
    for (const [name, value] of Object.entries(query)) expect(url.searchParams.get(name)).toBe(value)
  })

  it('has the host under which clients reach the storage, and is signed for it', async () => {
    const url = await presign({ ...STORAGE, publicEndpoint: 'https://files.example' }, 'artifacts/gen_1', {})
    expect(url.origin).toBe('https://files.example')
    expect(url.searchParams.get('X-Amz-Signature')).toBe(signatureIn(url, STORAGE))
  })

  it('is signed for the time of the service, whatever the machine’s clock says', async () => {
    const connection = new S3Connection(STORAGE, { now: () => Date.UTC(2031, 4, 6, 7, 8, 9, 10) })
    const url = new URL(await connection.presign('artifacts/gen_1.1', 900, {}))
    await connection.close()
    expect(url.searchParams.get('X-Amz-Date')).toBe('20310506T070809Z')
    expect(url.searchParams.get('X-Amz-Signature')).toBe(signatureIn(url, STORAGE))
  })

  it('is valid from now for the requested time, and holds no secret', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 1, 3, 4, 5, 6) })
    const url = await presign(STORAGE, 'artifacts/gen_1.1', {})
    expect(Object.fromEntries(url.searchParams)).toEqual({
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': 'AKIAIOSFODNN7EXAMPLE/20260203/eu-test-1/s3/aws4_request',
      'X-Amz-Date': '20260203T040506Z',
      'X-Amz-Expires': '900',
      'X-Amz-SignedHeaders': 'host',
      'X-Amz-Signature': signatureIn(url, STORAGE),
    })
    expect(url.href).not.toContain(STORAGE.secretAccessKey.slice(0, 8))
  })
})
