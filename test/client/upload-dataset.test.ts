import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync, truncateSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DatasetUpload } from '../../src/client/service-client.ts'
import { MAX_SEED_FILE_BYTES } from '../../src/contract/limits.ts'
import { failure, useRig } from './client-rig.ts'
import {
  answer,
  answerEarly,
  json,
  problem,
  resetAfterActing,
  resetAtOnce,
  type Step,
  TOKEN_ROUTE,
} from './scripted-service.ts'

const rig = useRig()

const ROUTE = 'POST /v1/datasets'
const HASH = '0123456789abcdef0123456789abcdef'
const RECEIPT = { dataset_id: 'ds_1', status: 'processing', request_id: 'srv-1', job_id: 'job_1' }
const accepted = json(RECEIPT, { status: 202 })

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whatif-upload-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A file of these bytes and its description. */
async function upload(bytes: string | Buffer, fields: Partial<DatasetUpload> = {}): Promise<DatasetUpload> {
  const path = join(folder, 'secret-name.csv')
  await writeFile(path, bytes)
  return {
    path,
    sizeBytes: Buffer.byteLength(bytes),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    extension: '.csv',
    autoClean: true,
    displayName: 'Tracker · Q3',
    idempotencyKey: `wi1.ds.${HASH}.e0`,
    ...fields,
  }
}

describe('an upload', () => {
  it('consists of exactly these bytes', async () => {
    rig.service.on(ROUTE, accepted)
    const seed = await upload('a,b\r\n1,2\r\n')
    expect(await rig.client.createDataset(seed)).toMatchObject({ value: RECEIPT, status: 202, attempts: 1 })
    const [request] = rig.service.to(ROUTE)
    const boundary = `----whatif-${HASH}`
    const expected = [
      `--${boundary}`,
      'Content-Disposition: form-data; name="auto_clean"',
      '',
      'true',
      `--${boundary}`,
      'Content-Disposition: form-data; name="display_name"',
      '',
      'Tracker · Q3',
      `--${boundary}`,
      `Content-Disposition: form-data; name="seed_file"; filename="${HASH}.csv"`,
      'Content-Type: application/octet-stream',
      '',
      'a,b\r\n1,2\r\n',
      `--${boundary}--`,
      '',
    ].join('\r\n')
    expect(request?.body.toString()).toBe(expected)
    expect(request?.headers).toMatchObject({
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(Buffer.byteLength(expected)),
      'idempotency-key': `wi1.ds.${HASH}.e0`,
      authorization: 'Bearer token-1',
    })
    expect(request?.headers).not.toHaveProperty('transfer-encoding')
  })

  it('of an empty file is complete', async () => {
    rig.service.on(ROUTE, accepted)
    await rig.client.createDataset(await upload('', { autoClean: false }))
    const [request] = rig.service.to(ROUTE)
    expect(request?.complete).toBe(true)
    expect(request?.body.toString()).toContain('name="auto_clean"\r\n\r\nfalse\r\n')
  })

  it.each([
    { extension: '.parquet', name: `${HASH}.parquet` },
    { extension: '', name: HASH },
    { extension: '.c"\r\nx: y', name: HASH },
    { extension: '/../csv', name: HASH },
  ])('keeps the extension $extension only when it is valid', async ({ extension, name }) => {
    rig.service.on(ROUTE, accepted)
    await rig.client.createDataset(await upload('a\n1\n', { extension }))
    expect(rig.service.to(ROUTE)[0]?.body.toString()).toContain(`filename="${name}"\r\n`)
  })

  it('has a different boundary for any other key', async () => {
    rig.service.on(ROUTE, accepted)
    await rig.client.createDataset(await upload('a\n1\n', { idempotencyKey: 'my.key' }))
    const hash = createHash('sha256').update('my.key').digest('hex').slice(0, 32)
    expect(rig.service.to(ROUTE)[0]?.headers['content-type']).toBe(`multipart/form-data; boundary=----whatif-${hash}`)
  })

  it('of several pieces arrives completely and reports its progress', async () => {
    rig.service.on(ROUTE, accepted)
    const bytes = randomBytes(3 * 1024 * 1024 + 17)
    const sent: number[] = []
    const seed = await upload(bytes, { onProgress: (count) => sent.push(count) })
    await rig.client.createDataset(seed)
    const [request] = rig.service.to(ROUTE)
    expect(request?.bodyBytes).toBe(Number(request?.headers['content-length']))
    expect(sent.at(-1)).toBe(bytes.length)
    expect(sent).toEqual([...sent].sort((a, b) => a - b))
    expect(sent.length).toBeGreaterThan(5)
  })

  it.each([
    { name: 'a reset before the service acted', step: resetAtOnce },
    { name: 'a reset after the service acted', step: resetAfterActing },
    { name: 'a 202 without a body', step: answer('', { status: 202 }) },
    { name: 'a 503', step: problem(503, 'svc_unavailable') },
    { name: 'a 401', step: problem(401, null) },
    {
      name: 'a conflict in flight',
      step: problem(409, 'svc_idempotency_conflict', { headers: { 'retry-after': '1' } }),
    },
  ])('is repeated byte for byte after $name', async ({ step }) => {
    rig.service.on(ROUTE, step, resetAfterActing, accepted)
    const reply = await rig.client.createDataset(await upload(randomBytes(300_000)))
    expect(reply).toMatchObject({ value: RECEIPT, attempts: 3 })
    const [, second, third] = rig.service.to(ROUTE)
    expect(third?.complete).toBe(true)
    expect(third?.bodySha256).toBe(second?.bodySha256)
    expect(third?.headers['idempotency-key']).toBe(second?.headers['idempotency-key'])
  })
})

