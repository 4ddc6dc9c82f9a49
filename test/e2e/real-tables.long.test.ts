import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import { manifestFaults } from '../answers/manifest-validator.ts'
import { hasSharedData, makeProject, type Project, sharedData } from '../cli/project-folder.ts'
import { countOf, type IndependentTable, readIndependently, type Value } from './read-independently.ts'

const TELCO = `version: 1
name: telco
datasets:
  telco: { file: telco.csv }
defaults: { rows: 2001, seed: 7 }
scenarios:
  as-is: {}
  fibre:
    format: csv
    shares: { InternetService: { Fiber optic: 0.7 } }
  loyal:
    format: arrow
    shares:
      Contract: { Two year: 0.6, One year: 0.2 }
      Churn: { "Yes": 0.35 }
    ranges:
      tenure: { min: 12, max: 48 }
`
const TELCO_TYPES = {
  gender: 'text',
  // Categorical (0 and 1), and written as the whole numbers that they are.
  SeniorCitizen: 'integer',
  Partner: 'text',
  Dependents: 'text',
  tenure: 'integer',
  PhoneService: 'text',
  MultipleLines: 'text',
  InternetService: 'text',
  OnlineSecurity: 'text',
  OnlineBackup: 'text',
  DeviceProtection: 'text',
  TechSupport: 'text',
  StreamingTV: 'text',
  StreamingMovies: 'text',
  Contract: 'text',
  PaperlessBilling: 'text',
  PaymentMethod: 'text',
  MonthlyCharges: 'float',
  TotalCharges: 'float',
  Churn: 'text',
}

const ADULT = `version: 1
name: adult
datasets:
  adult: { file: adult.csv }
defaults: { rows: 3333, seed: 11 }
scenarios:
  as-is: { format: arrow }
  women:
    format: csv
    shares: { sex: { Female: 0.6 } }
  older:
    shares:
      education: { Bachelors: 0.4, Masters: 0.25 }
      sex: { Male: 0.5 }
    ranges:
      age: { min: 40, max: 65 }
`
const ADULT_TYPES = {
  age: 'integer',
  workclass: 'text',
  fnlwgt: 'integer',
  education: 'text',
  'education.num': 'integer',
  'marital.status': 'text',
  occupation: 'text',
  relationship: 'text',
  race: 'text',
  sex: 'text',
  'capital.gain': 'integer',
  'capital.loss': 'integer',
  'hours.per.week': 'integer',
  'native.country': 'text',
  income: 'text',
}

