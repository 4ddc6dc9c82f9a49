import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PURPOSE, RandomStream } from '../../src/engine/sampling/random.ts'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import { makeProject, type Project } from '../cli/project-folder.ts'
import { startRemoteService } from './remote-service.ts'

const WAVES = 8
const PEOPLE = 150

/** Waves whose mix of ages and plans changes. Answers depend on both; a mood of the waves changes `trust` besides. */
function panel(): string {
  const random = new RandomStream(5, PURPOSE.value)
  const rows: string[] = []
  for (let wave = 0; wave < WAVES; wave++) {
    const [young, gold] = [0.2 + 0.6 * random.real(), 0.2 + 0.5 * random.real()]
    for (let i = 0; i < PEOPLE; i++) {
      const age = random.real() < young ? 'young' : random.real() < 0.5 ? 'middle' : 'old'
      const plan = random.real() < gold ? 'gold' : 'basic'
      const effect = (age === 'young' ? 0.3 : age === 'middle' ? 0.1 : 0) + (plan === 'gold' ? 0.25 : 0)
      const yes = (base: number) => (random.real() < base + effect ? 'yes' : 'no')
      const trust = random.real() < (wave % 2 === 0 ? 0.3 : 0.7) ? 'yes' : 'no'
      rows.push(`w${wave},${age},${plan},${yes(0.2)},${trust},${(20 + 60 * effect + 20 * random.real()).toFixed(2)}`)
    }
  }
  return `wave,age,plan,intent,trust,spend\n${rows.join('\n')}\n`
}

const STUDY = `version: 1
name: waves
datasets:
  panel: { file: panel.csv }
defaults: { rows: 100, seed: 1, format: csv }
scenarios:
  as-is: {}
  younger: { shares: { age: { young: 0.6 }, plan: { gold: 0.5 } } }
  older: { shares: { age: { young: 0.2 } } }
  golden: { shares: { plan: { gold: 0.7 } } }
backtests:
  - id: right
    by: wave
    scenario: younger
    shares: [intent]
    means: [spend]
    expect: { coverage: { min: 0.7 }, error: { ratio_max: 1 } }
    warn: { beyond_chance: { max: 0 } }
  - id: hidden
    by: wave
    on: [age, plan]
    shares: [trust]
    warn: { coverage: { min: 0.8 }, beyond_chance: { max: 0 } }
`

