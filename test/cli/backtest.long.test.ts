import { existsSync, readFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PURPOSE, RandomStream } from '../../src/engine/sampling/random.ts'
import type { BacktestRecord } from '../../src/records/backtest.ts'
import { makeProject, type Project } from './project-folder.ts'

const isRecord = new Ajv({ strict: false }).compile(
  JSON.parse(readFileSync(new URL('../../schemas/backtest.v1.json', import.meta.url), 'utf8')),
)

const WAVES = 40
const PEOPLE = 150

/**
 * Forty waves of people whose answers depend on their age and plan, and whose mix of both changes from wave to wave. With `mood`
 * something else that nobody asked about changes, too.
 */
function panel(mood: number): string {
  const random = new RandomStream(7, PURPOSE.value)
  const rows: string[] = []
  for (let wave = 0; wave < WAVES; wave++) {
    const [young, gold] = [0.2 + 0.6 * random.real(), 0.2 + 0.5 * random.real()]
    const shift = mood * (random.real() - 0.5)
    for (let i = 0; i < PEOPLE; i++) {
      const age = random.real() < young ? 'young' : random.real() < 0.5 ? 'middle' : 'old'
      const plan = random.real() < gold ? 'gold' : 'basic'
      const effect = (age === 'young' ? 0.3 : age === 'middle' ? 0.1 : 0) + (plan === 'gold' ? 0.25 : 0)
      const yes = (base: number) => (random.real() < base + effect + shift ? 'yes' : 'no')
      const spend = (20 + 60 * effect + 40 * shift + 20 * random.real()).toFixed(2)
      rows.push(`w${wave},${age},${plan},${yes(0.2)},${yes(0.35)},${spend}`)
    }
  }
  return `wave,age,plan,intent,aware,spend\n${rows.join('\n')}\n`
}

let project: Project
beforeAll(async () => {
  project = await makeProject({ sharesProcess: true })
  await project.write('panel.csv', panel(0))
  await project.write('moody.csv', panel(0.5))
})
afterAll(() => project.remove())

async function whatif(...args: string[]) {
  const { code, stdout, stderr } = await project.whatif(['backtest', ...args])
  return { code, stdout, stderr }
}

async function backtest(file: string, ...args: string[]): Promise<BacktestRecord> {
  const { code, stdout, stderr } = await whatif(file, '--json', ...args)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const { data } = JSON.parse(stdout)
  expect(isRecord(data), JSON.stringify(isRecord.errors)).toBe(true)
  return data
}

const OUTCOMES = ['--outcomes', 'intent.yes,aware.yes,spend']

let found: Promise<BacktestRecord> | null = null
/** Each wave of the panel, by all that its answers depend on: several tests read it. */
function ofAllWaves(): Promise<BacktestRecord> {
  found ??= backtest('panel.csv', '--by', 'wave', '--on', 'age,plan', ...OUTCOMES)
  return found
}

