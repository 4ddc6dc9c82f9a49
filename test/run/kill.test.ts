import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { manifestFaults } from '../manifest/manifest-validator.ts'
import { makeRig, type Rig } from './run-rig.ts'
import { SECRET_CANARY, type ServiceDouble, startServiceDouble } from './service-double.ts'

const repository = resolve(import.meta.dirname, '../..')
let built: string

/** The runner as plain JavaScript, below node_modules so that its packages are found from there. */
beforeAll(async () => {
  await mkdir(join(repository, 'node_modules/.cache'), { recursive: true })
  built = await mkdtemp(join(repository, 'node_modules/.cache/run-child-'))
  const config = {
    extends: join(repository, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      noCheck: true,
      allowImportingTsExtensions: false,
      rootDir: repository,
      outDir: join(built, 'js'),
    },
    include: [],
    files: [join(repository, 'test/run/run-child.ts')],
  }
  await writeFile(join(built, 'tsconfig.json'), JSON.stringify(config))
  await writeFile(join(built, 'package.json'), '{"type":"module"}')
  await cp(join(repository, 'schemas'), join(built, 'js/schemas'), { recursive: true })
  await promisify(execFile)(process.execPath, [join(repository, 'node_modules/typescript/bin/tsc'), '-p', built])
})

afterAll(() => rm(built, { recursive: true, force: true }))

interface Death {
  /** Called once the child runs. */
  readonly onStart?: (kill: () => void) => void
  /** Change of the disk at which the child kills itself. */
  readonly atChange?: number
}

/** Runs the child; resolves with its exit code, or null when it was killed. */
function child(rig: Rig, double: ServiceDouble, death: Death = {}): Promise<number | null> {
  const script = join(built, 'js/test/run/run-child.js')
  const args = [script, rig.root, double.url, SECRET_CANARY, String(death.atChange ?? 0)]
  const started = spawn(process.execPath, args, { stdio: 'ignore' })
  death.onStart?.(() => started.kill('SIGKILL'))
  return new Promise((done) => started.on('exit', (code) => done(code)))
}

/** What is under final names must be whole at every moment. */
async function wholeness(rig: Rig): Promise<string[]> {
  const faults: string[] = []
  for (const name of await rig.list('out/demo')) {
    if (name.endsWith('.csv')) {
      const rows = (await rig.read(`out/demo/${name}`)).split('\n').length - 2
      if (rows !== 100) faults.push(`${name} has ${rows} rows`)
    }
    if (name === 'manifest.json') faults.push(...manifestFaults(await rig.manifest()))
  }
  for (const name of await rig.list('out/demo/runs')) {
    if (name.endsWith('.json')) faults.push(...manifestFaults(JSON.parse(await rig.read(`out/demo/runs/${name}`))))
  }
  return faults
}

const STUDY_DIGEST = /^[0-9a-f]{64}$/

/** Kills one run, repeats the command, and says what is wrong afterwards. False when the run was over before its death. */
async function survive(death: (service: ServiceDouble) => Death): Promise<{ wasKilled: boolean; faults: string[] }> {
  const service = await startServiceDouble()
  const rig = await makeRig(service)
  const faults: string[] = []
  const expectSame = (what: string, found: unknown, expected: unknown): void => {
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
      faults.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`)
    }
  }
  const code = await child(rig, service, death(service))
  faults.push(...(await wholeness(rig)))
  service.intercept = () => undefined
  expectSame('exit code', await child(rig, service), 0)
  faults.push(...(await wholeness(rig)))
  expectSame('datasets', service.made('datasets'), 1)
  expectSame('generations', service.made('generations'), 3)
  const files = ['base.csv', 'manifest.json', 'more-yes.csv', 'runs', 'young.csv']
  expectSame('files', await rig.list('out/demo'), files)
  const manifest = await rig.manifest().catch(() => null)
  expectSame('status', [manifest?.status, manifest?.totals.ready], ['complete', 3])
  if (!STUDY_DIGEST.test(manifest?.study.digest ?? '')) faults.push('no digest')
  const records = await rig.list('out/demo/runs')
  expectSame(
    'records',
    records.filter((name) => !/^[\w-]+\.json$/.test(name)),
    [],
  )
  expectSame('state folder', await rig.list('.whatif/studies/demo/embedded'), ['journal.ndjson', 'state.json'])
  await rig.remove()
  await service.close()
  return { wasKilled: code === null, faults }
}

/**
 * A child takes half a second to start, so every third request and every nineteenth write are tried here;
 * WHATIF_TEST_EVERY_KILL=1 tries all of them.
 */
const every = process.env.WHATIF_TEST_EVERY_KILL === '1'

it('killed at a request, a run is completed by the same command: one generation each, nothing half', {
  timeout: 600_000,
}, async () => {
  const stride = every ? 1 : 3
  const atRequest = (n: number) => (service: ServiceDouble) => {
    let seen = 0
    return {
      onStart: (kill: () => void) => {
        service.intercept = () => {
          if (++seen !== n) return undefined
          kill()
          // In turn: the service does its part and nobody hears of it, and the request never arrives.
          return n % 2 === 0 ? 'drop' : undefined
        }
      },
    }
  }
  let moment = 1
  for (; ; moment += 2 * stride) {
    const pair = [moment, moment + stride]
    const results = await Promise.all(pair.map((n) => survive(atRequest(n))))
    expect(
      results.flatMap((r) => r.faults),
      `killed at request ${pair.join(' or ')}`,
    ).toEqual([])
    if (results.some((r) => !r.wasKilled)) break
  }
  expect(moment).toBeGreaterThan(12)
})

it('killed at a write, a run is completed by the same command: one generation each, nothing half', {
  timeout: 600_000,
}, async () => {
  const stride = every ? 1 : 19
  let change = 1
  for (; ; change += 2 * stride) {
    const pair = [change, change + stride]
    const results = await Promise.all(pair.map((atChange) => survive(() => ({ atChange }))))
    expect(
      results.flatMap((r) => r.faults),
      `killed at change ${pair.join(' or ')}`,
    ).toEqual([])
    if (results.some((r) => !r.wasKilled)) break
  }
  expect(change).toBeGreaterThan(50)
})
