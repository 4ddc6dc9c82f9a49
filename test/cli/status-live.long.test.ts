import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { serviceLabel } from '../../src/local/service-connection.ts'
import { makeRig, type Rig } from '../runner/run-rig.ts'
import { SECRET_CANARY, type ServiceDouble, startServiceDouble } from '../runner/service-double.ts'
import { startWhatif } from './project-folder.ts'

describe('the status of a study whose work continues at a remote service', () => {
  let double: ServiceDouble
  let rig: Rig

  beforeEach(async () => {
    double = await startServiceDouble()
    rig = await makeRig(double)
    const connection = { kind: 'remote', baseUrl: double.url, authUrl: double.url, audience: double.url } as const
    const label = serviceLabel({ ...connection, clientId: 'cli_1', clientSecret: SECRET_CANARY })
    const request = { service: { label, kind: 'remote' } } as const
    await rig.run({ request, options: { selection: { select: ['base'], exclude: [] } } })
    double.pollsPerJob = 10_000
    await rig.run({ request, options: { deadlineMs: 20 * 60_000, selection: { select: ['young'], exclude: [] } } })
  })

  afterEach(async () => {
    await rig.remove()
    await double.close()
  })

  const status = (...flags: string[]) => {
    const env = {
      WHATIF_BASE_URL: double.url,
      WHATIF_AUTH_URL: double.url,
      WHATIF_CLIENT_ID: 'cli_1',
      WHATIF_CLIENT_SECRET: SECRET_CANARY,
    }
    return startWhatif(['status', 'demo.study.yaml', ...flags], { cwd: rig.root, env }).finished
  }

  it('asks for its jobs, once each and nothing else, and not with --offline', async () => {
    const before = double.log.length
    const offline = await status('--offline')
    expect(offline).toMatchObject({ code: 0, stderr: '' })
    expect(offline.stdout).toMatch(/^young +running +0 of 100 /m)
    expect(double.log.length).toBe(before)

    const live = await status()
    expect(live).toMatchObject({ code: 0, stderr: '' })
    expect(live.stdout).toMatch(/^young +running \[running, training, 50 %\] /m)
    expect(double.log.slice(before).map(({ method, path }) => `${method} ${path.replace(/\d+/g, 'N')}`)).toEqual([
      'POST /oauth/token',
      'GET /vN/jobs/job_N',
    ])
  })

  it('is shown without them when the service does not answer', async () => {
    double.intercept = () => ({ status: 503 })
    const { code, stdout, stderr } = await status()
    expect(code).toBe(0)
    expect(stderr).toMatch(/^note: the service could not be reached: /)
    expect(stdout).toMatch(/^young +running +0 of 100 /m)
    expect(stdout + stderr).not.toContain(SECRET_CANARY)
  })
})
