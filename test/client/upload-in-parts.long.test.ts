import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createServiceClient } from '../../src/client/create-service-client.ts'
import type { ServiceClient } from '../../src/client/service-client.ts'
import { UPLOAD_PART_BYTES } from '../../src/contract/uploads.ts'
import { type DataService, startDataService } from '../service/data/data-service.ts'
import { type Gate, openGate } from './counting-gate.ts'

/** 100 MB. */
const BYTES = Buffer.alloc(100_000_000, 'respondent,region,answer\n1,North,Yes\n2,South,No\n')
const SHA = createHash('sha256').update(BYTES).digest('hex')

let service: DataService
let folder: string
let path: string
let gate: Gate
const clients: ServiceClient[] = []

beforeAll(async () => {
  service = await startDataService({ work: false })
  folder = await mkdtemp(join(tmpdir(), 'whatif-parts-'))
  path = join(folder, 'seed.csv')
  await writeFile(path, BYTES)
})
afterAll(async () => {
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  gate = await openGate(service)
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await gate.close()
  await service.db.query('delete from uploads')
})

/** A client that knows nothing of those before it, as in a new process. */
function newClient(more: { readonly sendsWhole?: boolean } = {}): ServiceClient {
  const { url } = gate
  const client = createServiceClient({
    baseUrl: url,
    authUrl: url,
    clientId: 'cli_test',
    clientSecret: 'canary',
    sleep: async () => {},
    ...more,
  })
  clients.push(client)
  return client
}

const upload = (key: string, onProgress: (sentBytes: number) => void = () => {}) => ({
  path,
  sizeBytes: BYTES.length,
  sha256: SHA,
  extension: '.csv',
  autoClean: true,
  displayName: 'Large',
  idempotencyKey: key,
  onProgress,
})

const stored = async (datasetId: string) => {
  const [row] = await service.db.query('select seed_sha256 from datasets where dataset_id = $1', [datasetId])
  return row
}

describe('a file of 100 MB', () => {
  it('that is cut at 90 % is sent again by a tenth', async () => {
    gate.cutAfter = 0.9 * BYTES.length
    const seen: number[] = []
    const { value } = await newClient().createDataset(upload('cut', (sent) => seen.push(sent)))
    expect(await stored(value.dataset_id)).toEqual({ seed_sha256: SHA })
    expect(gate.sentBytes).toBeGreaterThanOrEqual(BYTES.length)
    expect(gate.sentBytes).toBeLessThan(1.1 * BYTES.length)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    expect(seen.at(-1)).toBe(BYTES.length)
  })

  it('goes on where a process was that is gone', async () => {
    const killed = new AbortController()
    const half = upload('killed', (sent) => {
      if (sent > BYTES.length / 2) killed.abort(new Error('killed'))
    })
    await expect(newClient().createDataset(half, { signal: killed.signal })).rejects.toThrow('killed')
    const before = gate.sentBytes
    const { value } = await newClient().createDataset(upload('killed'))
    expect(await stored(value.dataset_id)).toEqual({ seed_sha256: SHA })
    expect(gate.sentBytes - before).toBeLessThan(BYTES.length / 2 + UPLOAD_PART_BYTES)
  })

  it('that changed since it was hashed makes no dataset', async () => {
    const other = { ...upload('changed'), sha256: 'ab'.repeat(32) }
    await expect(newClient().createDataset(other)).rejects.toMatchObject({ kind: 'rejected', status: 400 })
    expect(gate.lines.filter((line) => line === 'POST /v1/datasets')).toEqual([])
  })

  it.each([
    ['does not have the operations', { 'GET /openapi.json': { status: 200, body: { openapi: '3.1.0', paths: {} } } }],
    ['hides its document', { 'GET /openapi.json': { status: 404, body: {} } }],
    ['has processes of an earlier version', { 'POST /v1/uploads': { status: 404, body: {} } }],
  ])('is sent whole to a service that %s', async (name, instead: Record<string, { status: number; body: object }>) => {
    gate.instead = (line) => instead[line]
    const { value } = await newClient().createDataset(upload(name.replaceAll(' ', '-')))
    expect(await stored(value.dataset_id)).toEqual({ seed_sha256: SHA })
    expect(gate.lines.filter((line) => line.includes(':id'))).toEqual([])
    expect(gate.lines).toContain('POST /v1/datasets')
  })

  it('is sent whole to the service of this process, whose connection nobody cuts', async () => {
    const { value } = await newClient({ sendsWhole: true }).createDataset(upload('own'))
    expect(await stored(value.dataset_id)).toEqual({ seed_sha256: SHA })
    expect(gate.lines).toEqual(['POST /oauth/token', 'POST /v1/datasets'])
  })

  it('is sent whole where its upload ends again and again', async () => {
    gate.instead = (line) => (line === 'POST /v1/uploads/:id/parts' ? { status: 404, body: {} } : undefined)
    const { value } = await newClient().createDataset(upload('ended'))
    expect(await stored(value.dataset_id)).toEqual({ seed_sha256: SHA })
    expect(gate.lines.filter((line) => line === 'POST /v1/uploads')).toHaveLength(2)
  })
})
