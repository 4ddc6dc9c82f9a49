import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { S3Server } from '../service/storage/s3-server.ts'
import { makeProject, type Project, shortTracker } from './project-folder.ts'

/** Enough scenarios that a run can be killed half way. */
const STUDY = `version: 1
name: grid
datasets:
  panel: { file: panel.csv }
defaults: { rows: 20, seed: 1, format: csv }
baseline: as-is
scenarios:
  as-is: {}
${Array.from({ length: 39 }, (_, i) => `  s${i}: { shares: { loyalty.member: { "Yes": ${((i + 1) / 40).toFixed(3)} } } }`).join('\n')}
comparisons:
  - { id: lift, scenarios: [s30], shares: [purchase.intent] }
`
const LOCK = 'main/grid/embedded/lock'

let server: S3Server
let one: Project
let other: Project

beforeAll(async () => {
  server = await S3Server.start('')
})

afterAll(async () => await server?.close())

beforeEach(async () => {
  ;[one, other] = await Promise.all([makeProject({ sharesProcess: true }), makeProject({ sharesProcess: true })])
  for (const project of [one, other]) {
    await project.write('panel.csv', shortTracker(['loyalty_member', 'purchase_intent']))
    await project.write('grid.study.yaml', STUDY)
    await project.write('whatif.state.yaml', `bucket: s3://${server.storage.bucket}\nreads: [main]\n`)
  }
  for (const key of await server.objects()) await server.remove(key)
})

afterEach(async () => await Promise.all([one, other].map((project) => project.remove())))

const env = () => ({
  WHATIF_S3_ENDPOINT: server.storage.endpoint,
  WHATIF_S3_REGION: server.storage.region,
  WHATIF_S3_ACCESS_KEY_ID: server.storage.accessKeyId,
  WHATIF_S3_SECRET_ACCESS_KEY: server.storage.secretAccessKey,
})
const whatif = (project: Project, ...args: string[]) => project.whatif(args, { env: env() })
const run = (project: Project, ...args: string[]) => whatif(project, 'run', 'grid.study.yaml', ...args)

describe('a state in a bucket, by the command', () => {
  it('is gone on with on an empty machine after a kill, then read, checked and reported there', async () => {
    const killed = one.start(['run', 'grid.study.yaml'], { env: env() })
    await killed.said(/\d\d of \d+ scenarios done/)
    killed.kill('SIGKILL')
    await killed.finished

    // To the other machine the lock may be alive; to this one it is not.
    const locked = await whatif(one, 'status', 'grid.study.yaml')
    expect(locked.code).toBe(0)
    const unlocked = await whatif(one, 'unlock', 'grid.study.yaml')
    expect(unlocked).toMatchObject({ code: 0, stderr: expect.stringContaining('the lock of an ended run was removed') })
    const resumed = await run(other)
    expect({ code: resumed.code, stderr: resumed.code === 0 ? '' : resumed.stderr }).toEqual({ code: 0, stderr: '' })

    const empty = await makeProject({ sharesProcess: true })
    try {
      for (const name of ['panel.csv', 'grid.study.yaml', 'whatif.state.yaml'])
        await empty.write(name, await other.read(name))
      const plan = await whatif(empty, 'plan', 'grid.study.yaml', '--json', '--detailed-exitcode')
      expect({ code: plan.code, stderr: plan.stderr }).toEqual({ code: 0, stderr: '' })
      const again = await run(empty, '--json', '--download', 's1')
      expect(again.code).toBe(0)
      expect((await empty.list('out/grid')).filter((name) => name.endsWith('.csv'))).toEqual(['s1.csv'])
      // The service did not start, so there is no model.
      expect(await empty.list('.whatif/embedded')).toEqual([])
      const status = await whatif(empty, 'status', 'grid.study.yaml', '--json')
      expect(JSON.parse(status.stdout)).toMatchObject({ exit_code: 0, data: { lock: null } })
      expect((await whatif(empty, 'report', 'out/grid/manifest.json')).stdout).toContain('# `grid`')
      expect((await run(empty, '--download', '*')).code).toBe(0)
      const verified = await whatif(empty, 'verify', 'out/grid', '--json')
      expect(JSON.parse(verified.stdout)).toMatchObject({ exit_code: 0, data: { holds: true } })
    } finally {
      await empty.remove()
    }
  })

  it('is held by one run at a time, and unlock leaves a living one alone', async () => {
    const holder = { pid: 7, host: 'there', place: 'elsewhere', run_id: 'r', started_at: '', heartbeat_at: '' }
    await server.replace(LOCK, Buffer.from(JSON.stringify({ ...holder, heartbeat_at: new Date(0).toISOString() })))
    // Its own clock is wrong by decades; that of the storage counts.
    const second = await run(other, '--lock-timeout', '0s')
    expect(second).toMatchObject({ code: 10, stderr: expect.stringContaining('process 7 on there') })
    expect(await whatif(other, 'unlock', 'grid.study.yaml')).toMatchObject({ code: 10 })
    const status = await whatif(other, 'status', 'grid.study.yaml', '--json')
    expect(JSON.parse(status.stdout)).toMatchObject({ data: { lock: { host: 'there', is_alive: true } } })
    expect(await whatif(other, 'unlock', 'grid.study.yaml', '--force')).toMatchObject({ code: 0 })
    expect(await whatif(other, 'unlock', 'grid.study.yaml')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('there is no lock'),
    })
  })

  it('says what is wrong, and leaves the bucket as it is', async () => {
    const { WHATIF_S3_ACCESS_KEY_ID: _, WHATIF_S3_SECRET_ACCESS_KEY: __, ...noKeys } = env()
    const without = await other.whatif(['run', 'grid.study.yaml'], {
      env: {
        ...noKeys,
        AWS_EC2_METADATA_DISABLED: 'true',
        AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
        AWS_CONFIG_FILE: '/dev/null',
      },
    })
    expect(without).toMatchObject({ code: 5, stderr: expect.stringContaining('There are no credentials') })
    const none = await other.whatif(['plan', 'grid.study.yaml'], {
      env: { ...env(), WHATIF_STATE: 's3://no-such-bucket' },
    })
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('Create the bucket') })
    server.conditions = 'ignored'
    const ignored = await run(other)
    server.conditions = 'kept'
    expect(ignored).toMatchObject({ code: 2, stderr: expect.stringContaining('does not keep to conditional writes') })
    const scope = await run(other, '--scope', 'main')
    expect(scope).toMatchObject({ code: 2, stderr: expect.stringContaining('--scope main') })
    expect(await server.objects()).toEqual([])
  })
})
