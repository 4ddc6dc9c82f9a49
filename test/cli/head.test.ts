import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { manifestText } from '../../src/answers/manifest/manifest-writer.ts'
import type { ManifestScenario } from '../../src/records/manifest/scenarios.ts'
import { exampleManifest, exampleScenario } from '../answers/example-manifest.ts'
import { inStudyFolder, whatif } from './command-in-process.ts'

const HASH = 'a'.repeat(64)
const ROWS = 'region,age,comment\nNorth,34,\nSouth,51,"a, b"\nNorth,28,=1+1\n'

inStudyFolder()

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(name), { recursive: true })
  await writeFile(name, text)
}

/** A scenario with this file as its rows. */
async function scenarioOf(path: string, text: string): Promise<ManifestScenario> {
  await write(`out/${path}`, text)
  const sha256 = createHash('sha256').update(text).digest('hex')
  return exampleScenario({ artifact: { path, format: 'csv', bytes: text.length, sha256 } })
}

const writeManifest = (scenarios: Record<string, ManifestScenario>, at = 'out/manifest.json') =>
  write(at, manifestText(exampleManifest(scenarios)))
const head = (...args: string[]) => whatif(['head out/manifest.json', ...args].join(' '))

beforeEach(async () => writeManifest({ more: await scenarioOf('more.csv', ROWS) }))

describe('whatif head', () => {
  it('shows the first rows as a table', async () => {
    expect(await head('more')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `more: 3 of 2,000 rows, 3 columns
region  age  comment
North    34  –
South    51  a, b
North    28  =1+1
`,
    })
  })

  it('shows the requested rows and columns', async () => {
    const { stdout } = await head('more', '--rows', '1', '--columns', 'age,region')
    expect(stdout).toBe('more: 1 of 2,000 rows, 3 columns\nage  region\n 34  North\n')
  })

  it('prints CSV for other programs, with the values of the file', async () => {
    expect((await head('more', '--csv')).stdout).toBe(ROWS)
    expect((await head('--csv', '--columns', 'comment')).stdout).toBe('comment\n""\n"a, b"\n=1+1\n')
  })

  it('prints one JSON document', async () => {
    const { stdout } = await head('--json', '--rows', '2')
    expect(JSON.parse(stdout)).toMatchObject({
      command: 'head',
      exit_code: 0,
      data: {
        scenarios: {
          more: {
            path: 'more.csv',
            changed: false,
            columns: ['region', 'age', 'comment'],
            rows: [
              ['North', '34', null],
              ['South', '51', 'a, b'],
            ],
          },
        },
        scenarios_left_out: 0,
      },
    })
  })

  it('names columns that do not fit below the table', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `column.${i}`)
    await writeManifest({
      wide: await scenarioOf('wide.csv', `${names.join(',')}\n${names.map(() => 'x').join(',')}\n`),
    })
    const { stdout } = await head('wide')
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(stdout).toMatch(/^column\.0 {2}column\.1 .*column\.7$/m)
    expect(stdout).toMatch(/^22 more columns: column\.8, column\.9,/m)
    expect(stdout).toMatch(/column\.29\n$/)
  })

  it('cuts a long text, so that the other columns stay in sight', async () => {
    await writeManifest({ long: await scenarioOf('long.csv', `a,b\n${'y'.repeat(500)},2\n`) })
    expect((await head('long')).stdout).toContain(`${'y'.repeat(23)}…  2\n`)
  })

  it('shows all scenarios, in the sequence of the study, at most ten', async () => {
    const ids = Array.from({ length: 12 }, (_, i) => `s${i}`)
    const scenarios = Object.fromEntries(
      await Promise.all(ids.map(async (id) => [id, await scenarioOf(`${id}.csv`, ROWS)])),
    )
    const { study, ...rest } = exampleManifest(scenarios)
    const order = [...ids].reverse()
    await write('out/manifest.json', manifestText({ ...rest, study: { ...study, scenario_order: order } }))
    const { stdout } = await head()
    expect([...stdout.matchAll(/^(s\d+): /gm)].map(([, id]) => id)).toEqual(order.slice(0, 10))
    expect(stdout).toMatch(/\n2 more scenarios: name one to see its rows\n$/)
    expect(await head('--csv')).toMatchObject({
      code: 2,
      stderr:
        'error: --csv prints one table, and 12 scenarios have rows\nName one of them: s11, s10, s9, s8, s7 and 7 more.\n',
    })
  })

  it('reports that the file was changed', async () => {
    await write('out/more.csv', ROWS.replace('34', '35'))
    const { code, stdout, stderr } = await head('more')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'warning: more.csv was changed since the manifest was written\n',
    })
    expect(stdout).toContain('North    35')
  })

  it('reads the record of a run in a folder below', async () => {
    await writeManifest({ more: await scenarioOf('more.csv', ROWS) }, 'out/runs/20261121T120000Z-1.json')
    expect((await whatif('head out/runs/20261121T120000Z-1.json more')).stdout).toContain('South    51')
  })
})

