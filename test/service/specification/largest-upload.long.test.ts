import { afterAll, beforeAll, expect, it } from 'vitest'
import { MAX_SEED_FILE_BYTES } from '../../../src/contract/limits.ts'
import { openUpload, rawForm } from '../data/multipart.ts'
import { startWholeService, TENANT_A, type WholeService } from './whole-service.ts'

let service: WholeService
beforeAll(async () => {
  service = await startWholeService()
})
afterAll(async () => {
  await service?.close()
  expect(service?.errors).toEqual([])
})

it('[POST /v1/datasets: 413] [Errors: 413 svc_file_too_large] [Limits: Seed file size] [Decisions, Datasets: 500 MB] a file above 500 x 2^20 bytes is refused while it is being sent', async () => {
  const kept = async () => [
    (await service.blobs()).sort(),
    await service.db.query('select blob_key from doomed_blobs order by blob_key'),
  ]
  const before = await kept()
  const open = await openUpload(service, TENANT_A)
  let answer: Awaited<typeof open.reply> | null = null
  void open.reply.then((reply) => {
    answer = reply
  })
  const chunk = Buffer.alloc(1 << 22, 'a,b\n')
  await open.write(rawForm([{ name: 'seed_file', filename: 'a.csv', value: '' }], '').subarray(0, -2))
  let sentBytes = 0
  // The body is never ended: only an early answer can come, and the connection must last until it is read.
  while (answer === null && sentBytes < MAX_SEED_FILE_BYTES + (64 << 20)) {
    await open.write(chunk)
    sentBytes += chunk.length
  }
  const { status, body } = await open.reply
  open.abort()
  expect(sentBytes).toBeGreaterThan(MAX_SEED_FILE_BYTES)
  expect([status, body.code, body.title]).toEqual([413, 'svc_file_too_large', 'Content Too Large'])
  await expect.poll(kept).toEqual(before)
})
