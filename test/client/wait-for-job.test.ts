import { describe, expect, it } from 'vitest'
import type { JobReply } from '../../src/client/replies.ts'
import { failure, useRig } from './client-rig.ts'
import { badGateway, json, problem, type Step, silence } from './scripted-service.ts'

const rig = useRig()

const GET_JOB = 'GET /v1/jobs/job_1'
const job = (status: string, fields: Record<string, unknown> = {}) =>
  json({ job_id: 'job_1', status, ...fields }, { headers: { 'x-request-id': `srv-${status}` } })

describe('a wait for a job', () => {
  it.each(['completed', 'failed', 'expired', 'cancelled'])('ends with the status %s', async (status) => {
    rig.service.on(GET_JOB, job('queued'), job('running'), job(status))
    const reply = await rig.client.waitForJob('job_1')
    expect(reply).toMatchObject({ value: { job_id: 'job_1', status }, requestId: `srv-${status}` })
    expect(rig.service.to(GET_JOB)).toHaveLength(3)
  })

  it('treats unknown statuses as work in progress', async () => {
    rig.service.on(GET_JOB, job('in_progress'), job('COMPLETED'), job('completed', { dataset_id: 'ds_1' }))
    const seen: JobReply['status'][] = []
    const reply = await rig.client.waitForJob('job_1', { onPoll: ({ status }) => seen.push(status) })
    expect(seen).toEqual(['unknown', 'unknown', 'completed'])
    expect(reply.value.dataset_id).toBe('ds_1')
  })

  it('shows progress with every poll', async () => {
    rig.service.on(GET_JOB, job('running', { progress: 0.25, stage: 'training' }), job('completed', { progress: 1 }))
    const seen: unknown[] = []
    await rig.client.waitForJob('job_1', { onPoll: ({ progress, stage }) => seen.push([progress, stage]) })
    expect(seen).toEqual([
      [0.25, 'training'],
      [1, undefined],
    ])
  })

  it('polls first after about a quarter of a second, then less and less often, at most 15 s apart', async () => {
    rig.service.on(GET_JOB, ...Array.from({ length: 14 }, () => job('running')), job('completed'))
    await rig.client.waitForJob('job_1')
    const factor = 0.9 // half of the jitter
    expect(rig.clock.waits.slice(0, 4).map(Math.round)).toEqual([225, 360, 576, 922])
    expect(Math.max(...rig.clock.waits)).toBe(15_000 * factor)
  })

  it('asks the service to hold the answer about as long as it would wait, and counts that as waiting', async () => {
    const held: Step = async (exchange) => {
      rig.clock.advance(1_000 * Number(/^wait=(\d+)$/.exec(String(exchange.request.headers.prefer))?.[1]))
      await job(exchange.nth < 12 ? 'running' : 'completed')(exchange)
    }
    rig.service.on(GET_JOB, held)
    await rig.client.waitForJob('job_1')
    const asked = rig.service.to(GET_JOB).map(({ headers }) => headers.prefer)
    expect(asked.slice(0, 6)).toEqual(['wait=1', 'wait=1', 'wait=1', 'wait=2', 'wait=3', 'wait=4'])
    expect(asked.at(-1)).toBe('wait=15')
    expect(rig.clock.waits.map(Math.round)).toEqual([225, ...Array.from({ length: 11 }, () => 0)])
  })

  it('waits the rest of its delay when a poll comes back early', async () => {
    const early: Step = async (exchange) => {
      rig.clock.advance(100)
      await job(exchange.nth < 3 ? 'running' : 'completed')(exchange)
    }
    rig.service.on(GET_JOB, early)
    await rig.client.waitForJob('job_1')
    expect(rig.clock.waits.map(Math.round)).toEqual([225, 260, 476])
  })

  it('is not changed by a clock that is set back', async () => {
    const backwards: Step = async (exchange) => {
      rig.clock.advance(-3_600_000)
      await job(exchange.nth < 2 ? 'running' : 'completed')(exchange)
    }
    rig.service.on(GET_JOB, backwards)
    await rig.client.waitForJob('job_1')
    expect(rig.clock.waits.map(Math.round)).toEqual([225, 360])
  })

  it('survives temporary failures', async () => {
    rig.service.on(GET_JOB, job('running'), badGateway, problem(503, null), job('completed'))
    expect((await rig.client.waitForJob('job_1')).value.status).toBe('completed')
  })

  it('ends when the job is not known', async () => {
    rig.service.on(GET_JOB, problem(404, 'svc_not_found'))
    expect(await failure(rig.client.waitForJob('job_1'))).toMatchObject({ kind: 'not_found', requestId: 'srv-1' })
  })

  it('begins no poll after the deadline, and reports the last status of the job', async () => {
    rig.service.on(GET_JOB, job('running'))
    const deadlineMs = rig.clock.now() + 10_000
    const error = await failure(rig.client.waitForJob('job_1', { deadlineMs }))
    expect(error).toMatchObject({ kind: 'deadline', requestId: 'srv-running', status: null })
    expect(error.message).toBe(
      'The wait for job job_1 (its status was running): no answer before the deadline. Request id: srv-running. ' +
        'Work that the service has started may continue; run again to collect it, or allow more time.',
    )
    expect(rig.clock.now()).toBeLessThan(deadlineMs)
  })

  it('ends with the reason of an abort, while it waits and while it polls', async () => {
    const reason = new Error('enough')
    const control = new AbortController()
    rig.service.on(GET_JOB, job('running'), silence)
    const call = rig.client.waitForJob('job_1', { signal: control.signal })
    await rig.service.asked(GET_JOB, 2)
    control.abort(reason)
    await expect(call).rejects.toBe(reason)
  })

  it('never has two polls of one job under way', async () => {
    let open = 0
    let most = 0
    let polls = 0
    const slow: Step = async (exchange) => {
      most = Math.max(most, ++open)
      polls++
      await new Promise((resolve) => setImmediate(resolve))
      open--
      await job(polls >= 6 ? 'completed' : 'running')(exchange)
    }
    rig.service.on(GET_JOB, slow)
    const waits = Array.from({ length: 8 }, () => rig.client.waitForJob('job_1'))
    const statuses = (await Promise.all(waits)).map(({ value }) => value.status)
    expect(new Set(statuses)).toEqual(new Set(['completed']))
    expect(most).toBe(1)
  })
})
