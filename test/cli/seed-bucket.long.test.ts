import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { S3Server } from '../service/storage/s3-server.ts'
import { makeProject, type Project, shortTracker } from './project-folder.ts'

const SEED = shortTracker(['region', 'age', 'loyalty_member'])
const SHA = createHash('sha256').update(SEED).digest('hex')
const KEY = 'waves/panel.csv'

const study = (file: string, sha256 = SHA, declared = '') => `version: 1
name: tracker
datasets:
  panel:
    file: ${file}
    sha256: ${sha256}${declared}
defaults: { rows: 20, seed: 1, format: csv }
scenarios:
  as-is: {}
  more: { shares: { loyalty.member: { "Yes": 0.6 } } }
`

let server: S3Server
let project: Project

beforeAll(async () => {
  server = await S3Server.start('')
})

afterAll(async () => await server?.close())

beforeEach(async () => {
  server.lines.length = 0
  server.fault = () => null
  await server.replace(KEY, Buffer.from(SEED))
  project = await makeProject({ sharesProcess: true })
  await project.write('tracker.study.yaml', study(address()))
})

afterEach(async () => await project.remove())

const address = (key = KEY) => `s3://${server.storage.bucket}/${key}`
const env = () => ({
  WHATIF_SEED_BUCKETS: `${server.storage.bucket}/waves`,
  WHATIF_S3_ENDPOINT: server.storage.endpoint,
  WHATIF_S3_REGION: server.storage.region,
  WHATIF_S3_ACCESS_KEY_ID: server.storage.accessKeyId,
  WHATIF_S3_SECRET_ACCESS_KEY: server.storage.secretAccessKey,
})
const whatif = (...args: string[]) => project.whatif(args, { env: env() })
const reads = () => server.lines.filter((line) => line === `GET ${KEY}`).length

