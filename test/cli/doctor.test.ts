import { chmod } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkDisk, checkFolder, checkNetworkVariables, checkNode } from '../../src/cli/doctor/machine-checks.ts'
import { checkRemoteService, clockCheck, contractCheck } from '../../src/cli/doctor/service-checks.ts'
import { SECRET_CANARY, type ServiceDouble, startServiceDouble, TOKEN_CANARY } from '../runner/service-double.ts'
import { makeProject, type Project } from './project-folder.ts'

const GIB = 2 ** 30

describe('the machine', () => {
  it.each([
    ['20.18.3', 'fail'],
    ['18.20.0', 'fail'],
    ['20.19.0', 'ok'],
    ['24.0.0', 'ok'],
  ])('with Node.js %s is: %s', (version, status) => {
    expect(checkNode(version)).toMatchObject({ status, exitCode: status === 'fail' ? 2 : 0 })
  })

  it.each([
    [0.05 * GIB, 'fail', 2],
    [0.5 * GIB, 'warn', 0],
    [5 * GIB, 'ok', 0],
  ])('with %d bytes free is: %s', async (bytes, status, exitCode) => {
    expect(await checkDisk('.', bytes)).toMatchObject({ status, exitCode })
  })

  it('has the free space of a real disk, and of a missing one as unknown', async () => {
    expect((await checkDisk('.')).message).toMatch(/^\d+\.\d GiB are free/)
    expect(await checkDisk('/no/such/folder')).toMatchObject({ status: 'warn' })
  })

  it('with a missing folder cannot be written to', async () => {
    expect(await checkFolder('/no/such/folder')).toMatchObject({ status: 'fail', exitCode: 2 })
  })

  it('whose variables name a proxy has a note that it is not used, without its address', () => {
    const checks = checkNetworkVariables({ https_proxy: 'http://user:canary@proxy:1', HTTP_PROXY: 'http://canary' })
    expect(checks).toMatchObject([{ status: 'warn' }])
    expect(checks[0]?.message).toContain('HTTP_PROXY, https_proxy are set but not used')
    expect(JSON.stringify(checks)).not.toContain('canary')
    expect(checkNetworkVariables({})).toMatchObject([{ status: 'ok' }])
  })

  it('that does not check certificates fails', () => {
    expect(checkNetworkVariables({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }).at(-1)).toMatchObject({
      status: 'fail',
      exitCode: 5,
    })
  })
})

describe('the clock and the contract', () => {
  it.each([
    [0, 'ok', 'agree'],
    [59_000, 'ok', 'agree'],
    [90_000, 'warn', '90 s behind that of the service'],
    [-3_600_000, 'warn', '3600 s ahead of that of the service'],
  ])('%d ms apart are: %s', (skew, status, message) => {
    expect(clockCheck(skew)).toMatchObject({ status })
    expect(clockCheck(skew).message).toContain(message)
  })

  it.each([
    ['1.0.0', 'ok'],
    ['1.7.2', 'ok'],
    ['2.0.0', 'warn'],
    [null, 'warn'],
  ])('version %s is: %s', (version, status) => {
    expect(contractCheck(version)).toMatchObject({ status })
  })
})

