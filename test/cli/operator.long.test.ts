import { chmod } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProject, type Project, type Running } from './project-folder.ts'

const OPERATOR_TOKEN = 'operator-canary-of-the-operator-test'

let project: Project
let serving: Running
let baseUrl = ''
let env: NodeJS.ProcessEnv = {}

beforeAll(async () => {
  project = await makeProject({ sharesProcess: true })
  serving = project.start(['serve', '--data', 'server', '--port', '0', '--json', '--rate-limits', 'off'], {
    env: { WHATIF_OPERATOR_TOKEN: OPERATOR_TOKEN },
  })
  baseUrl = JSON.parse(await serving.firstLine()).base_url
  env = { WHATIF_BASE_URL: baseUrl, WHATIF_OPERATOR_TOKEN: OPERATOR_TOKEN }
})
afterAll(async () => {
  serving?.kill('SIGTERM')
  await serving?.finished
  await project?.remove()
})

const operator = (...args: string[]) => project.whatif(['operator', ...args], { env })

/** The stdout of a successful command, which writes nothing on stderr. */
async function output(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await operator(...args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).not.toContain(OPERATOR_TOKEN)
  return stdout
}
const data = async (...args: string[]) => {
  const document = JSON.parse(await output(...args, '--json'))
  expect(document).toMatchObject({ format_version: 1, ok: true, exit_code: 0, diagnostics: [] })
  return document.data
}

