import { expect } from 'vitest'
import { PART_ROWS } from '../../../src/service/generations/part-rows.ts'
import type { Settings } from '../../../src/service/settings/settings.ts'
import { type Answer, type DataService, form, startDataService } from './data-service.ts'

/** Three parts, the last of which is short. */
export const ROWS = 2 * PART_ROWS + 50_001
export const SPLIT: Partial<Settings> = { splitRows: 1_015_808 }
export const CONDITIONS = {
  categorical: { region: { north: 0.4, south: 0.3 } },
  numeric: { age: { min: 20, max: 60 } },
}

/** A service with a dataset. */
export interface Trained {
  readonly service: DataService
  readonly datasetId: string
}

export async function startWith(seed: string, settings: Partial<Settings>): Promise<Trained> {
  const service = await startDataService({ settings })
  await service.db.query('update tenants set request_row_cap = 10000000')
  return { service, datasetId: await train(service, seed) }
}

export async function train(service: DataService, seed: string): Promise<string> {
  const parts = { seed_file: new Blob([seed]), wait_seconds: '60' }
  const { body } = await service.ask('/v1/datasets', { method: 'POST', body: form(parts) })
  expect(body).toMatchObject({ status: 'ready' })
  return body.dataset_id
}

/** Asks for a generation of ROWS rows. */
export async function order({ service, datasetId }: Trained, format: string, more: object = {}): Promise<Answer> {
  return await service.ask(`/v1/datasets/${datasetId}/generations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ row_count: ROWS, seed: 7, output_format: format, ...more }),
  })
}

/** The record of a generation when its job has ended. */
export async function ended({ service }: Trained, { status, body }: Answer): Promise<Answer['body']> {
  expect(status).toBe(202)
  const read = async () => (await service.ask(`/v1/generations/${body.generation_id}`)).body
  await expect.poll(async () => (await read()).status).not.toBe('processing')
  return await read()
}

/** What says the same of every artifact with the same bytes. */
export const statementOf = ({
  artifact,
  rows_generated,
  targets,
  evidence,
  shortfall,
  status,
  model_id,
}: Answer['body']) => ({
  artifact,
  rows_generated,
  targets,
  evidence,
  shortfall,
  status,
  model_id,
})

/** The jobs of a generation's parts; `whole` is its receipt. */
export async function partJobs({ service }: Trained, { body }: Answer) {
  const sql = 'select job_id, status from jobs where part_of = $1 order by job_id'
  return await service.db.query<{ job_id: string; status: string }>(sql, [body.job_id])
}

/** Nothing is left of plans and pieces: no record, no file, no entry in the queue. */
export async function expectNothingLeft({ service }: Trained): Promise<void> {
  const db = service.db
  const left = `select (select count(*)::integer from generation_plans) + (select count(*)::integer from generation_parts)
    + (select count(*)::integer from queue_entries) as count`
  expect(await db.query(left)).toEqual([{ count: 0 }])
  await expect
    .poll(async () => (await service.blobs()).filter((name) => /^(plans|pieces|scratch)/.test(name)))
    .toEqual([])
  await expect.poll(async () => await db.query('select blob_key from doomed_blobs')).toEqual([])
}
