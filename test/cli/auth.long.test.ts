import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProject, type Project, type Running } from './project-folder.ts'

const OPERATOR_TOKEN = 'operator-token-of-the-auth-test'
const STUDY = `version: 1
name: small
datasets:
  panel: { file: panel.csv }
scenarios:
  as-is: { rows: 10, seed: 1 }
`

let project: Project
let serving: Running
let baseUrl = ''
let env: NodeJS.ProcessEnv = {}

beforeAll(async () => {
  project = await makeProject({ sharesProcess: true })
  const rows = Array.from({ length: 200 }, (_, i) => `${i % 3 ? 'Yes' : 'No'},${i % 2 ? 'north' : 'south'}`)
  await project.write('panel.csv', `answer,region\n${rows.join('\n')}\n`)
  await project.write('small.study.yaml', STUDY)
  serving = project.start(['serve', '--data', 'server', '--port', '0', '--json'], {
    env: { WHATIF_OPERATOR_TOKEN: OPERATOR_TOKEN },
  })
  baseUrl = JSON.parse(await serving.firstLine()).base_url
  env = { HOME: project.path('home'), WHATIF_BASE_URL: baseUrl }
})
afterAll(async () => {
  serving?.kill('SIGTERM')
  await serving?.finished
  await project?.remove()
})

const auth = (...args: string[]) => project.whatif(['auth', ...args], { env })
const file = () => project.path(`home/.config/whatif/credentials/${encodeURIComponent(baseUrl)}.json`)
const stored = async () => JSON.parse(await readFile(file(), 'utf8'))
const mintStatus = async (client_secret: string) => {
  const { client_id, audience } = await stored()
  const body = JSON.stringify({ client_id, client_secret, audience, grant_type: 'client_credentials' })
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`${baseUrl}/oauth/token`, { method: 'POST', headers, body })).status
}

describe('whatif auth', () => {
  it('goes from signup to credentials that commands use, and rotates them, without showing a secret', async () => {
    const said: string[] = []
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await auth(...args)
      said.push(stdout, stderr)
      return { code, stdout, stderr }
    }
    expect(await run('signup', '--company', 'Roast & Co', '--email', 'a@example.org')).toEqual({
      code: 0,
      stdout: `request for access recorded at ${baseUrl} (pending)\n`,
      stderr: '',
    })
    expect((await run('status')).stdout).toBe('pending\n')
    expect(JSON.parse((await run('status', '--json')).stdout)).toEqual({
      format_version: 1,
      command: 'auth status',
      ok: true,
      exit_code: 0,
      data: { service: baseUrl, status: 'pending', claimable: false, client_id: null },
      diagnostics: [],
    })
    expect(await run('claim')).toEqual({
      code: 5,
      stdout: '',
      stderr: 'error: the request for access is pending; there is nothing to claim\n',
    })
    const early = await project.whatif(['validate', 'small.study.yaml'], { env })
    expect([early.code, early.stderr]).toEqual([5, expect.stringContaining('missing: ')])

    const { request_id: requestId } = await stored()
    const approval = await fetch(`${baseUrl}/operator/v1/signups/${requestId}/approve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    })
    expect(approval.status).toBe(200)
    expect((await run('status')).stdout).toBe('approved\nrun whatif auth claim to get the credentials\n')
    expect((await run('claim')).stdout).toBe('credentials claimed and stored\n')
    const first = await stored()
    expect((await stat(file())).mode & 0o777).toBe(0o600)
    expect(await mintStatus(first.client_secret)).toBe(200)
    expect((await run('claim')).code).toBe(5)
    expect((await run('status')).stdout).toBe(`approved\ncredentials of ${first.client_id} are stored\n`)
    expect(JSON.parse((await run('status', '--json')).stdout).data).toMatchObject({
      status: 'approved',
      client_id: first.client_id,
    })

    expect((await run('rotate')).code).toBe(0)
    const second = await stored()
    expect(second).toEqual({ ...first, client_secret: second.client_secret })
    expect(await mintStatus(first.client_secret)).toBe(401)
    expect(await mintStatus(second.client_secret)).toBe(200)

    const live = await project.whatif(['validate', 'small.study.yaml'], { env })
    expect([live.code, live.stderr]).toEqual([0, expect.any(String)])
    expect(await project.list('.whatif')).not.toContain('embedded')
    for (const secret of [requestId, first.client_secret, second.client_secret]) {
      expect([...said, live.stdout, live.stderr].join('\n')).not.toContain(secret)
    }

    // The credentials of the environment come first; one of them alone is not filled up from the stored ones.
    const half = await project.whatif(['validate', 'small.study.yaml'], { env: { ...env, WHATIF_CLIENT_ID: 'cli_x' } })
    expect([half.code, half.stderr]).toEqual([5, expect.stringContaining('the client secret')])

    await chmod(file(), 0o644)
    const open = await auth('rotate')
    expect([open.code, open.stderr]).toEqual([5, expect.stringContaining('can be read by others')])
    await chmod(file(), 0o600)
    await writeFile(file(), `{"client_secret": "${second.client_secret}"`)
    const damaged = await auth('rotate')
    expect([damaged.code, damaged.stderr]).toEqual([5, expect.stringContaining('are damaged')])
    expect(damaged.stderr).not.toContain(second.client_secret)
    await rm(file())
  })

  it.each([
    { args: ['signup', '--company', 'A', '--email', 'nobody'], code: 2, said: /contact_email/ },
    { args: ['signup', '--company', 'A'], code: 2, said: /required option '--email/ },
    { args: ['status', '--service', 'http://service.example'], code: 5, said: /must be https/ },
    { args: ['status', '--service', 'http://localhost:1'], code: 5, said: /no request for access to .* is known here/ },
    { args: ['rotate', '--service', 'http://localhost:1'], code: 5, said: /no credentials of .* are stored/ },
  ])('$args ends with $code', async ({ args, code, said }) => {
    const ended = await auth(...args)
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(said)])
  })

  it('without a service named ends with 5', async () => {
    const { code, stderr } = await project.whatif(['auth', 'status'], { env: { HOME: project.path('home') } })
    expect([code, stderr]).toEqual([
      5,
      'error: no service is configured\nSet WHATIF_BASE_URL, or pass --service URL.\n',
    ])
  })
})