async function signUp(company: string, email: string): Promise<string> {
  const reply = await fetch(`${baseUrl}/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ company_name: company, contact_email: email }),
  })
  const { request_id: requestId } = (await reply.json()) as { request_id: string }
  // Signups of one millisecond have no order in which they came.
  const answeredAt = Date.now()
  await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(answeredAt)
  return requestId
}

async function call(path: string, body: object): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await reply.json()) as Record<string, string>
}

async function upload(token: string, rows: number): Promise<string> {
  const line = (i: number) => [i % 7, (i * 7919) % 1000, (i * 104729) % 9973, (i * 31) % 4999].join(',')
  const form = new FormData()
  form.append('seed_file', new Blob([`a,b,c,d\n${Array.from({ length: rows }, (_, i) => line(i)).join('\n')}\n`]))
  const headers = { authorization: `Bearer ${token}` }
  const reply = await fetch(`${baseUrl}/v1/datasets`, { method: 'POST', headers, body: form })
  return ((await reply.json()) as { job_id: string }).job_id
}

async function claimTokenOf(requestId: string): Promise<string> {
  const reply = await fetch(`${baseUrl}/v1/signup/${requestId}`)
  return ((await reply.json()) as { credential_claim_token: string }).credential_claim_token
}

describe('whatif operator', () => {
  it('lists, approves and declines signups, and sets limits of the new tenants', async () => {
    const first = await signUp('Roast & Co', 'a@roast.example')
    const second = await signUp('Bean Works', 'b@bean.example')
    const third = await signUp('Roast & Co', 'c@roast.example')
    const { signups } = await data('signups', '--status', 'pending')
    const since = signups[0].created_at.slice(0, 10)
    expect(await output('signups', '--status', 'pending')).toBe(
      [
        `REQUEST                     STATUS   SINCE       COMPANY     E-MAIL`,
        `${third}  pending  ${since}  Roast & Co  c@roast.example`,
        `${second}  pending  ${since}  Bean Works  b@bean.example`,
        `${first}  pending  ${since}  Roast & Co  a@roast.example`,
        '',
      ].join('\n'),
    )

    const approved = await data('approve', first)
    expect(approved).toMatchObject({ request_id: first, status: 'approved', client_id: expect.stringMatching(/^cli_/) })
    expect(await output('decline', second)).toBe(`${second}: declined\n`)
    const [tenant] = (await data('tenants')).tenants
    expect(tenant).toMatchObject({ name: 'Roast & Co', client_ids: [approved.client_id], rows_used: 0 })
    const second_client = /client (cli_\w+)\n$/.exec(await output('approve', third, '--tenant', tenant.tenant_id))?.[1]
    expect((await data('signups')).signups.map(({ status }: { status: string }) => status)).toEqual([
      'approved',
      'declined',
      'approved',
    ])

    await output('quota', tenant.tenant_id, '--cap', '5000', '--subscription', '20000')
    const kept = await output('retention', tenant.tenant_id, '72')
    expect(kept).toBe(
      [
        `TENANT                      NAME        USED      OF  PER REQUEST  STORED  KEPT`,
        `${tenant.tenant_id}  Roast & Co     0  20,000        5,000     0 B  72 h`,
        `  client ${approved.client_id}`,
        `  client ${second_client}`,
        '',
      ].join('\n'),
    )
    expect(await output('quota', tenant.tenant_id, '--subscription', 'none')).toContain('no limit        5,000')
    expect(await output('tenants')).toBe(await output('quota', tenant.tenant_id, '--cap', '5000'))
    expect(await output('revoke-tokens', approved.client_id)).toBe(`${approved.client_id}: tokens revoked\n`)
    const log = (await output('log', '--last', '2')).split('\n').map((line) => line.trim().split(/\s{2,}/))
    expect(log.slice(0, 3).map(([, ...rest]) => rest)).toEqual([
      ['WHAT', 'STATUS', 'ABOUT'],
      ['revokeClientTokens', '200', approved.client_id],
      ['setTenantQuota', '200', tenant.tenant_id],
    ])
    expect(log).toHaveLength(4)
  })

  it('shows the text of strangers without terminal control codes, cut to 80 columns', async () => {
    const hostile = `Evil \u202e ${'Company '.repeat(20)}`
    await signUp(hostile, `${'x'.repeat(60)}@evil.example`)
    const table = await output('signups', '--status', 'pending')
    expect(table).toContain('Evil \\u{202e}')
    for (const line of table.split('\n')) expect([...line].length).toBeLessThanOrEqual(80)
    const json = await output('signups', '--status', 'pending', '--json')
    expect(json).not.toContain('\u202e')
    expect(JSON.parse(json).data.signups[0].company_name).toContain('\u202e')
  })

  it('follows the pages to their end', async () => {
    const ids: string[] = []
    for (let n = 0; n < 120; n++) ids.push(await signUp(`Company ${n}`, `n${n}@many.example`))
    const listed = (await data('signups')).signups.map((signup: { request_id: string }) => signup.request_id)
    expect(listed.slice(0, 120)).toEqual(ids.reverse())
    expect(new Set(listed).size).toBe(listed.length)
  })

  it('cancels a job, and names an unknown one', async () => {
    const id = await signUp('Slow & Sons', 'slow@jobs.example')
    const { client_id: clientId } = await data('approve', id)
    const credentials = await call('/v1/credential-claims', { claim_token: await claimTokenOf(id) })
    const { access_token: token } = await call('/oauth/token', {
      client_id: clientId,
      client_secret: credentials.client_secret,
      audience: credentials.audience,
      grant_type: credentials.grant_type,
    })
    // The one worker has so much to do with the first two that the third waits.
    for (let n = 0; n < 2; n++) await upload(token as string, 150_000)
    const jobId = await upload(token as string, 100)
    expect(await output('jobs')).toMatch(new RegExp(`^${jobId} .* training +queued `, 'm'))
    expect((await data('jobs', '--trouble')).jobs).toEqual([])
    expect(await output('cancel', jobId)).toBe(`${jobId}: cancelled\n`)
    const unknown = await operator('cancel', 'job_0000000000000000000000')
    expect([unknown.code, unknown.stdout]).toEqual([2, ''])
    expect(unknown.stderr).toContain('Check the id')
  })

  it('uses the token of the data folder, if nobody else can read it', async () => {
    await project.write('folder/operator.token', `${OPERATOR_TOKEN}\n`)
    await chmod(project.path('folder/operator.token'), 0o600)
    const args = ['operator', 'tenants', '--data', 'folder', '--service', baseUrl]
    expect((await project.whatif(args)).code).toBe(0)
    await chmod(project.path('folder/operator.token'), 0o644)
    const refused = await project.whatif(args)
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('can be read by others')])
    expect(refused.stderr).not.toContain(OPERATOR_TOKEN)
  })

  it.each([
    { args: ['approve', 'req_unknown'], code: 2, said: /404.*\nCheck the id/s },
    { args: ['approve', 'req_unknown', '--tenant', ''], code: 2, said: /--tenant <id>' argument '' is invalid/ },
    { args: ['quota', 'ten_unknown', '--cap', '5'], code: 2, said: /404.*\nCheck the id/s },
    { args: ['quota', 'ten_unknown'], code: 2, said: /nothing to set/ },
    { args: ['quota', 'ten_unknown', '--cap', '0'], code: 2, said: /whole number of at least 1/ },
    { args: ['quota', 'ten_unknown', '--subscription', 'all'], code: 2, said: /whole number/ },
    { args: ['retention', 'ten_unknown', '0'], code: 2, said: /hours '0' is invalid/ },
    { args: ['retention', 'ten_unknown', '169'], code: 2, said: /retention_hours/ },
    { args: ['signups', '--status', 'lost'], code: 2, said: /Allowed choices are pending, approved, declined/ },
    { args: ['signups', '--service', 'http://service.example'], code: 5, said: /must be https/ },
    { args: ['tenants', '--service', 'http://localhost:1'], code: 11, said: /localhost:1|GET/ },
  ])('$args ends with $code', async ({ args, code, said }) => {
    const ended = await operator(...args)
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', expect.stringMatching(said)])
    expect(ended.stderr).not.toContain(OPERATOR_TOKEN)
  })

  it.each([
    { name: 'without a token', given: {}, code: 5, said: /there is no operator token\nSet WHATIF_OPERATOR_TOKEN/ },
    { name: 'with a wrong one', given: { WHATIF_OPERATOR_TOKEN: 'canary-of-a-wrong-token' }, code: 5, said: /401/ },
    { name: 'with one no header carries', given: { WHATIF_OPERATOR_TOKEN: 'ca na ry' }, code: 5, said: /is invalid/ },
  ])('ends with $code $name', async ({ given, code, said }) => {
    const ended = await project.whatif(['operator', 'tenants'], { env: { WHATIF_BASE_URL: baseUrl, ...given } })
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', expect.stringMatching(said)])
    expect(ended.stderr).not.toMatch(/canary|ca na ry/)
  })
})

describe('a service that returns the same page endlessly', () => {
  let server: Server
  beforeAll(async () => {
    server = createServer((_request, reply) => {
      reply.setHeader('content-type', 'application/json').end('{"tenants": [], "next_cursor": "ten_1"}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => server.close())

  it('ends the command with an error', async () => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const ended = await operator('tenants', '--service', address)
    expect([ended.code, ended.stderr]).toEqual([11, 'error: the service sent the same page twice\n'])
  })
})

describe('sweeps', () => {
  it('are running, and there is nothing to restore', async () => {
    const text = 'Sweeps are running.\nexpired and not removed yet: 0 datasets, 0 generations\n'
    expect(await output('sweeps')).toBe(text)
    expect(await output('resume-sweeps')).toBe(text)
    expect(await output('restore-expired', '--hours', '2')).toBe('restored: 0 datasets, 0 generations\n')
    expect(await data('sweeps')).toEqual({ restorable: { datasets: 0, generations: 0 } })
  })

  it('are shown as held with the reason and the command to type', async () => {
    const state = {
      held: { since: '2026-01-02T00:00:00.000Z', due: 1257, living: 12 },
      restorable: { datasets: 31, generations: 1226 },
    }
    const server = createServer((_request, reply) => {
      reply.setHeader('content-type', 'application/json').end(JSON.stringify(state))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const said = await output('sweeps', '--service', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    server.close()
    expect(said).toBe(
      [
        'Sweeps have been held since 2026-01-02T00:00:00.000Z. They remove nothing.',
        '1,257 datasets and generations expired while no process watched; 12 have not expired.',
        'Either the service was off, or the clock of the database has jumped.',
        'If that clock is right, type: whatif operator resume-sweeps',
        'To keep them for another day, type: whatif operator restore-expired',
        'expired and not removed yet: 31 datasets, 1,226 generations',
        '',
      ].join('\n'),
    )
  })
})
