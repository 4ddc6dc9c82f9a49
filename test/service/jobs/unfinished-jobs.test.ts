import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DataService, form, startDataService, surveyCsv, TENANT_A, TENANT_B } from '../data/data-service.ts'

const OPERATOR_TOKEN = 'operator-token-for-tests'

let service: DataService
beforeAll(async () => {
  service = await startDataService({ work: false, settings: { operatorToken: OPERATOR_TOKEN } })
})
afterAll(async () => await service?.close())

const upload = async (tenant: string): Promise<string> => {
  const body = form({ seed_file: new Blob([surveyCsv(60)]) })
  return (await service.ask('/v1/datasets', { method: 'POST', tenant, body })).body.job_id
}
const list = async (query: string) => {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` }
  const response = await fetch(`${service.baseUrl}/operator/v1/jobs${query}`, { headers })
  // biome-ignore lint/suspicious/noExplicitAny: a reply of any shape
  return { status: response.status, body: (await response.json()) as any }
}

describe('GET /operator/v1/jobs', () => {
  let ours: string
  let theirs: string
  beforeAll(async () => {
    ours = await upload(TENANT_A)
    theirs = await upload(TENANT_B)
    await service.db.query(
      `update queue_entries set setbacks = 4, trouble = 'The disk was full.', available_at = now() + interval '1 minute'
       where job_id = $1`,
      [theirs],
    )
  })

  it('lists the unfinished jobs of all tenants in the sequence of the queue, page by page', async () => {
    const first = await list('?limit=1')
    expect(first.body).toMatchObject({
      jobs: [{ job_id: ours, tenant_id: TENANT_A, kind: 'training', status: 'queued', attempts: 0, setbacks: 0 }],
    })
    expect(Object.keys(first.body.jobs[0])).not.toContain('deadline_at')
    const second = await list(`?limit=1&cursor=${first.body.next_cursor}`)
    expect(second.body).toMatchObject({ jobs: [{ job_id: theirs, tenant_id: TENANT_B }], next_cursor: null })
  })

  it('shows interrupted work with the reason and the end of its wait', async () => {
    const { body } = await list('?trouble=true')
    expect(body.jobs).toMatchObject([
      {
        job_id: theirs,
        setbacks: 4,
        trouble: 'The disk was full.',
        paused_until: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ])
  })

  it('does not list a job that ended', async () => {
    expect((await service.ask(`/operator/v1/jobs/${ours}/cancel`, { method: 'POST' })).status).toBe(401)
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` }
    await fetch(`${service.baseUrl}/operator/v1/jobs/${ours}/cancel`, { method: 'POST', headers })
    expect((await list('')).body.jobs.map((job: { job_id: string }) => job.job_id)).toEqual([theirs])
  })

  it.each(['?cursor=x', '?trouble=perhaps', '?limit=0'])('refuses %s', async (query) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { code: 'svc_invalid_field' } })
  })
})
