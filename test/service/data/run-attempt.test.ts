import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runAttempt } from '../../../src/service/work/run-attempt.ts'
import { type DataService, form, startDataService, surveyCsv } from './data-service.ts'

let service: DataService

beforeAll(async () => {
  service = await startDataService({ work: false })
})
afterAll(async () => await service?.close())

async function newJob(): Promise<string> {
  const upload = { method: 'POST', body: form({ seed_file: new Blob([surveyCsv(60)]) }) }
  return (await service.ask('/v1/datasets', upload)).body.job_id
}

const statusOf = async (jobId: string) => (await service.ask(`/v1/jobs/${jobId}`)).body

describe('a job', () => {
  it('survives any number of stops in good order, and is queued in between', async () => {
    const jobId = await newJob()
    for (let stop = 0; stop < 10; stop++) {
      const stopping = new AbortController()
      const reason = new Error('stopping')
      const running = runAttempt(service.context, jobId, stopping.signal, async (_attempt, { signal }) => {
        expect((await statusOf(jobId)).status).toBe('running')
        stopping.abort(reason)
        signal.throwIfAborted()
      })
      await expect(running).rejects.toBe(reason)
      expect((await statusOf(jobId)).status).toBe('queued')
    }
  })

  it('that kills its process each time is given up at the fourth beginning', async () => {
    const jobId = await newJob()
    for (let death = 0; death < 3; death++) {
      // Neither resolves nor rejects, as in a process that is gone.
      await new Promise<void>((begun) => {
        void runAttempt(service.context, jobId, new AbortController().signal, async () => {
          begun()
          await new Promise(() => undefined)
        })
      })
      expect((await statusOf(jobId)).status).toBe('running')
    }
    const last = runAttempt(service.context, jobId, new AbortController().signal, async () => {
      throw new Error('It was begun a fourth time.')
    })
    await expect(last).rejects.toThrow('did not expect')
    expect(await statusOf(jobId)).toMatchObject({ status: 'failed', error: { code: 'svc_internal' } })
  })
})
