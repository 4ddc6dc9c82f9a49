import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manifestText } from '../../src/answers/manifest/manifest-writer.ts'
import { manifestDigest } from '../../src/study/hashing/fingerprint.ts'
import { makeProject, type Project, shortTracker } from './project-folder.ts'

/** A seed that is drawn, each kind of condition, and a budget that the run used up. */
const STUDY = `version: 1
name: again
datasets: { panel: { file: panel.csv } }
defaults: { rows: 200, seed: 3, format: csv }
scenarios:
  base: { seed: random }
  more: { shares: { loyalty.member: { "Yes": 0.7 } } }
  bound:
    shares: { purchase.intent: { "Yes": { min: 0.4 }, "No": 0.3 } }
    cells: [{ of: [region, gender], shares: [[North, Female, 0.16]] }]
    means: { spend.last.month: { min: 17 } }
baseline: base
comparisons:
  - { id: lift, scenarios: [more], shares: [purchase.intent] }
  - id: men
    scenarios: [more]
    where: { gender: [Male], last.visit: { max: 2026-10-20 } }
    by: region
    shares: [purchase.intent]
    means: [spend.last.month]
    quantiles: { spend.last.month: [0.5, 0.9] }
budget: { rows_per_run: 600 }
`

const COLUMNS = ['region', 'gender', 'loyalty_member', 'spend_last_month', 'purchase_intent', 'last_visit']

let project: Project
beforeAll(async () => {
  project = await makeProject({ sharesProcess: true })
  await project.write('panel.csv', shortTracker(COLUMNS))
  await project.write('again.study.yaml', STUDY)
  const { code, stderr } = await project.whatif(['run', 'again.study.yaml', '--budget-rows', '600'])
  expect(code, stderr).toBe(0)
})
afterAll(() => project.remove())

const verify = async () => {
  const { code, stdout, stderr } = await project.whatif(['verify', 'out/again', '--again'])
  return { code, lines: stdout.split('\n'), progress: stderr.split('\n') }
}

/** Changes a row of a scenario as if the engine of the run had made it, in file, manifest and record. */
async function withOtherRow(engine: string): Promise<void> {
  const rows = (await project.read('out/again/more.csv')).split('\n')
  const [head, first, second, ...rest] = rows
  const text = [head, second, first, ...rest].join('\n')
  await project.write('out/again/more.csv', text)
  const digest = { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') }
  const manifest = JSON.parse(await project.read('out/again/manifest.json'))
  Object.assign(manifest.scenarios.more.artifact, digest)
  const written = manifestText(manifest)
  await project.write('out/again/manifest.json', written)
  const record = JSON.parse(await project.read('out/again/run-record.json'))
  Object.assign(record.generated.scenarios.more.result, digest)
  Object.assign(record.generated.manifest, {
    bytes: Buffer.byteLength(written),
    sha256: createHash('sha256').update(written).digest('hex'),
    digest: manifestDigest(manifest),
  })
  record.environment.engine = engine
  await project.write('out/again/run-record.json', manifestText(record))
}

describe('whatif verify --again', () => {
  it('makes the same model, rows and answers, and leaves nothing behind', async () => {
    const before = await project.files()
    const { code, lines, progress } = await verify()
    expect(progress).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^dataset panel: /),
        'more: submitted, 200 rows',
        'more: ready, 200 rows (generated)',
      ]),
    )
    expect({ code, bad: lines.filter((line) => /^[✗–]/.test(line)) }).toEqual({ code: 0, bad: [] })
    expect(lines).toContain('✓ run again: base: the same rows, byte for byte')
    expect(lines).toContain('✓ run again: more: the same rows, byte for byte')
    expect(lines).toContain('✓ model of panel: trained again, it is the same model')
    expect(lines.join('\n')).toMatch(/✓ run again: lift: \d+ answers, all the same/)
    expect(await project.files()).toEqual(before)
  })

  it('holds the answers against their intervals where the engine has moved', async () => {
    await withOtherRow('7')
    const { code, lines } = await verify()
    expect(lines.join('\n').replaceAll('\n  ', ' ')).toMatch(
      /✓ run again: more: other rows, by engine \d+ and not 7; \d+ answers within their intervals/,
    )
    expect(code).toBe(0)
  })

  it('finds rows that this engine does not make, though all digests hold', async () => {
    const record = JSON.parse(await project.read('out/again/run-record.json'))
    const { ENGINE_VERSION } = await import('../../src/service/datasets/model-identity.ts')
    record.environment.engine = ENGINE_VERSION
    await project.write('out/again/run-record.json', manifestText(record))
    expect((await project.whatif(['verify', 'out/again'])).code).toBe(0)
    const { code, lines } = await verify()
    expect({ code, first: lines[0] }).toEqual({
      code: 4,
      first: `✗ run again: more: other rows, by the same engine ${ENGINE_VERSION}`,
    })
  })

  it('says why a run cannot be repeated', async () => {
    await project.write('panel.csv', 'a,b\n1,2\n')
    const { code, lines } = await verify()
    expect(code).toBe(4)
    expect(lines.join('\n')).toMatch(/✗ run again|✗ seed file panel\.csv/)
  })
})
