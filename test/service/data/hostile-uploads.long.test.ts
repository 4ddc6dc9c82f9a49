import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runParquet } from '../../formats/parquet-bytes.ts'
import { savBytes } from '../../formats/sav-bytes.ts'
import { workbookParts, zipBytes } from '../../formats/zip-bytes.ts'
import { type DataService, form, startDataService, surveyCsv } from './data-service.ts'

let service: DataService
beforeAll(async () => {
  service = await startDataService()
})
afterAll(async () => {
  await service.close()
})

/** The job of an upload, when it has ended. */
async function trained(bytes: string | Uint8Array<ArrayBuffer>) {
  // One that fails at once would be answered with its failure.
  const release = service.hold()
  const reply = await service.ask('/v1/datasets', { method: 'POST', body: form({ seed_file: new Blob([bytes]) }) })
  release()
  expect(reply.status).toBe(202)
  for (;;) {
    const { body: job } = await service.ask(`/v1/jobs/${reply.body.job_id}`)
    if (job.status !== 'queued' && job.status !== 'running') return job
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const MIB = 2 ** 20
const HOSTILE: readonly (readonly [string, () => Buffer, RegExp])[] = [
  [
    'a Parquet file that makes its parser crash',
    () => runParquet({ valuesPerPage: 10, pages: 1, depth: 20_000 }),
    /crashes the program that reads it.*export the table as CSV/,
  ],
  [
    'a Parquet file of 200 bytes with eight thousand million values',
    () => runParquet({ valuesPerPage: 2_000_000_000, pages: 4 }),
    /8,000,000,000 values/,
  ],
  [
    'a workbook of 1 MB with a sheet of 1 GB',
    () => zipBytes(workbookParts({ content: Buffer.alloc(MIB, '<aa/>'), times: 1_024 })),
    /unpacks to more than/,
  ],
  [
    'an SPSS file that is cut short',
    () => savBytes({ variables: [{ name: 'A' }], rows: [[1]], caseCount: 1_000_000 }),
    /cut short.*1 complete row was found/,
  ],
  ['text with an open quotation mark', () => Buffer.from(`a,b\n1,"x\n${'2,y\n'.repeat(1_000)}`), /never closed/],
]

describe('an upload', () => {
  it.each(HOSTILE)('of %s fails with a message, leaves nothing, and the service continues', async (_, make, words) => {
    const job = await trained(new Uint8Array(make()))
    expect(job).toMatchObject({ status: 'failed', error: { code: 'svc_unreadable_file' } })
    expect(job.error.detail).toMatch(words)
    expect(job.error.detail).not.toContain(service.dataDir)
    // Removed once the failure is recorded.
    await expect.poll(async () => await service.blobs()).toEqual([])
    expect(await trained(surveyCsv(100))).toMatchObject({ status: 'completed' })
    const { body } = await service.ask('/v1/datasets')
    for (const { dataset_id: id } of body.datasets) await service.ask(`/v1/datasets/${id}`, { method: 'DELETE' })
  })
})

describe('cells that a spreadsheet program would take for formulas', () => {
  const LEVELS = ['=1+2', '+49 30', '-none-', '@home', '=HYPERLINK("http://example.com","x")']

  it('come back in CSV as they were sent: no value is altered', async () => {
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    const rows = Array.from({ length: 300 }, (_, i) => `${quoted(LEVELS[i % LEVELS.length]!)},${(i * 37) % 101}`)
    const { dataset_id: dataset } = await trained(`channel,spend\n${rows.join('\n')}\n`)
    const { body } = await service.ask(`/v1/datasets/${dataset}/generations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ row_count: 200, seed: 1, output_format: 'csv', wait_seconds: 60 }),
    })
    const artifact = await service.ask(body.artifact_url)
    const [header, ...lines] = String(artifact.body).trimEnd().split(/\r?\n/)
    expect(header).toBe('channel,spend')
    const cells = new Set(lines.map((line) => line.slice(0, line.lastIndexOf(','))))
    const asWritten = LEVELS.map((level) => (/[",]/.test(level) ? quoted(level) : level))
    expect([...cells].sort()).toEqual(asWritten.sort())
  })
})
