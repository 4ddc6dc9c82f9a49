import { rename, stat } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Finished, makeProject, type Project } from '../cli/project-folder.ts'
import { COFFEE_ARTIFACTS, coffeeStudy, coffeeTracker } from './coffee-study.ts'
import { readServiceRecords } from './service-records.ts'

const EMBEDDED = '.whatif/embedded'

describe('a study that has been run with the embedded service', () => {
  let project: Project
  const outputs: Finished[] = []
  const whatif = async (...args: string[]) => {
    const finished = await project.whatif(args)
    outputs.push(finished)
    return finished
  }
  const artifactTimes = async () =>
    Promise.all(COFFEE_ARTIFACTS.map(async (name) => (await stat(project.path(`out/coffee/${name}`))).mtimeMs))

  beforeAll(async () => {
    project = await makeProject()
    await project.write('tracker.csv', coffeeTracker())
    await project.write('coffee.study.yaml', coffeeStudy('coffee'))
    const { code, stderr } = await whatif('run', 'coffee.study.yaml', '--verbose')
    expect({ code, stderr }).toMatchObject({ code: 0 })
  })
  afterAll(() => project.remove())

  it('is run again without a service and without a request when nothing has changed', async () => {
    const before = await artifactTimes()
    // Without the service's folder, a service that starts would have to make it.
    await rename(project.path(EMBEDDED), project.path('elsewhere'))
    try {
      const { code, stdout, stderr } = await whatif('run', 'coffee.study.yaml')
      expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: '' })
      const { run, totals } = JSON.parse(await project.read('out/coffee/manifest.json'))
      expect(run).toMatchObject({ actions: { 'as-is': 'reused', keen: 'reused', north: 'reused' }, rows_billable: 0 })
      expect(totals).toMatchObject({ ready: 3, rows_generated: 3000 })
      expect(await project.list('.whatif')).toEqual(['.gitignore', 'studies'])
      expect(await artifactTimes()).toEqual(before)
    } finally {
      await rename(project.path('elsewhere'), project.path(EMBEDDED))
    }
  })

  it('is up to date in any other spelling of the same study', async () => {
    const again = coffeeStudy('coffee')
      .replace('defaults: { rows: 1000, seed: 5 }', 'defaults: # the same\n  seed: 5\n  "rows": 1000')
      .replace('"Yes": 0.7', '"Yes": 7e-1')
      .replace('{ North: 0.6, South: 0.4 }', '{ South: .4, North: 0.60 }')
      .replaceAll('\n', '\r\n')
    await project.write('coffee.study.yaml', again)
    const { code, stdout, stderr } = await whatif('plan', 'coffee.study.yaml', '--detailed-exitcode')
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 })
    await project.write('coffee.study.yaml', coffeeStudy('coffee'))
  })

  it('fetches a lost artifact again without generating it, and generates only changed scenarios', async () => {
    const { ledger } = await readServiceRecords(project.path(EMBEDDED))
    const lost = await project.bytes('out/coffee/keen.csv')
    await rename(project.path('out/coffee/keen.csv'), project.path('kept.csv'))
    const fetched = await whatif('run', 'coffee.study.yaml')
    expect(fetched).toMatchObject({ code: 0 })
    expect((await project.bytes('out/coffee/keen.csv')).equals(lost)).toBe(true)
    expect((await readServiceRecords(project.path(EMBEDDED))).ledger).toEqual(ledger)

    await project.write('coffee.study.yaml', coffeeStudy('coffee').replace('0.7', '0.75'))
    const planned = await whatif('plan', 'coffee.study.yaml', '--detailed-exitcode')
    expect(planned.code).toBe(20)
    expect(planned.stdout).toContain('shares.purchase.intent.Yes 0.7 → 0.75')
    const changed = await whatif('run', 'coffee.study.yaml')
    expect(changed).toMatchObject({ code: 0 })
    const { run } = JSON.parse(await project.read('out/coffee/manifest.json'))
    expect(run.actions).toEqual({ 'as-is': 'reused', keen: 'generated', north: 'reused' })
    expect((await readServiceRecords(project.path(EMBEDDED))).ledger).toHaveLength(4)
  })

  it('overwrites a result that somebody changed only on request', async () => {
    await project.write('out/coffee/keen.csv', 'mine\n')
    const refused = await whatif('run', 'coffee.study.yaml')
    expect(refused.code).toBe(7)
    expect(refused.stderr).toContain('keen')
    expect(await project.read('out/coffee/keen.csv')).toBe('mine\n')
    expect(await whatif('run', 'coffee.study.yaml', '--overwrite')).toMatchObject({ code: 0 })
    expect(await project.read('out/coffee/keen.csv')).not.toBe('mine\n')
  })

  // Last: it looks through everything that the runs above have written.
  it('has secrets and tokens only in files of mode 600 in the folder of the embedded service', async () => {
    await whatif('run', 'coffee.study.yaml', '--json', '--force', 'keen')
    const { client_id: id, client_secret: secret } = JSON.parse(await project.read(`${EMBEDDED}/credentials.json`))
    expect(secret.length).toBeGreaterThanOrEqual(16)
    const canaries = [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1),
      Buffer.from(`${id}:${secret}`).toString('base64').replace(/=+$/, '').slice(0, -1),
    ]
    // A signed token, and any bearer header.
    const patterns = [/eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}/, /bearer [\w~+/.-]{16,}/i]
    const holds = (bytes: Buffer) => {
      const text = bytes.toString('latin1')
      return canaries.some((canary) => text.includes(canary)) || patterns.some((pattern) => pattern.test(text))
    }
    const found: string[] = []
    for (const file of await project.files()) {
      const isPrivate = file.startsWith(`${EMBEDDED}/`) && ((await stat(project.path(file))).mode & 0o777) === 0o600
      if (holds(await project.bytes(file))) found.push(isPrivate ? `private ${file}` : file)
    }
    expect(found).toEqual([`private ${EMBEDDED}/credentials.json`])
    expect(outputs.filter(({ stdout, stderr }) => holds(Buffer.from(stdout + stderr)))).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('has a folder of the embedded service that others cannot enter', async () => {
    expect((await stat(project.path(EMBEDDED))).mode & 0o077).toBe(0)
    for (const name of ['credentials.json', 'master.key'])
      expect((await stat(project.path(`${EMBEDDED}/${name}`))).mode & 0o777, name).toBe(0o600)
  })
})