describe('whatif head refuses with a reason', () => {
  it.each([
    ['an unknown scenario', ['moer'], /^error: the manifest has no scenario "moer"\nIt has: more\.\n$/],
    [
      'an unknown column',
      ['more', '--columns', 'aeg'],
      /more: The file has no column "aeg"; it has: region, age, comment\.\n$/,
    ],
    ['two forms', ['more', '--csv', '--json'], /--csv and --json are two forms/],
    ['no rows', ['more', '--rows', '0'], /argument '0' is invalid\. Expected a whole number of at least 1/],
    ['too many rows', ['more', '--rows', '10001'], /Expected a whole number of at most 10,000/],
  ])('%s', async (_name, args, message) => {
    const { code, stderr } = await head(...args)
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })

  it('a missing file', async () => {
    await writeManifest({
      gone: exampleScenario({ artifact: { path: 'gone.csv', format: 'csv', bytes: 1, sha256: HASH } }),
    })
    expect(await head('gone')).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        'error: gone.csv of scenario gone: there is no such file\n' +
        'A run of the study makes a missing file again, and replaces a damaged one with --overwrite.\n',
    })
  })

  it('a scenario without rows, with its reason', async () => {
    const error = { code: 'svc_x', detail: 'no seed row fits' }
    await writeManifest({ failed: exampleScenario({ status: 'failed', artifact: null, error }) })
    expect((await head('failed')).stderr).toBe('error: scenario failed has no rows (failed): no seed row fits\n')
    expect((await head()).stderr).toBe('error: manifest out/manifest.json: no scenario has rows\n')
  })
})

describe('a manifest from anywhere', () => {
  it.each(['../secret.csv', '/etc/hostname', 'link.csv'])(
    'gives access to no file outside its folder: %s',
    async (path) => {
      await write('secret.csv', 'user,token\nme,12345\n')
      await symlink(resolve('secret.csv'), 'out/link.csv').catch(() => {})
      const artifact = { path, format: 'csv' as const, bytes: 1, sha256: HASH }
      await writeManifest({ more: exampleScenario({ artifact }) })
      const { code, stdout, stderr } = await head('more')
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain("it is outside the manifest's folder, so it is not read")
    },
  )

  it('waits for no pipe', async () => {
    execFileSync('mkfifo', ['out/pipe.csv'])
    await writeManifest({
      more: exampleScenario({ artifact: { path: 'pipe.csv', format: 'csv', bytes: 1, sha256: HASH } }),
    })
    expect((await head('more')).stderr).toContain('pipe.csv of scenario more: it is not a regular file')
  })

  it('moves no cursor and changes no colours with its names or values', async () => {
    const text = 'a\u001b[31m,b\nx\u0007y,\u202eabc\n'
    await writeManifest({ 'm\u001b]0;x': await scenarioOf('odd.csv', text) })
    const { stdout } = await head()
    expect(stdout).toBe('m\\x1b]0;x: 1 of 2,000 rows, 2 columns\na\\x1b[31m  b\nx\\x07y     \\u{202e}abc\n')
  })
})
