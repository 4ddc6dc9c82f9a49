import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { notificationOf, sendNotification } from '../../src/cli/steps/notify-end.ts'
import { type DoubleProject, makeDoubleProject } from './double-project.ts'

const SECRET = 'whsec_c2VjcmV0IG9mIGEgdGVzdCB0aGF0IGlzIGxvbmcgZW5vdWdo'

interface Told {
  readonly headers: Record<string, string>
  readonly text: string
}

/** A chat system that answers with each status in turn, and with the last one from then on. */
let statuses: number[]
let told: Told[]
let receiver: Server
let url: string
beforeEach(async () => {
  statuses = [200]
  told = []
  receiver = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    told.push({ headers: request.headers as Record<string, string>, text: Buffer.concat(pieces).toString() })
    response.writeHead(statuses.length > 1 ? statuses.shift()! : statuses[0]!).end('ok')
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/services/T0/canary-in-address`
})
afterEach(async () => {
  receiver.closeAllConnections()
  await new Promise((done) => receiver.close(done))
})

describe('the end of a run', () => {
  let at: DoubleProject
  beforeEach(async () => {
    at = await makeDoubleProject({ sharesProcess: true })
  })
  afterEach(() => at.remove())
  const run = (env: NodeJS.ProcessEnv, ...args: string[]) =>
    at.project.whatif(['run', 'demo.study.yaml', ...args], { env: { ...at.env, ...env } })

  it('is posted with its counts, signed, and without a word of where', async () => {
    const { code, stdout, stderr } = await run({ WHATIF_NOTIFY_URL: url, WHATIF_NOTIFY_SECRET: SECRET })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(told).toHaveLength(1)
    const message = JSON.parse(told[0]!.text)
    const { totals, run: of } = JSON.parse(await at.project.read('out/demo/manifest.json'))
    expect(message).toMatchObject({
      type: 'run.finished',
      text: `whatif run demo: done; ${totals.ready} of ${totals.scenarios} scenarios ready, ${totals.rows_generated} of ${totals.rows_requested} rows`,
      data: { study: 'demo', run_id: of.id, exit_code: 0, reason: 'ok', totals, gates_failed: 0 },
    })
    expect(new Webhook(SECRET).verify(told[0]!.text, told[0]!.headers)).toEqual(message)
    for (const hidden of [at.double.url, at.project.root]) expect(told[0]!.text).not.toContain(hidden)
    for (const hidden of ['canary-in-address', SECRET]) expect(stdout + stderr).not.toContain(hidden)
  })

  it('is posted when the run was refused, with the reason', async () => {
    const { code } = await run({ WHATIF_NOTIFY_URL: url }, '--budget-rows', '1')
    expect(code).toBe(6)
    const { text, data } = JSON.parse(told[0]!.text)
    expect(text).toContain('whatif run demo: ended with exit code 6 (over_budget); 0 of ')
    expect(data).toMatchObject({ status: 'refused', reason: 'over_budget' })
    expect(told[0]!.headers).not.toHaveProperty('webhook-signature')
  })

  it('does not depend on who is told', async () => {
    statuses = [404]
    const { code, stderr } = await run({ WHATIF_NOTIFY_URL: url })
    expect(code).toBe(0)
    expect(stderr).toContain(
      `warning: ${new URL(url).host} was not told of the end of the run: it answered 404. The run itself is unaffected\n`,
    )
    expect(stderr).not.toContain('canary-in-address')
  })

  it.each([
    ['WHATIF_NOTIFY_URL is not an address', { WHATIF_NOTIFY_URL: 'hooks.example/canary' }],
    ['WHATIF_NOTIFY_URL must be an https address', { WHATIF_NOTIFY_URL: 'http://hooks.example/canary' }],
    ['must not hold a user name or password', { WHATIF_NOTIFY_URL: 'https://me:canary@hooks.example/' }],
    [
      'WHATIF_NOTIFY_SECRET is not a secret',
      { WHATIF_NOTIFY_URL: 'https://hooks.example/', WHATIF_NOTIFY_SECRET: 'canary' },
    ],
    ['but no WHATIF_NOTIFY_URL', { WHATIF_NOTIFY_SECRET: SECRET }],
  ])('%s: refused before anything is sent', async (expected, env) => {
    const { code, stderr } = await run(env)
    expect([code, stderr]).toEqual([2, expect.stringContaining(expected)])
    expect(stderr).not.toContain('canary')
    expect(at.double.log).toEqual([])
  })
})

describe('a message', () => {
  const send = async (address: string) =>
    await sendNotification(notificationOf({ WHATIF_NOTIFY_URL: address })!, '{}', {
      runId: 'run-1',
      nowMs: 1_798_761_600_000,
      waitsMs: [0, 0],
    })

  it.each([
    ['503 and 429 are tried again', [503, 429, 204], 3, null],
    ['three attempts are the most', [500], 3, 'it answered 500'],
    ['a refusal is final', [403], 1, 'it answered 403'],
    ['a redirect leads nowhere', [302], 1, 'it answered 302'],
  ])('%s', async (_, answers, attempts, failure) => {
    statuses = answers
    const found = await send(url)
    expect(told).toHaveLength(attempts)
    expect(new Set(told.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(['msg_run-1']))
    if (failure === null) expect(found).toBeNull()
    else expect(found).toContain(failure)
  })

  it('a receiver that is not there is named by its host', async () => {
    receiver.closeAllConnections()
    await new Promise((done) => receiver.close(done))
    expect(await send(url)).toBe(
      `${new URL(url).host} was not told of the end of the run: connection refused (ECONNREFUSED). The run itself is unaffected`,
    )
    receiver.listen(0, '127.0.0.1')
  })
})