describe('whatif backtest', () => {
  it('holds the answers of waves that differ in nothing but the named columns', async () => {
    const { groups, totals } = await ofAllWaves()
    expect(groups.map(({ status, rows }) => ({ status, rows }))).toEqual(
      Array.from({ length: WAVES }, () => ({ status: 'predicted', rows: PEOPLE })),
    )
    expect(totals).toMatchObject({ predictions: 3 * WAVES, told: 3 * WAVES })
    expect(totals.held / totals.told).toBeGreaterThan(0.9)
    expect(totals.held / totals.told).toBeLessThan(0.99)
    expect(totals.nearer / totals.predictions).toBeGreaterThan(0.6)
    // What each wave answered, counted by hand.
    const rows = panel(0).trimEnd().split('\n').slice(1)
    for (const { level, predictions } of groups.slice(0, 5)) {
      const own = rows.map((row) => row.split(',')).filter(([wave]) => wave === level)
      const intent = own.filter(([, , , answer]) => answer === 'yes').length / own.length
      expect(predictions.find(({ column }) => column === 'intent')!.actual).toBeCloseTo(intent, 5)
    }
  })

  it('says so where something else differs, and where a column is left out', async () => {
    const hidden = await backtest('moody.csv', '--by', 'wave', '--on', 'age,plan', ...OUTCOMES)
    expect(hidden.totals.held / hidden.totals.told).toBeLessThan(0.6)
    const partly = await backtest('panel.csv', '--by', 'wave', '--on', 'age', ...OUTCOMES)
    expect(partly.totals.held / partly.totals.told).toBeLessThan(0.92)
  })

  it('tells one group in 80 columns, with a verdict in a sentence', async () => {
    const { code, stdout } = await whatif('panel.csv', '--by', 'wave', '--on', 'age,plan', ...OUTCOMES, '--level', 'w3')
    expect(code).toBe(0)
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(stdout.replaceAll('\n', ' ')).toMatch(
      /^panel\.csv: each group of wave predicted from the others, reweighted to its age, plan the reweighted answer is nearer than the unweighted one for \d of 3 figures; the 95 % intervals hold the actual answer in \d of 3 /,
    )
    expect(stdout).toMatch(/\nwave w3 \(150 rows\)\n {2}Figure +Predicted +Actual +Error +95 % interval +Unweighted\n/)
  })

  it('counts shares of those who answered where a study declares codes for no answer', async () => {
    const rows = panel(0)
      .split('\n')
      .map((row, i) => (i > 0 && i % 10 === 0 ? row.replace(/,(?:yes|no),/, ',99,') : row))
    await project.write('coded.csv', rows.join('\n'))
    await project.write(
      'coded.study.yaml',
      'version: 1\nname: coded\ndatasets: { panel: { file: coded.csv, missing: { intent: ["99"] } } }\n' +
        'scenarios: { base: { rows: 100, seed: 1 } }\n',
    )
    const { groups } = await backtest(
      'coded.study.yaml',
      '--by',
      'wave',
      '--on',
      'age,plan',
      ...OUTCOMES,
      '--level',
      'w7',
    )
    const own = rows.map((row) => row.split(',')).filter(([wave, , , answer]) => wave === 'w7' && answer !== '99')
    const intent = own.filter(([, , , answer]) => answer === 'yes').length / own.length
    expect(groups[0]!.predictions.find(({ column }) => column === 'intent')!.actual).toBeCloseTo(intent, 5)
  })

  it('holds the mean of a number, and predicts one of two levels', async () => {
    const { on, groups } = await backtest(
      'panel.csv',
      '--by',
      'wave',
      '--on',
      'spend',
      '--outcomes',
      'intent',
      '--level',
      'w3',
    )
    expect(on).toEqual(['spend'])
    expect(groups[0]!.predictions.map(({ column, level }) => [column, level])).toEqual([['intent', 'yes']])
    // Spend follows the same effects as intent, so that its mean carries over what moves both.
    expect(groups[0]!.predictions[0]!.predicted).not.toBe(groups[0]!.predictions[0]!.unweighted)
  })

  it('does not take amounts as names of groups', async () => {
    await project.write(
      'amounts.csv',
      panel(0).replaceAll(/^w\d+/gm, (_, at) => String((at * 17) % 90_001)),
    )
    const { code, stderr } = await whatif('amounts.csv', '--by', 'wave', '--on', 'age', '--outcomes', 'intent')
    expect({ code, stderr }).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('--by wave: is no column of levels; it holds numbers'),
    })
    expect(stderr).not.toContain('names of groups')
  })

  it('shows groups in their order, not by their size', async () => {
    const sizes = [2021, 2022, 2022, 2023, 2023, 2023]
    const rows = panel(0).replaceAll(/^w(\d+)/gm, (_, wave) => String(sizes[Number(wave) % sizes.length]))
    await project.write('sizes.csv', rows)
    const { groups } = await backtest('sizes.csv', '--by', 'wave', '--on', 'age,plan', ...OUTCOMES)
    expect(groups.map(({ level }) => level)).toEqual(['2021', '2022', '2023'])
  })

  it('takes whole numbers as names of groups, as the years of waves are', async () => {
    const year = (wave: string) => String(2000 + Number(wave.slice(1)))
    await project.write('years.csv', panel(0).replaceAll(/^w\d+/gm, year))
    const named = await ofAllWaves()
    const years = await backtest('years.csv', '--by', 'wave', '--on', 'age,plan', ...OUTCOMES)
    const rowsOf = ({ groups }: BacktestRecord, name: (level: string) => string) =>
      new Map(groups.map((group) => [name(group.level), group.rows]))
    expect(rowsOf(years, (level) => level)).toEqual(rowsOf(named, year))
    expect(years.totals.predictions).toBe(named.totals.predictions)
  })

  it('writes its page in the language of its readers', async () => {
    const asked = ['panel.csv', '--by', 'wave', '--on', 'age', ...OUTCOMES, '--level', 'w3', '--language', 'de']
    expect(await whatif(...asked)).toMatchObject({ code: 2, stderr: expect.stringContaining('the file of --html') })
    expect(await whatif(...asked, '--html', 'w3.html')).toMatchObject({ code: 0 })
    const page = await project.read('w3.html')
    expect(page).toContain('<html lang="de">')
    expect(page).toContain('Hat es je gestimmt?')
    expect(page).toContain('Erstellt von whatif')
  })

  it('does not predict a group that has a level that no other has', async () => {
    const rows = panel(0).replaceAll(/^w0,old/gm, 'w0,very old')
    await project.write('alone.csv', rows)
    const { groups } = await backtest('alone.csv', '--by', 'wave', '--on', 'age,plan', ...OUTCOMES, '--level', 'w0')
    expect(groups).toMatchObject([{ level: 'w0', status: 'no_match', predictions: [] }])
  })

  it.each([
    [
      ['--by', 'wav', '--on', 'age', '--outcomes', 'intent'],
      '--by wav: the data have no such column; did you mean wave?',
    ],
    [
      ['--by', 'spend', '--on', 'age', '--outcomes', 'intent'],
      '--by spend: is no column of levels; it holds numbers\nIn a study, declare that its numbers are names',
    ],
    [
      ['--by', 'wave', '--on', 'agee', '--outcomes', 'intent'],
      '--on agee: the data have no such column; did you mean age?',
    ],
    [['--by', 'wave', '--on', 'spend', '--outcomes', 'spend'], '--outcomes spend: both sides have its shares or mean'],
    [
      ['--by', 'wave', '--on', 'wave', '--outcomes', 'intent'],
      '--on wave: the groups are its levels; name other columns',
    ],
    [
      ['--by', 'wave', '--on', 'age', '--outcomes', 'intent.yess'],
      '--outcomes intent.yess: intent has no such figure; did you mean intent.yes?',
    ],
    [
      ['--by', 'wave', '--on', 'age', '--outcomes', 'age'],
      '--outcomes age: both sides have its shares or mean, so that there is nothing to predict',
    ],
    [
      ['--by', 'wave', '--on', 'age', '--outcomes', 'intent', '--level', 'w99'],
      '--level w99: wave has no such level; ',
    ],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await whatif('panel.csv', ...args)
    expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining(`error: ${message}`) })
  })
})