describe('a remote service', () => {
  let double: ServiceDouble
  beforeAll(async () => {
    double = await startServiceDouble()
  })
  afterAll(() => double.close())

  type Interception = ReturnType<ServiceDouble['intercept']>
  const health = { status: 200, json: { status: 'ok' } }
  const paths = (own: Readonly<Record<string, Interception>>) => {
    const all: Readonly<Record<string, Interception>> = {
      '/healthz': health,
      '/openapi.json': { status: 200, json: { openapi: '3.1.0', info: { version: '1.0.0' } } },
      '/v1/datasets': { status: 200, json: { datasets: [], next_cursor: null } },
      ...own,
    }
    double.intercept = ({ path }) => all[path.split('?')[0]!]
  }
  beforeEach(() => paths({}))

  const connection = (clientSecret = SECRET_CANARY) =>
    ({ kind: 'remote', baseUrl: double.url, authUrl: double.url, audience: 'a', clientId: 'c', clientSecret }) as const
  const check = async (clientSecret?: string) =>
    (await checkRemoteService(connection(clientSecret))).map(({ name, status, exitCode }) => [name, status, exitCode])

  it('that is usable gives a line of ok for each check', async () => {
    expect(await check()).toEqual([
      ['service', 'ok', 0],
      ['clock', 'ok', 0],
      ['contract', 'ok', 0],
      ['token', 'ok', 0],
    ])
  })

  it.each<[what: string, own: Record<string, Interception>, line: readonly unknown[]]>([
    ['is ill', { '/healthz': { status: 503, json: {} } }, ['service', 'fail', 11]],
    ['is something else', { '/healthz': { status: 404, json: {} } }, ['service', 'warn', 0]],
    [
      'has another time',
      { '/healthz': { ...health, headers: { date: 'Thu, 01 Jan 2026 00:00:00 GMT' } } },
      ['clock', 'warn', 0],
    ],
    [
      'speaks another version',
      { '/openapi.json': { status: 200, json: { info: { version: '2.0' } } } },
      ['contract', 'warn', 0],
    ],
    ['does not tell its version', { '/openapi.json': { status: 404, json: {} } }, ['contract', 'warn', 0]],
    [
      'does not describe it in words',
      { '/openapi.json': { status: 200, json: { info: [] } } },
      ['contract', 'warn', 0],
    ],
    ['refuses the token', { '/v1/datasets': { status: 401, json: {} } }, ['token', 'fail', 5]],
    ['does not let this client in', { '/v1/datasets': { status: 403, json: {} } }, ['token', 'fail', 5]],
    ['lists nothing', { '/v1/datasets': { status: 404, json: {} } }, ['token', 'warn', 0]],
  ])('that %s is reported with that message', async (_what, own, line) => {
    paths(own)
    expect(await check()).toContainEqual(line)
  })

  it('with a secret that the identity provider refuses fails, and repeats neither secret nor token', async () => {
    const checks = await checkRemoteService(connection('canary-of-mine'))
    expect(checks.at(-1)).toMatchObject({ name: 'token', status: 'fail', exitCode: 5 })
    expect(JSON.stringify(checks)).not.toMatch(/canary/)
    expect(JSON.stringify(await checkRemoteService(connection()))).not.toContain(TOKEN_CANARY)
  })

  it('that cannot be reached has only that line', async () => {
    paths({ '/healthz': 'drop' })
    expect(await check()).toEqual([['service', 'fail', 11]])
  })
})

describe('whatif doctor', () => {
  let project: Project
  beforeAll(async () => {
    project = await makeProject()
  })
  afterAll(() => project.remove())

  it('prints a line per check and leaves nothing behind', async () => {
    const { code, stdout, stderr } = await project.whatif(['doctor'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n').flatMap((line) => /^\w+ +\w+/.exec(line)?.[0] ?? [])).toEqual([
      'ok    node',
      'ok    folder',
      'ok    disk',
      'ok    proxy',
      'ok    service',
    ])
    expect(await project.files()).toEqual(['package.json'])
  })

  it('ends with 5 on half a configuration, and on credentials that others can read', async () => {
    const half = await project.whatif(['doctor', '--json'], { env: { WHATIF_CLIENT_SECRET: 'canary-secret' } })
    expect(half.code).toBe(5)
    const { data, exit_code, ok } = JSON.parse(half.stdout)
    expect({ exit_code, ok }).toEqual({ exit_code: 5, ok: false })
    expect(data.checks.at(-1)).toMatchObject({ name: 'credentials', status: 'fail' })
    expect(half.stdout + half.stderr).not.toContain('canary')

    await project.write('mine.json', JSON.stringify({ client_id: 'a', client_secret: 'canary' }))
    await chmod(project.path('mine.json'), 0o644)
    const env = {
      WHATIF_BASE_URL: 'https://service.example',
      WHATIF_AUTH_URL: 'https://auth.example',
      WHATIF_CREDENTIALS_FILE: project.path('mine.json'),
    }
    const open = await project.whatif(['doctor'], { env })
    expect(open.code).toBe(5)
    expect(open.stdout).toContain('fail  credentials')
    expect(open.stdout).toContain('chmod 600')
    expect(open.stdout).not.toContain('canary')
    for (const line of open.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })
})
