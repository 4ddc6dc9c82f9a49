import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PURPOSE, RandomStream } from '../../src/engine/sampling/random.ts'
import type { BacktestRecord } from '../../src/records/backtest.ts'
import { makeProject, type Project } from './project-folder.ts'

const PEOPLE = 200

/** Three waves with another mix of ages. In the last one everybody says yes, which no one who has not seen it can know. */
function panel(): string {
  const random = new RandomStream(11, PURPOSE.value)
  const rows: string[] = []
  for (let wave = 0; wave < 3; wave++) {
    for (let i = 0; i < PEOPLE; i++) {
      const age = random.real() < 0.3 + 0.2 * wave ? 'young' : random.real() < 0.5 ? 'middle' : 'old'
      const plan = random.real() < 0.1 ? '' : random.real() < 0.5 ? 'gold' : 'basic'
      const yes = wave === 2 || random.real() < (age === 'young' ? 0.7 : 0.3)
      rows.push(`w${wave},${age},${plan},${yes ? 'yes' : 'no'},${(20 + 30 * random.real()).toFixed(2)}`)
    }
  }
  return `wave,age,plan,intent,spend\n${rows.join('\n')}\n`
}

let project: Project
beforeAll(async () => {
  project = await makeProject({ sharesProcess: true })
  await project.write('panel.csv', panel())
  await project.write(
    'panel.study.yaml',
    [
      'version: 1',
      'name: waves',
      'datasets:',
      '  panel: { file: panel.csv, missing: { intent: ["no answer"] } }',
      '  other: { file: panel.csv }',
      'scenarios:',
      '  younger: { dataset: panel, rows: 100, seed: 1, shares: { age: { young: 0.6 }, plan: { gold: 0.6 } } }',
      '  last: { dataset: panel, rows: 100, seed: 1, shares: { wave: { w2: 1 } } }',
      '  elsewhere: { dataset: other, rows: 100, seed: 1, shares: { age: { young: 0.6 } } }',
    ].join('\n'),
  )
})
afterAll(() => project.remove())

const ASKED = ['--by', 'wave', '--outcomes', 'intent.yes,spend']

async function backtest(...args: string[]): Promise<{ readonly data: BacktestRecord; readonly stderr: string }> {
  const { code, stdout, stderr } = await project.whatif(['backtest', ...args, '--json'])
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return { data: JSON.parse(stdout).data, stderr }
}

describe('whatif backtest --rows', () => {
  it('generates by models that have not seen the group, beside what the others say', async () => {
    const { code, stdout, stderr } = await project.whatif([
      ...['backtest', 'panel.csv', ...ASKED, '--on', 'age,plan', '--rows', '400'],
    ])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    // Each model is trained on the two other waves.
    expect(stderr.match(/600 rows/g)).toBeNull()
    expect(stderr.match(/trained before, 400 rows/g)).toHaveLength(3)
    expect(stderr).toMatch(/group 3 of 3: w2\n/)
    expect(stdout).toMatch(/Unweighted +By model\n/)
    expect(stdout.replaceAll('\n', ' ')).toMatch(/by models trained without the group, from 400 rows for each: nearer /)
  })

  it('is as far off as they are where the group is unlike all others', async () => {
    const { data } = await backtest('panel.csv', ...ASKED, '--on', 'age,plan', '--rows', '400')
    expect(data.totals.generated).toMatchObject({ rows: 400, predictions: 6, told: 6 })
    const intents = data.groups.map(({ predictions }) => predictions.find(({ column }) => column === 'intent')!)
    expect(intents[2]!.actual).toBe(1)
    expect(intents[2]!.generated!).toBeLessThan(0.75)
    for (const one of intents) {
      expect(Math.abs(one.generated! - one.predicted)).toBeLessThan(0.1)
      expect(one.generated_error).toBeCloseTo(one.generated! - one.actual, 5)
    }
  })

  it('takes the columns of a scenario, and shares of those who answered', async () => {
    const study = await backtest(
      'panel.study.yaml#panel',
      ...ASKED,
      '--scenario',
      'younger',
      '--rows',
      '200',
      '--level',
      'w1',
    )
    const file = await backtest('panel.csv', ...ASKED, '--on', 'age,plan', '--level', 'w1')
    expect(study.data.on).toEqual(['age', 'plan'])
    expect(study.data.groups[0]!.predictions.map(({ predicted }) => predicted)).toEqual(
      file.data.groups[0]!.predictions.map(({ predicted }) => predicted),
    )
    expect(study.data.totals.generated).toMatchObject({ rows: 200, predictions: 2 })
  })

  it.each([
    [['panel.csv', ...ASKED], 2, 'which margins? name columns with --on'],
    [['panel.csv', ...ASKED, '--on', 'age', '--scenario', 'younger'], 2, '--on and --scenario name the same'],
    [['panel.csv', ...ASKED, '--scenario', 'younger'], 2, '--scenario younger: scenarios are those of a study'],
    [
      ['panel.study.yaml#panel', ...ASKED, '--scenario', 'youngr'],
      2,
      '--scenario youngr: the study has no such scenario of panel; did you mean younger?',
    ],
    [['panel.study.yaml#panel', ...ASKED, '--scenario', 'last'], 2, '--scenario last: sets no column but wave'],
  ])('refuses %j', async (args, exitCode, message) => {
    const { code, stderr } = await project.whatif(['backtest', ...args])
    expect({ code, stderr }).toMatchObject({ code: exitCode, stderr: expect.stringContaining(message) })
  })

  it('needs the file: a trained dataset cannot forget a group', async () => {
    const { stdout } = await project.whatif(['inspect', 'panel.csv', '--json'])
    const id = /"dataset_id": ?"([^"]+)"/.exec(stdout)![1]!
    const { code, stderr } = await project.whatif(['backtest', id, ...ASKED, '--on', 'age', '--rows', '100'])
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('so that the seed file is needed'),
    })
  })
})