describe.skipIf(!hasSharedData)('a study over a real table', () => {
  let telco: Project
  let adult: Project
  beforeAll(async () => {
    telco = await makeProject({ sharesProcess: true })
    await telco.copy(`${sharedData}/telco.csv`, 'telco.csv')
    await telco.write('telco.study.yaml', TELCO)
    adult = await makeProject({ sharesProcess: true })
    await adult.copy(`${sharedData}/adult.csv`, 'adult.csv')
    await adult.write('adult.study.yaml', ADULT)
  })
  afterAll(async () => {
    await telco.remove()
    await adult.remove()
  })

  it.each([
    { name: 'telco', rows: 2001, types: TELCO_TYPES },
    { name: 'adult', rows: 3333, types: ADULT_TYPES },
  ])('of $name gives what every scenario asks for, according to independent readers', async ({ name, rows, types }) => {
    const project = name === 'telco' ? telco : adult
    const { code, stdout, stderr } = await project.whatif(['run', `${name}.study.yaml`])
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: '' })

    const manifest = await manifestOf(project, name)
    expect(manifestFaults(manifest)).toEqual([])
    expect(manifest.totals).toMatchObject({
      scenarios: 3,
      ready: 3,
      rows_requested: 3 * rows,
      rows_generated: 3 * rows,
    })
    for (const [id, scenario] of Object.entries(manifest.scenarios)) {
      const table = await artifactOf(project, manifest, name, id)
      expect(table.rowCount, id).toBe(rows)
      expect(table.columns, id).toEqual(Object.keys(types))
      expect(table.types, id).toEqual(types)
      for (const [column, levels] of Object.entries(scenario.request?.conditions?.categorical ?? {}))
        for (const [level, share] of Object.entries(levels)) {
          const count = countOf(table, column, level)
          expect(Math.abs(count - share * rows), `${id}: ${count} rows of ${column} ${level}`).toBeLessThanOrEqual(1)
          expect(scenario.shares[column]?.levels[level]?.count).toBe(count)
        }
      for (const [column, { min, max }] of Object.entries(scenario.request?.conditions?.numeric ?? {}))
        expect((table.values[column] as Value[]).filter((v) => typeof v !== 'number' || v < min || v > max)).toEqual([])
    }
    expect(conditionsOf(manifest)).toEqual(
      name === 'telco'
        ? { 'as-is': [0, 0], fibre: [1, 0], loyal: [2, 1] }
        : { 'as-is': [0, 0], women: [1, 0], older: [2, 1] },
    )
  })

  it('of Adult keeps unconditioned columns close to the table itself', async () => {
    const manifest = await manifestOf(adult, 'adult')
    const table = await artifactOf(adult, manifest, 'adult', 'as-is')
    // 0.669 of the file are men and 0.241 earn more; 3,333 independent rows are off by 0.04 in fewer than 1 in 10^5 cases.
    expect(countOf(table, 'sex', 'Male') / 3333).toBeCloseTo(0.669, 1)
    expect(countOf(table, 'income', '>50K') / 3333).toBeCloseTo(0.241, 1)
  })

  // relationship Wife (1,568 rows of the file) and sex Male overlap in 2 rows; so few count as one, which may stand behind 100.
  const wives = (policy: string) => `version: 1
name: wives
datasets:
  adult: { file: adult.csv }
scenarios:
  wives:
    rows: 10000
    seed: 1
${policy}    shares:
      relationship: { Wife: 0.5 }
      sex: { Male: 0.8 }
`

  it('of Adult that cannot be filled ends partial, with exactly the requested mix', async () => {
    await adult.write('wives.study.yaml', wives(''))
    const { code, stderr } = await adult.whatif(['run', 'wives.study.yaml'])
    expect({ code, stderr }).toMatchObject({ code: 8 })
    const manifest = await manifestOf(adult, 'wives')
    expect(manifestFaults(manifest)).toEqual([])
    expect(manifest.outcome).toEqual({ exit_code: 8, reason: 'partial_below_policy', also: [] })
    const scenario = manifest.scenarios.wives
    expect(scenario?.status).toBe('partial')
    expect(scenario?.shortfall?.binding).toEqual([
      { column: 'relationship', level: 'Wife', target: 0.5, seed_rows: 1568 },
      { column: 'sex', level: 'Male', target: 0.8, seed_rows: 21_790 },
    ])
    expect(stderr).toContain(scenario?.shortfall?.detail.slice(0, 60))
    // Two rows of the seed carry 0.3 of the mix, and may stand behind 100 rows each: 1 / (0.3^2 / 2 + little) effective rows.
    expect(scenario?.evidence).toMatchObject({ low_support: true, converged: true })
    expect(scenario?.evidence?.effective_rows).toBeCloseTo(22.2, 1)
    expect(stderr).toContain('warning: thin evidence: these rows rest on 22 effective rows of the seed data')

    const table = await artifactOf(adult, manifest, 'wives', 'wives')
    expect(table.rowCount).toBe(666)
    expect(scenario?.rows).toMatchObject({ requested: 10_000, reported: table.rowCount, counted: table.rowCount })
    expect(manifest.run.rows_billable).toBe(table.rowCount)
    expect(Math.abs(countOf(table, 'relationship', 'Wife') - 0.5 * table.rowCount)).toBeLessThanOrEqual(1)
    expect(Math.abs(countOf(table, 'sex', 'Male') - 0.8 * table.rowCount)).toBeLessThanOrEqual(1)

    const again = await adult.whatif(['run', 'wives.study.yaml'])
    expect(again.code, 'a re-run sends nothing and gives the same verdicts').toBe(8)
    expect((await manifestOf(adult, 'wives')).run).toMatchObject({ actions: { wives: 'reused' }, rows_billable: 0 })
  })

  it('of Adult that cannot be filled exits 0 when the study accepts that', async () => {
    await adult.write('wives.study.yaml', wives('    partial: accept\n'))
    const { code, stderr } = await adult.whatif(['run', 'wives.study.yaml'])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const manifest = await manifestOf(adult, 'wives')
    expect(manifest.outcome).toEqual({ exit_code: 0, reason: 'ok', also: [] })
    expect(manifest.scenarios.wives).toMatchObject({ status: 'partial', shortfall: { binding: { length: 2 } } })
  })

  it('of Adult whose targets cannot hold together fails and says why', async () => {
    await adult.write(
      'husbands.study.yaml',
      wives('')
        .replaceAll('wives', 'husbands')
        .replace('Wife: 0.5', 'Husband: 0.5')
        .replace('sex: { Male', 'marital.status: { Never-married'),
    )
    const { code, stderr } = await adult.whatif(['run', 'husbands.study.yaml'])
    expect({ code, stderr }).toMatchObject({ code: 7 })
    const manifest = await manifestOf(adult, 'husbands')
    expect(manifestFaults(manifest)).toEqual([])
    expect(manifest.outcome).toEqual({ exit_code: 7, reason: 'failed', also: [] })
    const scenario = manifest.scenarios.husbands
    expect(scenario).toMatchObject({ status: 'failed', artifact: null, rows: { counted: null } })
    const why =
      '0.8 Never-married (marital.status) with 0.5 Husband (relationship) needs at least 0.3 of the rows to be both; 0 of 32,561 seed rows are.'
    expect(scenario?.error).toEqual({ code: 'svc_infeasible_scenario', detail: why })
    expect(stderr).toContain(`husbands: FAILED: ${why}`)
    expect(await adult.list('out/husbands')).toEqual(['manifest.json', 'report.html', 'run-record.json', 'runs'])
  })
})

async function manifestOf(project: Project, study: string): Promise<Manifest> {
  return JSON.parse(await project.read(`out/${study}/manifest.json`)) as Manifest
}

/** The artifact, after its digest and size in the manifest have been found true. */
async function artifactOf(project: Project, manifest: Manifest, study: string, id: string): Promise<IndependentTable> {
  const artifact = manifest.scenarios[id]?.artifact
  const bytes = await project.bytes(`out/${study}/${artifact?.path}`)
  expect(bytes.length).toBe(artifact?.bytes)
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(artifact?.sha256)
  return await readIndependently(project.path(`out/${study}/${artifact?.path}`))
}

/** Scenario → number of columns with shares and with ranges, as sent. */
function conditionsOf(manifest: Manifest) {
  return Object.fromEntries(
    Object.entries(manifest.scenarios).map(([id, { request }]) => [
      id,
      [
        Object.keys(request?.conditions?.categorical ?? {}).length,
        Object.keys(request?.conditions?.numeric ?? {}).length,
      ],
    ]),
  )
}
