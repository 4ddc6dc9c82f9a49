import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSavLabels } from '../../src/formats/read-sav-labels.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { makeProject, type Project } from '../cli/project-folder.ts'
import { readColumn } from '../formats/read-column.ts'
import { type SavSpec, savBytes } from '../formats/sav-bytes.ts'
import { readIndependently } from './read-independently.ts'

const hasPspp = spawnSync('pspp-convert', ['--version']).status === 0

/** 600 respondents of a survey whose codes do not begin at 1; 12 of them have a region without a label. */
const SPEC: SavSpec = {
  variables: [
    {
      name: 'SAT_ALL',
      label: 'How satisfied are you?',
      labels: [
        [10, 'Low'],
        [20, 'Middle'],
        [30, 'High'],
        [99, 'No answer'],
      ],
      missing: { count: 1, values: [99] },
    },
    {
      name: 'REGION',
      label: 'Où habitez-vous ?',
      labels: [
        [4, 'North'],
        [3, 'South'],
        [2, 'East'],
        [1, 'West'],
      ],
    },
    { name: 'AGE', label: 'Age in years' },
    { name: 'SPEND', format: 5 },
    { name: 'VISITED', format: 20 },
  ],
  rows: Array.from({ length: 600 }, (_, i) => [
    i % 20 === 0 ? 99 : 10 * (1 + ((i * 7) % 3)),
    i % 50 === 0 ? 7 : 1 + ((i * 11) % 4),
    18 + ((i * 29) % 63),
    ((i * 37) % 400) / 4,
    // 2026-01-01 and the days after it, in seconds since 14 October 1582.
    (161_833 + ((i * 13) % 300)) * 86_400,
  ]),
}

const STUDY = `version: 1
name: panel
datasets: { panel: { file: panel.sav } }
defaults: { rows: 400, seed: 3, format: sav }
baseline: as-is
scenarios:
  as-is: {}
  happy: { shares: { SAT.ALL: { High: 0.6 } } }
  rows-only: { format: csv }
  twin: { format: parquet }
comparisons:
  - { id: lift, scenarios: [happy], shares: [REGION, SAT.ALL], means: [AGE] }
output: { names: original }
`

