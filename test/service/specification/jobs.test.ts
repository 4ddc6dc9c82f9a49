import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endOverdueJobs } from '../../../src/service/jobs/end-jobs.ts'
import { beginJob } from '../../../src/service/records/job-records.ts'
import { sweep } from '../../../src/service/retention/retention-sweeper.ts'
import { startWholeService, surveyCsv, TENANT_B, type WholeService } from './whole-service.ts'

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const HOUR_MS = 60 * 60_000

let service: WholeService
let survey: string
/** Its jobs stay queued, so that a test can read a job in progress. */
let idle: WholeService
beforeAll(async () => {
  service = await startWholeService()
  idle = await startWholeService({ work: false })
  survey = await service.train(surveyCsv(100))
})
afterAll(async () => {
  await service?.close()
  await idle?.close()
  expect(service?.errors).toEqual([])
})

describe('GET /v1/jobs/{job_id}', () => {
  it('is held until the job has ended where the client prefers to wait, and confirms the preference', async () => {
    const upload = await service.upload(surveyCsv(60), { wait_seconds: '0' })
    const job = await service.get(`/v1/jobs/${upload.body.job_id}`, { headers: { prefer: 'respond-async, wait=60' } })
    expect(job.body.status).toBe('completed')
    expect(job.headers.get('preference-applied')).toBe('wait=60')
  })

  it('is answered with the job in progress when that time is over', async () => {
    const upload = await idle.upload(surveyCsv(60), { wait_seconds: '0' })
    const job = await idle.get(`/v1/jobs/${upload.body.job_id}`, { headers: { prefer: 'wait=1' } })
    expect(job.body.status).toBe('queued')
    expect(job.headers.get('preference-applied')).toBe('wait=1')
  })

  it.each(['', 'wait=', 'wait=-1', 'wait=soon', 'return=minimal', 'await=5'])(
    'is answered at once to "Prefer: %s", which asks for no wait',
    async (prefer) => {
      const upload = await idle.upload(surveyCsv(60), { wait_seconds: '0' })
      const job = await idle.get(`/v1/jobs/${upload.body.job_id}`, { headers: { prefer } })
      expect(job.body.status).toBe('queued')
      expect(job.headers.get('preference-applied')).toBeNull()
    },
  )

  it.each([404, 200])('does not hold requests for jobs of others or for ended jobs (%i)', async (status) => {
    const upload = await idle.upload(surveyCsv(60), { wait_seconds: '0' })
    const jobId = upload.body.job_id
    if (status === 200) await idle.call('DELETE', `/v1/datasets/${upload.body.dataset_id}`)
    const call = { headers: { prefer: 'wait=60' }, ...(status === 404 && { tenant: TENANT_B }) }
    expect((await idle.get(`/v1/jobs/${jobId}`, call)).status).toBe(status)
  })

  it('[GET /v1/jobs/{job_id} 1] [Job: job_id] [Job: status] [Job: dataset_id] [States and transitions 13] of a completed training has the dataset_id, and no generation_id', async () => {
    const upload = await service.upload(surveyCsv(60), { wait_seconds: '0' })
    const job = await service.ended(upload.body.job_id)
    expect(job.body).toEqual({
      job_id: upload.body.job_id,
      status: 'completed',
      kind: 'training',
      dataset_id: upload.body.dataset_id,
      created_at: expect.stringMatching(DATE_TIME),
      request_id: job.headers.get('x-request-id'),
    })
  })

  it('[GET /v1/jobs/{job_id} 1] [Job: generation_id] of a completed generation has the generation_id, and no dataset_id', async () => {
    const made = await service.generate(survey, { row_count: 10 })
    const job = await service.ended(made.body.job_id)
    expect(job.body).toMatchObject({ status: 'completed', generation_id: made.body.generation_id })
    expect(job.body).not.toHaveProperty('dataset_id')
  })

  it('[States and transitions 14] [Decisions, Datasets: Job in progress] [Decisions, Generations: Feasibility] of an infeasible generation is failed, with the same error as the generation', async () => {
    const conditions = { numeric: { age: { min: 500, max: 600 } } }
    const made = await service.generate(survey, { row_count: 10, wait_seconds: 60, conditions })
    const job = await service.get(`/v1/jobs/${made.body.job_id}`)
    expect(job.body).toMatchObject({ status: 'failed', error: { code: 'svc_infeasible_scenario' } })
    expect(job.body.error).toEqual(made.body.error)
    expect(job.body).not.toHaveProperty('generation_id')
  })

  it('[States and transitions 14] [Decisions, Datasets: Too few rows] of an impossible training is failed, and says why', async () => {
    const upload = await service.upload(surveyCsv(49), { wait_seconds: '0' })
    const job = await service.ended(upload.body.job_id)
    expect(job.body).toMatchObject({
      status: 'failed',
      error: { code: 'svc_untrainable_dataset', detail: expect.stringContaining('49 rows') },
    })
    expect(job.body).not.toHaveProperty('dataset_id')
    expect((await service.get(`/v1/datasets/${upload.body.dataset_id}`)).status).toBe(404)
  })

  it('[Decisions, Datasets: Job in progress] in progress is queued or running, with progress from 0 to 1 and without the id of its result', async () => {
    const upload = await idle.upload(surveyCsv(60), { wait_seconds: '0' })
    const queued = await idle.get(`/v1/jobs/${upload.body.job_id}`)
    expect(queued.body).toEqual({
      job_id: upload.body.job_id,
      status: 'queued',
      kind: 'training',
      progress: 0,
      created_at: expect.stringMatching(DATE_TIME),
      request_id: queued.headers.get('x-request-id'),
    })
    // A worker records it in this way.
    await idle.db.query(`update jobs set status = 'running', stage = 'training', progress = 0.5 where job_id = $1`, [
      upload.body.job_id,
    ])
    expect((await idle.get(`/v1/jobs/${upload.body.job_id}`)).body).toMatchObject({
      status: 'running',
      stage: 'training',
      progress: 0.5,
    })
  })

  it('[Decisions, Datasets: Job in progress] is cancelled when its dataset is deleted', async () => {
    const upload = await idle.upload(surveyCsv(60), { wait_seconds: '0' })
    expect((await idle.call('DELETE', `/v1/datasets/${upload.body.dataset_id}`)).status).toBe(204)
    const job = await idle.get(`/v1/jobs/${upload.body.job_id}`)
    expect(job.body.status).toBe('cancelled')
    expect(Object.keys(job.body).sort()).toEqual(['created_at', 'job_id', 'kind', 'request_id', 'status'])
  })

  it('[Decisions, Datasets: Job in progress] [Decisions, Access: Operator] is cancelled by the operator, together with its dataset or generation', async () => {
    const upload = await idle.upload(surveyCsv(60), { wait_seconds: '0' }, { key: 'cancelled' })
    const cancel = async (jobId: string) => await idle.operator(`/jobs/${jobId}/cancel`, {})
    expect((await cancel(upload.body.job_id)).body).toMatchObject({ job_id: upload.body.job_id, status: 'cancelled' })
    expect((await idle.get(`/v1/jobs/${upload.body.job_id}`)).body.status).toBe('cancelled')
    expect((await idle.get(`/v1/datasets/${upload.body.dataset_id}`)).status).toBe(404)
    expect((await cancel(upload.body.job_id)).body.status).toBe('cancelled')
    expect((await cancel('job_none')).status).toBe(404)
    expect((await idle.call('POST', `/operator/v1/jobs/${upload.body.job_id}/cancel`)).status).toBe(401)
    const again = await idle.upload(surveyCsv(60), { wait_seconds: '0' }, { key: 'cancelled' })
    expect(again.headers.get('idempotent-replayed')).toBeNull()
  })

  it('[Decisions, Datasets: Job in progress] that has ended is not changed by the operator', async () => {
    const made = await service.generate(survey, { row_count: 5, wait_seconds: 60 })
    const cancelled = await service.operator(`/jobs/${made.body.job_id}/cancel`, {})
    expect(cancelled.body).toMatchObject({ status: 'completed', generation_id: made.body.generation_id })
    expect((await service.get(`/v1/generations/${made.body.generation_id}`)).body.status).toBe('ready')
  })

  it('[Decisions, Datasets: Job in progress] is expired an hour after its work began, and its key is free', async () => {
    const upload = await idle.upload(surveyCsv(60), { wait_seconds: '0' }, { key: 'expires' })
    idle.clock.aheadMs += 2 * HOUR_MS
    await sweep(idle.context)
    expect((await idle.get(`/v1/jobs/${upload.body.job_id}`)).body.status).toBe('queued')
    const time = { nowMs: idle.context.now(), deadlineMs: idle.context.settings.jobDeadlineMinutes * 60_000 }
    await beginJob(idle.context.db, upload.body.job_id, time)
    idle.clock.aheadMs += HOUR_MS - 60_000
    await sweep(idle.context)
    expect((await idle.get(`/v1/jobs/${upload.body.job_id}`)).body.status).toBe('running')
    idle.clock.aheadMs += 60_000
    await endOverdueJobs(idle.context.db, idle.context.now())
    expect((await idle.get(`/v1/jobs/${upload.body.job_id}`)).body.status).toBe('expired')
    expect((await idle.get(`/v1/datasets/${upload.body.dataset_id}`)).status).toBe(404)
    const again = await idle.upload(surveyCsv(60), { wait_seconds: '0' }, { key: 'expires' })
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([202, null])
  })

  it('[GET /v1/jobs/{job_id} 1] is 404 for an unknown one, and for another tenant’s', async () => {
    const { body } = await service.generate(survey, { row_count: 1, wait_seconds: 60 })
    const unknown = await service.get('/v1/jobs/job_0000000000000000000000')
    const foreign = await service.get(`/v1/jobs/${body.job_id}`, { tenant: TENANT_B })
    expect(unknown.status).toBe(404)
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
  })
})
