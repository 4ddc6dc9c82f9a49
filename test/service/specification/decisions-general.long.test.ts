import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWholeService, surveyCsv, type WholeService } from './whole-service.ts'

let service: WholeService
beforeAll(async () => {
  service = await startWholeService()
})
afterAll(async () => {
  await service?.close()
  expect(service?.errors).toEqual([])
})

describe('Decisions, General', () => {
  it('[Decisions, General: 401] carries WWW-Authenticate: Bearer', async () => {
    const reply = await service.get('/v1/jobs/x', { tenant: null })
    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  it('[Decisions, General: Ids] are a prefix and 22 letters and digits', async () => {
    const client = await service.newClient()
    const upload = await service.upload(surveyCsv(60), { wait_seconds: '0' })
    await service.ended(upload.body.job_id)
    const made = await service.generate(upload.body.dataset_id, { row_count: 1 })
    for (const [prefix, id] of [
      ['req', client.requestId],
      ['req', upload.body.request_id],
      ['cli', client.clientId],
      ['ds', upload.body.dataset_id],
      ['job', upload.body.job_id],
      ['gen', made.body.generation_id],
    ]) {
      expect(id).toMatch(new RegExp(`^${prefix}_[A-Za-z0-9]{22}$`))
    }
  })

  it('[Decisions, General: Ids] an X-Request-Id of the client is not used', async () => {
    const reply = await service.get('/v1/datasets', { headers: { 'x-request-id': 'req_mine' } })
    expect(reply.headers.get('x-request-id')).not.toBe('req_mine')
  })

  it('[Decisions, General: Time] is RFC 3339 UTC with milliseconds', async () => {
    const upload = await service.upload(surveyCsv(60))
    const made = await service.generate(upload.body.dataset_id, { row_count: 1, wait_seconds: 60 })
    const job = await service.get(`/v1/jobs/${made.body.job_id}`)
    const times = [
      upload.body.expires_at,
      upload.body.training_summary.trained_at,
      made.body.created_at,
      made.body.expires_at,
      job.body.created_at,
    ]
    for (const time of times) expect(time).toBe(new Date(time).toISOString())
  })

  it('[Decisions, General: Rate limit] is counted per client, and per address where anybody may call', async () => {
    const rates = { clientRate: { perSecond: 1, burst: 3 }, addressRate: { perSecond: 1, burst: 2 } }
    const limited = await startWholeService({ work: false, settings: { rateLimits: true, ...rates } })
    try {
      // The clock stands still as far as the buckets see: no token comes back between two requests.
      const nowMs = limited.context.now()
      Object.defineProperty(limited.context, 'now', { value: () => nowMs })
      const statuses: number[] = []
      for (let i = 0; i < 4; i++) statuses.push((await limited.get('/v1/datasets')).status)
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
      const asked: number[] = []
      for (let i = 0; i < 3; i++) asked.push((await limited.get('/v1/signup/req_x', { tenant: null })).status)
      expect(asked).toContain(429)
      const refused = await limited.get('/v1/signup/req_x', { tenant: null })
      expect(refused.body.code).toBe('svc_rate_limited')
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      await limited.close()
    }
  })
})