describe('backtests of a study in a run of the real binary', () => {
  let project: Project
  let manifest: Manifest
  beforeAll(async () => {
    project = await makeProject({ sharesProcess: true })
    await project.write('panel.csv', panel())
    await project.write('waves.study.yaml', STUDY)
    const { code, stderr } = await project.whatif(['run', 'waves.study.yaml'])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    // Words may be wrapped anywhere.
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      'backtest right: each group of wave predicted from the others, reweighted to its age, plan',
    )
    manifest = JSON.parse(await project.read('out/waves/manifest.json'))
  })
  afterAll(() => project.remove())

  const report = async (form: 'html' | 'md' | 'csv' | 'junit' | 'xlsx', name = 'waves') => {
    const file = `${name}.${form}`
    const { code, stderr } = await project.whatif(['report', `out/${name}/manifest.json`, `--${form}`, file])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    return await project.read(file)
  }

  it('stand in the manifest with their gates', () => {
    const { right, hidden } = manifest.backtests!
    expect(right).toMatchObject({
      ...{ dataset: 'panel', by: 'wave', on: ['age', 'plan'] },
      totals: { predictions: 2 * WAVES, told: 2 * WAVES, beyond_chance: 0 },
      gates: [
        { id: 'coverage', level: 'fail', passed: true },
        { id: 'error', level: 'fail', passed: true },
        { id: 'beyond_chance', level: 'warn', passed: true },
      ],
    })
    expect(hidden).toMatchObject({
      totals: { predictions: WAVES },
      gates: [
        { id: 'coverage', level: 'warn', passed: false },
        { id: 'beyond_chance', level: 'warn', passed: false },
      ],
    })
  })

  it('are in every form of the report', async () => {
    const { totals } = manifest.backtests!.right!
    const verdict = `is nearer than the unweighted one for ${totals.nearer} of 16 figures; the 95 % intervals hold the actual answer in ${totals.held} of 16`
    expect(await report('html')).toContain(verdict)
    const markdown = await report('md')
    expect(markdown).toContain('## Was it ever right?')
    expect(markdown).toContain(verdict)
    expect(markdown).toMatch(/\| `w3` \| `spend mean` \| [\d.]+ \| [\d.]+ \|/)
    const csv = await report('csv')
    expect(csv).toMatch(new RegExp(`total_held,${totals.held}`))
    expect(csv).toMatch(/backtest_predicted/)
    const junit = await report('junit')
    expect(junit).toMatch(/<testcase[^>]*coverage/)
  })

  it('have a sheet in the workbook, with the figures of the manifest', async () => {
    await report('xlsx')
    const { sheets } = await readXlsx(new Uint8Array(await project.bytes('waves.xlsx')))
    const sheet = sheets.find(({ name }) => name === 'Backtest right')!
    const head = sheet.rows.findIndex((row) => row[0] === 'Group')
    expect(sheet.rows[head]!.slice(0, 10)).toEqual([
      ...['Group', 'Rows', 'Question', 'Answer', 'Predicted', 'Actual', 'Error', '95 % from', '95 % to'],
      'Unweighted, error',
    ])
    const predictions = manifest.backtests!.right!.groups.flatMap((group) =>
      group.predictions.map((one) => ({ ...one, group: group.level })),
    )
    const rows = sheet.rows.slice(head + 1)
    expect(rows).toHaveLength(predictions.length)
    for (const [i, { group, column, level, predicted, actual, error }] of predictions.entries()) {
      expect(rows[i]!.slice(0, 6)).toEqual([group, PEOPLE, column, level ?? 'mean', predicted, actual])
      expect(rows[i]![6]).toBeCloseTo(error * (level === undefined ? 1 : 100), 6)
    }
    expect(sheets.map(({ name }) => name)).toContain('Backtest hidden')
  })

  it('are asked again by no run that is up to date, and hold for verify until somebody changes one', async () => {
    const again = await project.whatif(['run', 'waves.study.yaml', '--json'])
    expect(JSON.parse(again.stdout).data.manifest.backtests).toEqual(manifest.backtests)
    expect(await project.whatif(['verify', 'out/waves/manifest.json'])).toMatchObject({ code: 0 })
    const text = await project.read('out/waves/manifest.json')
    const forged = JSON.parse(text) as { backtests: { hidden: { gates: { passed: boolean }[] } } }
    for (const gate of forged.backtests.hidden.gates) gate.passed = true
    await project.write('out/waves/manifest.json', JSON.stringify(forged, null, 2))
    const { code, stdout } = await project.whatif(['verify', 'out/waves/manifest.json'])
    await project.write('out/waves/manifest.json', text)
    expect({ code, stdout }).toMatchObject({ code: 4 })
  })

  it('fail the run by a gate that fails, as any gate does', async () => {
    await project.write(
      'strict.study.yaml',
      STUDY.replace('name: waves', 'name: strict').replace('warn: { coverage', 'expect: { coverage'),
    )
    const { code, stdout } = await project.whatif(['run', 'strict.study.yaml', '--json'])
    expect(code).not.toBe(0)
    const failed = JSON.parse(stdout).data.manifest.backtests.hidden.gates
    expect(failed).toMatchObject([
      { id: 'coverage', level: 'fail', passed: false },
      { id: 'beyond_chance', level: 'fail', passed: false },
    ])
    const gate = await project.whatif(['gate', 'out/strict/manifest.json'])
    expect(gate.code).toBe(code)
    expect(await report('junit', 'strict')).toMatch(/<failure/)
  })

  it('are asked by one part of the study alone, and merge to the same', async () => {
    const parts = await makeProject({ sharesProcess: true })
    try {
      await parts.write('panel.csv', panel())
      await parts.write('waves.study.yaml', STUDY)
      const asked: number[] = []
      for (const index of [1, 2]) {
        const { code, stderr } = await parts.whatif(['run', 'waves.study.yaml', '--shard', `${index}/2`])
        expect({ code, stderr }).toMatchObject({ code: 0 })
        const part = JSON.parse(await parts.read(`out/waves/shard-${index}-of-2/part.json`))
        asked.push(part.estimates.length)
      }
      // The margins of a group, then the others as they are and reweighted to it; `hidden` has other outcomes.
      expect([...asked].sort((a, b) => a - b)).toEqual([0, 5 * WAVES])
      const merged = await parts.whatif(['merge', 'waves.study.yaml', '--json'])
      expect(merged).toMatchObject({ code: 0 })
      const { data } = JSON.parse(merged.stdout)
      expect(data.manifest.backtests).toEqual(manifest.backtests)
    } finally {
      await parts.remove()
    }
  })
})

describe('backtests of a study against a service that protects its seeds', () => {
  it('predict what the service tells, and say so', async () => {
    const project = await makeProject({ sharesProcess: true })
    const remote = await startRemoteService(project)
    try {
      await project.write('panel.csv', panel())
      // Its noise differs from service to service, so that no gate may decide how the run ends.
      await project.write('waves.study.yaml', STUDY.replace(/ +expect: .*\n/, ''))
      const { code, stdout, stderr } = await project.whatif(['run', 'waves.study.yaml', '--yes', '--json'], {
        env: remote.credentials,
      })
      expect({ code, stderr }).toMatchObject({ code: 0 })
      const found: Manifest = JSON.parse(stdout).data.manifest
      const { right, hidden } = found.backtests!
      // A group whose margins cannot be met through the noise is not predicted.
      expect(right!.totals.predictions).toBeGreaterThan(WAVES)
      expect(right!.groups.map(({ status }) => status)).toContain('predicted')
      // What is hidden stays visible through the noise.
      expect(hidden).toMatchObject({ gates: [{ passed: false }, { passed: false }] })
    } finally {
      await remote.stop()
      await project.remove()
    }
  })
})
