import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeProject, type Project } from '../cli/project-folder.ts'

/** Three header rows as Qualtrics writes them: names, questions, import ids. */
const HEADER: readonly (readonly [name: string, question: string])[] = [
  ['ResponseId', 'Response ID'],
  ['mood', 'How often are you satisfied?'],
  ['again', 'Would you buy it again?'],
  ['age', 'How old are you?'],
  ['visited', 'When did you visit us?'],
  ['interviewer', 'Interviewer'],
  ['weighting', 'Weight'],
]
const MOODS = ['never', 'sometimes', 'often', 'always']
const ROWS = 900

const STUDY = `version: 1
name: visits
datasets:
  panel:
    file: panel.csv
    weight: weighting
    header_rows: 3
    drop: [ResponseId, interviewer]
    missing: { age: [98, 99], "*": [NS/NR] }
    types: { mood: ordinal }
    levels: { mood: [never, sometimes, often, always] }
    bands: { age.band: { of: age, at: [18, 30, 45, 65] } }
    dates: { visited: DD/MM/YYYY }
defaults: { rows: 2000, seed: 1 }
scenarios:
  base: {}
  young:
    shares: { age.band: { 18-29: 0.5 } }
    ranges: { visited: { min: 2025-06-01 } }
comparisons:
  - { id: buyers, against: base, scenarios: [young], shares: [again] }
`

/** Respondents who would buy again have three times the weight of the others. */
function surveyCsv(): { readonly csv: string; readonly weightedShare: number; readonly unweightedShare: number } {
  let state = 7
  const draw = (n: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return Math.floor((state / 2_147_483_647) * n)
  }
  let buyers = 0
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const mood = draw(4)
    const buys = draw(8) < 1 + mood
    if (buys) buyers++
    const age = draw(20) === 0 ? 98 + draw(2) : 18 + draw(60)
    const day = `${String(1 + draw(28)).padStart(2, '0')}/${String(1 + draw(12)).padStart(2, '0')}/2025`
    const answer = draw(30) === 0 ? 'NS/NR' : MOODS[mood]
    return [`R_${i}`, answer, buys ? 'Yes' : 'No', age, day, `int${draw(30)}`, buys ? 1.5 : 0.5].join(',')
  })
  const ids = HEADER.map(([name]) => `"{""ImportId"":""${name}""}"`)
  const lines = [
    HEADER.map(([name]) => name).join(','),
    HEADER.map(([, text]) => text).join(','),
    ids.join(','),
    ...rows,
  ]
  return {
    csv: `${lines.join('\n')}\n`,
    weightedShare: (1.5 * buyers) / (1.5 * buyers + 0.5 * (ROWS - buyers)),
    unweightedShare: buyers / ROWS,
  }
}

let project: Project
beforeAll(async () => {
  project = await makeProject({ sharesProcess: true })
  await project.write('panel.csv', surveyCsv().csv)
  await project.write('visits.study.yaml', STUDY)
})
afterAll(() => project.remove())

it('a survey with three header rows and weights is run as its study declares it', async () => {
  const first = await project.whatif(['run', 'visits.study.yaml'])
  expect(first.code, first.stderr).toBe(0)
  const manifest = JSON.parse(await project.read('out/visits/manifest.json'))
  expect(manifest.datasets.panel.cleaning).toMatchObject({
    input_rows: ROWS,
    dropped_columns: [{ name: 'weighting', reason: 'case_weight' }],
  })
  expect(manifest.scenarios.young.shares['age.band'].levels['18-29'].achieved).toBe(0.5)
  expect(manifest.scenarios.young.ranges.visited.outside_count).toBe(0)
  const { weightedShare, unweightedShare } = surveyCsv()
  const { against } = manifest.comparisons.buyers.scenarios.young.shares.again.Yes
  expect(Math.abs(against - weightedShare)).toBeLessThan(0.03)
  expect(Math.abs(against - unweightedShare)).toBeGreaterThan(0.1)
  // Dropped columns never leave the machine, and no row of the header is a respondent.
  expect(JSON.stringify(manifest)).not.toMatch(/interviewer|ImportId|R_1/)

  const second = await project.whatif(['run', 'visits.study.yaml'])
  expect(second.code, second.stderr).toBe(0)
  expect(second.stderr).toContain('billed in this run: 0 rows')
})

it('inspect shows what each declaration did', async () => {
  const { code, stdout, stderr } = await project.whatif(['inspect', 'visits.study.yaml'])
  expect(code, stderr).toBe(0)
  for (const key of ['header_rows', 'weight', 'drop', 'missing', 'types', 'levels', 'bands', 'dates']) {
    expect(stdout).toMatch(new RegExp(`^  ${key} `, 'm'))
  }
  expect(stdout).toContain('mood: How often are you satisfied?')
  expect(stdout).toContain('never < sometimes < often < always')
})