describe('a seed file in a bucket, by the command', () => {
  it('is planned, checked, locked, run and verified as a file on this disk, and read once', async () => {
    const plan = await whatif('plan', 'tracker.study.yaml', '--json')
    expect({ code: plan.code, stderr: plan.stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(plan.stdout)).toMatchObject({ data: { datasets: { panel: { source: address() } } } })
    expect(await whatif('validate', 'tracker.study.yaml')).toMatchObject({ code: 0 })
    expect(await whatif('lock', 'tracker.study.yaml')).toMatchObject({ code: 0 })
    const inspected = await whatif('inspect', 'tracker.study.yaml#panel')
    expect({ code: inspected.code, said: inspected.stdout }).toMatchObject({
      code: 0,
      said: expect.stringContaining('loyalty.member'),
    })
    expect(await whatif('run', 'tracker.study.yaml', '--locked')).toMatchObject({ code: 0 })
    expect(JSON.parse(await project.read('out/tracker/manifest.json'))).toMatchObject({
      datasets: { panel: { source: address(), sha256: SHA } },
    })
    expect(reads()).toBe(1)
    expect(await project.list('.whatif/seeds')).toEqual([`${SHA}.csv`])
    const verified = await whatif('verify', 'out/tracker', '--json')
    expect(JSON.parse(verified.stdout)).toMatchObject({ exit_code: 0, data: { holds: true } })
    expect(JSON.parse(verified.stdout).data.checks).toContainEqual(
      expect.objectContaining({ of: 'seed', name: address(), verdict: 'holds' }),
    )
    // The same bytes as a file beside the study are the same dataset.
    await project.write('panel.csv', SEED)
    await project.write('tracker.study.yaml', study('panel.csv'))
    const ofFile = await project.whatif(['inspect', 'tracker.study.yaml#panel'])
    expect(ofFile.stdout).toBe(inspected.stdout)
    const again = await project.whatif(['plan', 'tracker.study.yaml', '--detailed-exitcode'])
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('is declared as another', async () => {
    await project.write('tracker.study.yaml', study(address(), SHA, '\n    drop: [age]'))
    expect(await whatif('run', 'tracker.study.yaml')).toMatchObject({ code: 0 })
    expect(await whatif('plan', 'tracker.study.yaml', '--detailed-exitcode')).toMatchObject({ code: 0 })
    expect(reads()).toBe(1)
  })

  it('is compared with the lock by its digest alone where nothing may be read', async () => {
    await project.write('panel.csv', SEED)
    await project.write('tracker.study.yaml', study('panel.csv'))
    expect(await project.whatif(['lock', 'tracker.study.yaml'])).toMatchObject({ code: 0 })
    const offline = (...more: string[]) =>
      project.whatif(['validate', 'tracker.study.yaml', '--offline', '--json', ...more])
    await project.write('tracker.study.yaml', study(address()))
    const same = await offline('--locked', '--strict')
    expect(JSON.parse(same.stdout)).toMatchObject({ exit_code: 0, diagnostics: [] })
    await project.write('tracker.study.yaml', study(address(), 'ab'.repeat(32)))
    expect(JSON.parse((await offline()).stdout)).toMatchObject({ exit_code: 0, diagnostics: [{ code: 'W2304' }] })
    expect(JSON.parse((await offline('--locked')).stdout)).toMatchObject({ exit_code: 4 })
    expect(server.lines).toEqual([])
  })

  it('of a pull request is not read from a bucket that this machine does not name', async () => {
    const said = 'WHATIF_SEED_BUCKETS names the buckets that studies may read on this machine'
    for (const variables of [{}, { ...env(), WHATIF_SEED_BUCKETS: 'other' }]) {
      for (const command of ['run', 'plan', 'validate', 'lock']) {
        const { code, stderr } = await project.whatif([command, 'tracker.study.yaml'], { env: variables })
        expect({ command, code, stderr }).toEqual({ command, code: 2, stderr: expect.stringContaining(said) })
        expect(stderr).toContain('tracker.study.yaml:5:11')
      }
    }
    await project.write('tracker.study.yaml', study(address('secret.csv')))
    expect(await whatif('run', 'tracker.study.yaml')).toMatchObject({ code: 2, stderr: expect.stringContaining(said) })
    expect(server.lines).toEqual([])
  })

  it('that is another, is not there or may not be read ends the run with what to do', async () => {
    const ends = async (text: string, code: number, ...said: string[]) => {
      await project.write('tracker.study.yaml', text)
      const run = await whatif('run', 'tracker.study.yaml')
      expect({ code: run.code, stderr: run.stderr }).toEqual({ code, stderr: expect.stringContaining(said[0]!) })
      for (const more of [...said, 'tracker.study.yaml:5:11']) expect(run.stderr).toContain(more)
      expect(run.stderr).not.toContain(env().WHATIF_S3_SECRET_ACCESS_KEY)
      // Neither a model nor a copy.
      expect(await project.list('.whatif/embedded')).toEqual([])
      expect(await project.list('.whatif/seeds')).toEqual([])
    }
    const other = 'ab'.repeat(32)
    await ends(
      study(address(), other),
      4,
      'error S1306',
      `the sha256 of the object is ${SHA}`,
      `the study pins ${other}`,
    )
    await ends(study(address('waves/no.csv')), 2, 'error S1304', 'there is no such object in the bucket')
    server.fault = () => ({ status: 403, code: 'AccessDenied' })
    await ends(study(address()), 5, 'error S1304', 'answered 403 (AccessDenied)', 'allowed to read the object')
    server.fault = ({ earlier }) => (earlier === 0 ? { cutAnswerAfter: 1_000 } : { status: 503, code: 'SlowDown' })
    server.lines.length = 0
    await ends(study(address()), 11, 'error S1304', 'answered 503 (SlowDown)', 'Check the network')
  })

  it('is no file that init or inspect take', async () => {
    for (const command of ['init', 'inspect']) {
      const { code, stderr } = await whatif(command, address())
      expect({ command, code, stderr }).toEqual({ command, code: 2, stderr: expect.stringContaining('Write a study') })
    }
    expect(server.lines).toEqual([])
    expect(await project.list('.whatif/seeds')).toEqual([])
  })
})