describe('a study that asks for SPSS files, run by the real command', () => {
  let project: Project
  const manifest = async () => JSON.parse(await project.read('out/panel/manifest.json'))
  const table = (name: string) => readTable(project.path(`out/panel/${name}`), { tempDir: tmpdir() })

  beforeAll(async () => {
    project = await makeProject({ sharesProcess: true })
    await project.write('panel.sav', savBytes(SPEC))
    await project.write('panel.study.yaml', STUDY)
    const { code, stderr } = await project.whatif(['run', 'panel.study.yaml'])
    expect({ code, stderr }).toMatchObject({ code: 0 })
  })
  afterAll(() => project.remove())

  it('has the variables, labels and codes of the seed file', async () => {
    const labels = await readSavLabels(project.path('out/panel/happy.sav'))
    expect([...labels.keys()]).toEqual(['SAT_ALL', 'REGION', 'AGE', 'SPEND', 'VISITED'])
    expect(labels.get('SAT_ALL')?.label).toBe('How satisfied are you?')
    expect(labels.get('REGION')?.label).toBe('Où habitez-vous ?')
    expect(labels.get('AGE')).toEqual({ label: 'Age in years', codes: null })
    const plain = (name: string) =>
      Object.fromEntries([...(labels.get(name)?.codes ?? [])].filter(([text]) => !/ \(\d+\)$/.test(text)))
    expect(plain('SAT_ALL')).toEqual({ Low: 10, Middle: 20, High: 30 })
    expect(plain('REGION')).toEqual({ North: 4, South: 3, East: 2, West: 1, 7: 7 })
  })

  it('has the rows that the service sent, and the share that the manifest counts', async () => {
    const { scenarios } = await manifest()
    const sav = await table('happy.sav')
    const received = await readIndependently(project.path('out/panel/received/happy.parquet'))
    expect(sav.rowCount).toBe(400)
    expect(readColumn(sav, 'SAT_ALL')).toEqual(received.values['SAT.ALL'])
    expect(readColumn(sav, 'AGE')).toEqual(received.values.AGE)
    expect(readColumn(sav, 'SPEND')).toEqual(received.values.SPEND)
    expect(sav.columns.find(({ name }) => name === 'VISITED')?.type).toBe('date')
    const happy = readColumn(sav, 'SAT_ALL').filter((level) => level === 'High').length
    expect(scenarios.happy.shares['SAT.ALL'].levels.High).toMatchObject({ count: happy, achieved: happy / 400 })
  })

  it('says in the manifest which file it is, which names it has, and what the service sent', async () => {
    const { artifact, request } = (await manifest()).scenarios.happy
    const digest = async (path: string) =>
      createHash('sha256')
        .update(await project.bytes(path))
        .digest('hex')
    expect(request.output_format).toBe('parquet')
    expect(artifact).toEqual({
      path: 'happy.sav',
      format: 'sav',
      names: 'original',
      bytes: (await project.bytes('out/panel/happy.sav')).length,
      sha256: await digest('out/panel/happy.sav'),
      received: {
        path: 'received/happy.parquet',
        format: 'parquet',
        bytes: (await project.bytes('out/panel/received/happy.parquet')).length,
        sha256: await digest('out/panel/received/happy.parquet'),
      },
    })
  })

  it('gives CSV the names of the seed file as well', async () => {
    const [header] = parse(await project.bytes('out/panel/rows-only.csv')) as string[][]
    expect(header).toEqual(['SAT_ALL', 'REGION', 'AGE', 'SPEND', 'VISITED'])
  })

  it('gives Parquet and SPSS of one generation', async () => {
    const { run } = await manifest()
    expect(run.actions).toMatchObject({ 'as-is': 'generated', twin: 'copied' })
    expect(run.rows_billable).toBe(1_200)
    const twin = await readIndependently(project.path('out/panel/twin.parquet'))
    expect(twin.columns).toEqual(['SAT_ALL', 'REGION', 'AGE', 'SPEND', 'VISITED'])
    expect(readColumn(await table('as-is.sav'), 'REGION')).toEqual(twin.values.REGION)
  })

  it('has a manifest that reports and checks can read', async () => {
    const { code, stdout } = await project.whatif(['report', 'out/panel/manifest.json'])
    expect(code).toBe(0)
    expect(stdout).toContain('How satisfied are you?')
    expect((await project.whatif(['gate', 'out/panel/manifest.json'])).code).toBe(0)
  })

  it('has its first rows shown by whatif head', async () => {
    const { code, stdout, stderr } = await project.whatif(['head', 'out/panel/manifest.json', 'happy', '--rows', '2'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('happy: 2 of 400 rows')
  })

  it('is up to date in the next run, which only makes a missing file again', async () => {
    const before = await project.bytes('out/panel/happy.sav')
    const again = await project.whatif(['run', 'panel.study.yaml', '--json'])
    expect(again.code).toBe(0)
    expect((await manifest()).run.actions).toEqual({
      'as-is': 'reused',
      happy: 'reused',
      'rows-only': 'reused',
      twin: 'reused',
    })
    await rm(project.path('out/panel/happy.sav'))
    const { stdout } = await project.whatif(['status', 'panel.study.yaml', '--json'])
    const { happy } = JSON.parse(stdout).data.scenarios
    expect(happy).toMatchObject({ status: 'ready', file: 'missing' })
    expect((await project.whatif(['run', 'panel.study.yaml'])).code).toBe(0)
    expect((await project.bytes('out/panel/happy.sav')).equals(before)).toBe(true)
    expect((await manifest()).run.actions.happy).toBe('reused')
  })

  it.skipIf(!hasPspp)('is read by PSPP with its labels', async () => {
    const target = project.path('happy.csv')
    const { status, stderr } = spawnSync('pspp-convert', ['--labels', project.path('out/panel/happy.sav'), target])
    expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' })
    const rows = parse(await project.bytes('happy.csv'), { columns: true }) as Record<string, string>[]
    const sav = await table('happy.sav')
    expect(rows.map((row) => row.REGION)).toEqual(readColumn(sav, 'REGION').map((level) => level ?? ''))
    expect(rows.filter((row) => row.SAT_ALL === 'High')).toHaveLength(240)
    const syntax = project.path('show.sps')
    await writeFile(syntax, `GET FILE='${project.path('out/panel/happy.sav')}'.\nDISPLAY DICTIONARY.\n`)
    const shown = spawnSync('pspp', ['-O', 'format=csv', syntax], { encoding: 'utf8' })
    expect(shown.stdout).toMatch(/\nSAT_ALL,1,How satisfied are you\?,(Ordinal|Nominal),/)
    expect(shown.stdout).toMatch(/\nREGION,2,Où habitez-vous \?,Nominal,/)
    expect(shown.stdout).toMatch(/\nVISITED,5,.*,Scale,.*,DATE11,DATE11\n/)
  })

  it('is replaced when the study asks for the cleaned names', async () => {
    const before = await manifest()
    await project.write('panel.study.yaml', STUDY.replace('names: original', 'names: cleaned'))
    const { code, stderr } = await project.whatif(['run', 'panel.study.yaml'])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const { scenarios, run } = await manifest()
    expect(run).toMatchObject({ rows_billable: 0, actions: { happy: 'reused' } })
    expect(scenarios.happy.artifact).not.toHaveProperty('names')
    expect(scenarios.happy.artifact.received).toEqual(before.scenarios.happy.artifact.received)
    expect([...(await readSavLabels(project.path('out/panel/happy.sav'))).keys()][0]).toBe('SAT.ALL')
    expect(scenarios['rows-only'].artifact.path).toBe('rows-only.csv')
    const [header] = parse(await project.bytes('out/panel/rows-only.csv')) as string[][]
    expect(header?.[0]).toBe('SAT.ALL')
  })
})