describe('an upload that is not possible', () => {
  /** Holds the answer back until the request is whole, which it must never be. */
  const never: Step = async ({ received, response }) => {
    await received()
    response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify(RECEIPT))
  }

  it('of a file whose bytes changed is aborted before its last byte', async () => {
    rig.service.on(ROUTE, never)
    const seed = await upload(randomBytes(700_000))
    await writeFile(seed.path, randomBytes(700_000))
    const error = await failure(rig.client.createDataset(seed))
    await rig.service.asked(ROUTE)
    expect(error).toMatchObject({ kind: 'rejected', status: null })
    expect(error.message).toBe(
      'The seed file changed since it was hashed; the upload was aborted and created nothing. ' +
        'Do not change the file during the upload, and run again.',
    )
    const [request] = rig.service.to(ROUTE)
    expect(request?.complete).toBe(false)
    expect(request?.bodyBytes).toBeLessThan(Number(request?.headers['content-length']))
  })

  it.each([
    { name: 'grew', change: (path: string) => appendFileSync(path, 'more') },
    { name: 'shrank', change: (path: string) => truncateSync(path, 10) },
  ])('of a file that $name meanwhile is aborted', async ({ change }) => {
    rig.service.on(ROUTE, never)
    const seed = await upload(randomBytes(700_000))
    change(seed.path)
    expect((await failure(rig.client.createDataset(seed))).message).toContain('changed since it was hashed')
    expect(rig.service.to(ROUTE).some(({ complete }) => complete)).toBe(false)
  })

  it.each([
    { name: 'grows', change: (path: string) => appendFileSync(path, 'more') },
    { name: 'shrinks', change: (path: string) => truncateSync(path, 300_000) },
  ])('of a file that $name while it is read is aborted', async ({ change }) => {
    rig.service.on(ROUTE, never)
    const seed = await upload(randomBytes(700_000))
    let changed = false
    const onProgress = () => {
      if (!changed) change(seed.path)
      changed = true
    }
    const error = await failure(rig.client.createDataset({ ...seed, onProgress }))
    expect(error.message).toContain('changed since it was hashed')
    expect(rig.service.to(ROUTE).some(({ complete }) => complete)).toBe(false)
  })

  it('of a missing file, or of a folder, is reported without its path', async () => {
    rig.service.on(ROUTE, never)
    const seed = await upload('a\n1\n')
    const gone = await failure(rig.client.createDataset({ ...seed, path: join(folder, 'none.csv') }))
    expect(gone).toMatchObject({ kind: 'rejected' })
    expect(gone.message).toContain('The seed file cannot be read')
    expect(gone.message).not.toContain(folder)
    expect((await failure(rig.client.createDataset({ ...seed, path: folder }))).message).toContain(
      'is not a regular file',
    )
  })

  it('is not started above 500 MB', async () => {
    const path = join(folder, 'large.csv')
    await writeFile(path, '')
    truncateSync(path, MAX_SEED_FILE_BYTES + 1)
    const seed = { ...(await upload('')), path, sizeBytes: MAX_SEED_FILE_BYTES + 1 }
    const error = await failure(rig.client.createDataset(seed))
    expect(error).toMatchObject({ kind: 'too_large', status: null, attempts: 0 })
    expect(error.message).toContain('the seed file has 524288001 bytes, the service takes at most 524288000 (500 MB)')
    expect(rig.service.requests).toEqual([])
  })

  it.each(['line\nbreak', 'nul\u0000', 'c1\u0085'])(
    'is refused with control characters in its name (%j)',
    async (displayName) => {
      const seed = await upload('a\n1\n', { displayName })
      expect(await failure(rig.client.createDataset(seed))).toMatchObject({ kind: 'rejected', attempts: 0 })
      expect(rig.service.requests).toEqual([])
    },
  )

  it('is refused with 413 in mid-stream, and the answer is read', async () => {
    const tooLarge = {
      type: 'x',
      title: 'Content Too Large',
      status: 413,
      detail: 'Too large.',
      code: 'svc_file_too_large',
    }
    rig.service.on(ROUTE, answerEarly(413, JSON.stringify(tooLarge), { 'x-request-id': 'srv-413' }))
    const error = await failure(rig.client.createDataset(await upload(randomBytes(8 * 1024 * 1024))))
    expect(error).toMatchObject({ kind: 'too_large', status: 413, code: 'svc_file_too_large', requestId: 'srv-413' })
    expect(rig.service.to(ROUTE)).toHaveLength(1)
  })

  it('whose connection breaks every time names the size as a possible reason', async () => {
    const breaks: Step = ({ request }) => {
      let seen = 0
      request.on('data', (piece: Buffer) => {
        seen += piece.length
        if (seen > 500_000) request.socket.resetAndDestroy()
      })
    }
    rig.service.on(ROUTE, breaks)
    const error = await failure(rig.client.createDataset(await upload(randomBytes(4 * 1024 * 1024))))
    expect(error).toMatchObject({ kind: 'network', attempts: 6 })
    expect(error.message).toContain('The upload of 4194304 bytes failed on each of 6 tries')
    expect(error.hint).toContain('a lower limit on size')
  })

  it('ends with an abort, which closes the file', async () => {
    const reason = new Error('enough')
    const control = new AbortController()
    const seed = await upload(randomBytes(4 * 1024 * 1024), { onProgress: () => control.abort(reason) })
    rig.service.on(ROUTE, never)
    await expect(rig.client.createDataset(seed, { signal: control.signal })).rejects.toBe(reason)
    expect(rig.service.to(ROUTE).some(({ complete }) => complete)).toBe(false)
  })

  it('without credentials sends no byte of the file', async () => {
    rig.service.on(TOKEN_ROUTE, json({ error: 'invalid_client' }, { status: 401 }))
    expect(await failure(rig.client.createDataset(await upload('a\n1\n')))).toMatchObject({ kind: 'auth' })
    expect(rig.service.to(ROUTE)).toEqual([])
  })
})
