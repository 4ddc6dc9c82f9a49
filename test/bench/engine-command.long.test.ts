import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { benchCommand } from './bench-command.ts'

const ROWS = 600

const run = benchCommand('engine-command.js')

describe('the engine under the contract of the shared bench', () => {
  let folder: string
  const at = (name: string) => join(folder, name)
  const flags = () => ({
    '--train': at('train table.csv'),
    '--schema': at('schema.json'),
    '--n': '250',
    '--out': at('rows made.csv'),
    '--report': at('report.json'),
    '--scenarios': at('scenarios.json'),
    '--scenario-out': at('by scenario'),
    '--threads': '1',
  })
  const words = (changes: Record<string, string | null> = {}) =>
    Object.entries({ ...flags(), ...changes }).flatMap(([flag, value]) => (value === null ? [] : [flag, value]))
  const linesOf = async (name: string) => (await readFile(at(name), 'utf8')).trimEnd().split('\r\n')

  beforeAll(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'whatif-bench-test-')), 'with spaces')
    await mkdir(folder)
    const rows = Array.from({ length: ROWS }, (_, i) => `${i % 3 ? 'tea' : 'mate, hot'},${(i * 7) % 50},same`)
    const quoted = rows.map((row) => row.replace('mate, hot', '"mate, hot"'))
    await writeFile(at('train table.csv'), `${['Drink Name,cups,constant', ...quoted].join('\n')}\n`)
    await writeFile(at('schema.json'), '{}')
    const shares = { tea: 0.25, 'mate, hot': 0.75 }
    await writeFile(
      at('scenarios.json'),
      JSON.stringify({
        scenarios: {
          hard: {
            row_count: 200,
            conditions: { categorical: { 'Drink Name': shares }, numeric: { cups: { min: 10, max: 30 } } },
          },
          dropped: { row_count: 20, conditions: { categorical: { constant: { same: 1 } }, numeric: {} } },
          impossible: { row_count: 20, conditions: { categorical: {}, numeric: { cups: { min: 5000, max: 6000 } } } },
        },
      }),
    )
  })
  afterAll(() => rm(join(folder, '..'), { recursive: true, force: true }))

  it('writes the rows, a file per scenario and the report', async () => {
    expect(await run(words())).toEqual({ code: 0, stdout: '', stderr: '' })

    const [header, ...rows] = await linesOf('rows made.csv')
    expect(header).toBe('Drink Name,cups')
    expect(rows).toHaveLength(250)
    const [, ...hard] = await linesOf('by scenario/hard.csv')
    expect(hard).toHaveLength(200)
    expect(hard.filter((row) => row.startsWith('tea,'))).toHaveLength(50)
    for (const row of hard) {
      const cups = Number(row.slice(row.lastIndexOf(',') + 1))
      expect(cups).toBeGreaterThanOrEqual(10)
      expect(cups).toBeLessThanOrEqual(30)
    }
    // Nothing is left of what cannot be made, nor of drafts.
    expect(await readdir(at('by scenario'))).toEqual(['hard.csv'])

    const report = JSON.parse(await readFile(at('report.json'), 'utf8'))
    expect(report).toMatchObject({ threads: 1, rows: ROWS, dropped_columns: ['constant'] })
    for (const key of ['fit_seconds', 'fit_cpu_seconds', 'sample_seconds', 'peak_rss_mib_fit_sample']) {
      expect(report[key]).toBeGreaterThan(0)
    }
    expect(report.scenarios.hard).toEqual({ seconds: expect.any(Number), rows: 200, fill: expect.closeTo(1, 6) })
    expect(report.scenarios.dropped).toMatchObject({ rows: 0, error: 'the model has no column constant' })
    expect(report.scenarios.impossible).toMatchObject({ rows: 0, error: expect.stringContaining('cups') })
  })

  it('makes the same rows for the same seed, and other rows for another', async () => {
    const made = async (seed: string) => {
      const name = `seed ${seed}.csv`
      const quick = { '--scenarios': null, '--scenario-out': null, '--seed': seed, '--out': at(name) }
      expect(await run(words(quick))).toEqual({ code: 0, stdout: '', stderr: '' })
      return readFile(at(name), 'utf8')
    }
    const first = await made('5')
    expect(await made('5')).toBe(first)
    expect(await made('6')).not.toBe(first)
  })

  it.each([
    { flag: '--train', value: null, message: '--train is missing' },
    { flag: '--report', value: null, message: '--report is missing' },
    { flag: '--scenario-out', value: null, message: '--scenarios and --scenario-out go together' },
    { flag: '--n', value: '0', message: '--n must be a whole number of at least 1, found "0"' },
    { flag: '--n', value: 'many', message: '--n must be a whole number of at least 1, found "many"' },
    { flag: '--auto-clean', value: 'no', message: '--auto-clean must be true or false, found "no"' },
    { flag: '--rows', value: '5', message: "Unknown option '--rows'" },
  ])('reports the fault of $flag $value', async ({ flag, value, message }) => {
    const { code, stderr } = await run(words({ [flag]: value }))
    expect(stderr).toContain(message)
    expect(stderr).toContain('npm run -s bench:engine -- --train FILE')
    expect(code).toBe(2)
  })

  it('fails without a report when the file cannot be read', async () => {
    const { code, stderr } = await run(words({ '--train': at('absent.csv'), '--report': at('none.json') }))
    expect(code).toBe(1)
    expect(stderr).toMatch(/^bench:engine: .*absent\.csv/)
    expect(await readdir(folder)).not.toContain('none.json')
  })
})