const DATA = new URL('../../../shared/data/', import.meta.url)

/** Real files, which tests only read: people differ in more than these columns tell. */
describe.skipIf(!existsSync(DATA))('whatif backtest on ../shared/data (skipped where it is not there)', () => {
  const copied = async (name: string) => {
    await copyFile(new URL(name, DATA), project.path(name.split('/').at(-1)!))
    return name.split('/').at(-1)!
  }

  it('predicts every region of sd2011', async () => {
    const file = await copied('sd2011.csv')
    const { groups, totals } = await backtest(
      file,
      '--by',
      'region',
      '--on',
      'sex,edu,age',
      '--outcomes',
      'smoke,income',
    )
    expect(groups).toHaveLength(16)
    expect(groups.every(({ status }) => status === 'predicted')).toBe(true)
    expect(totals).toMatchObject({ predictions: 32, told: 32 })
    expect(totals.held / totals.told).toBeGreaterThan(0.6)
    // Income is not the same in all regions for people of the same age, sex and school.
    expect(totals.beyond_chance).toBeGreaterThan(0)
  })

  it('predicts bands of age in adult', async () => {
    const file = await copied('adult.csv')
    await project.write(
      'adult.study.yaml',
      `version: 1\nname: adult\ndatasets: { panel: { file: ${file}, bands: { age.band: { of: age, at: [25, 35, 45, 55] } } } }\n` +
        'scenarios: { base: { rows: 100, seed: 1 } }\n',
    )
    const asked = ['--by', 'age.band', '--outcomes', 'income']
    const { groups, totals } = await backtest('adult.study.yaml', ...asked, '--on', 'sex,education.num')
    expect(groups.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'predicted'))
    // Age itself decides income, and no other column tells it.
    expect(totals.beyond_chance).toBeGreaterThan(2)
  })

  it('predicts every province of the barometer', async () => {
    const file = await copied('surveys/barometer_ceo.sav')
    const { code, stdout, stderr } = await whatif(
      file,
      '--by',
      'PROVINCIA',
      '--on',
      'SEXE,EDAT.GR',
      '--outcomes',
      'P3,P25,P28',
      '--json',
    )
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const found: BacktestRecord = JSON.parse(stdout).data
    expect(found.groups.filter(({ status }) => status === 'predicted').length).toBeGreaterThan(2)
  })
})
