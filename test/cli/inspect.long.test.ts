import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProject, type Project, trackerFile } from './project-folder.ts'

const STUDY = `version: 1
name: tracker
datasets: { tracker: { file: tracker.csv }, other: { file: tracker.csv, auto_clean: false } }
scenarios:
  more: { dataset: tracker, rows: 100, seed: 1 }
`

/** Terminal control codes, except line feeds, which are layout. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/

describe('"whatif inspect" with the embedded service', () => {
  let project: Project
  let first: Awaited<ReturnType<Project['whatif']>>
  beforeAll(async () => {
    project = await makeProject({ sharesProcess: true })
    await project.copy(trackerFile, 'tracker.csv')
    await project.write('tracker.study.yaml', STUDY)
    first = await project.whatif(['inspect', 'tracker.csv'])
  })
  afterAll(() => project.remove())

  const idOf = (stdout: string) => /dataset (ds_\w+)/.exec(stdout)?.[1]

  it('trains a seed file and shows its columns, its cleaning and its quality', () => {
    const { code, stdout, stderr } = first
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('training') })
    expect(stdout).toMatch(/^tracker\.csv: dataset ds_\w+, trained/)
    expect(stdout).toContain('\n17 columns\n  column             kind    missing  levels with shares, range\n')
    expect(stdout).toMatch(/\n {2}age +whole +18 … 84, median 47, 90 % within 24 … 72\n/)
    expect(stdout).toMatch(/\n {2}region +levels +South 0\.31, North 0\.257 and 3 more\n/)
    expect(stdout).toMatch(
      /\n {2}last\.visit +date +18\.4 % +2026-10-02 … 2026-10-31\n +median 2026-10-1\d\n +90 % within 2026-10-\d\d … 2026-10-\d\d\n/,
    )
    expect(stdout).toContain('\nCleaning: 6,000 rows x 19 columns in the file, 6,000 x 17 are modelled\n')
    expect(stdout).toContain('\n  renamed  loyalty_member -> loyalty.member\n')
    expect(stdout).toContain('\n  dropped  respondent_id: identifier. 6,000 different values in 6,000 rows.\n')
    expect(stdout).toContain('\n  rare     preferred.drink: Decaf cortado became missing in 3 rows\n')
    expect(stdout).toContain('\nQuality: a model of 4,800 rows, against 1,200 rows held out\n')
    expect(stdout).toMatch(
      /\n {2}C2ST AUC, against held-out rows +0\.\d{3} {2}0\.5 ±0\.024 {2}(within|above|below) chance\n/,
    )
    expect(stdout).toMatch(/\n {2}exact copies of rows trained on +\d\.\d\d % +\d\.\d\d % {2}\w+ chance\n/)
  })

  it('writes a data sheet whose shares and quantiles are those of the schema; with --json its record is one document', async () => {
    const { code, stderr, stdout } = await project.whatif([
      'inspect',
      'tracker.csv',
      '--html',
      'sheets/tracker.html',
      '--json',
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'sheets/tracker.html: written\n' })
    const { data, ...rest } = JSON.parse(stdout)
    expect(rest).toEqual({ format_version: 1, command: 'inspect', ok: true, exit_code: 0, diagnostics: [] })
    expect(data).toMatchObject({
      html: 'sheets/tracker.html',
      dataset_id: idOf(first.stdout),
      status: 'ready',
      display_name: 'tracker',
      cleaning_summary: { input_columns: 19, dropped_columns: [{ name: 'respondent_id' }, { name: 'interview_mode' }] },
      training_summary: {
        training_rows: 6000,
        quality: { held_out_rows: 1200, column_shapes: { worst: [{}, {}, {}] } },
      },
    })
    expect(data.schema).toHaveLength(17)
    const page = await project.read('sheets/tracker.html')
    const region = data.schema.find(({ name }: { name: string }) => name === 'region')
    expect(page).toContain(`data-tip="${region.levels[0]}: ${(region.level_shares[0] * 100).toFixed(1)} %"`)
    const age = data.schema.find(({ name }: { name: string }) => name === 'age')
    expect(page).toContain(
      `data-tip="age: median ${age.quantiles.q50}, quartiles ${age.quantiles.q25} and ${age.quantiles.q75}`,
    )
    expect(page).toContain('<dt>dropped</dt><dd><span dir="auto">respondent_id: identifier.')
    expect(page).toContain('Strength of')

    // The name after --html is that of the seed file where there is no other.
    const again = await project.whatif(['inspect', '--html', 'tracker.csv'])
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('data-sheet.html: written\n') })
    expect(await project.read('data-sheet.html')).toBe(page)
    const both = await project.whatif(['inspect', '--html', 'tracker.csv', 'sheets/both.html'])
    expect(both).toMatchObject({ code: 0, stderr: expect.stringContaining('both.html: written\n') })
    expect(await project.read('sheets/both.html')).toBe(page)
  })

  it('needs a seed file beside the name of a data sheet', async () => {
    const unnamed = await project.whatif(['inspect', '--html', 'sheets/other.html'])
    expect(unnamed).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: no dataset is named\nName a seed/),
    })
  })

  it('replaces no other file with a data sheet, and never the seed file', async () => {
    await project.write('mine.html', 'my notes')
    const other = await project.whatif(['inspect', 'tracker.csv', '--html', 'mine.html'])
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('is not such a report') })
    const seed = await project.whatif(['inspect', 'tracker.csv', '--html', 'tracker.csv', '--overwrite'])
    expect(seed).toMatchObject({ code: 2, stderr: expect.stringContaining('would replace what it describes') })
  })

  it('is readable at 80 columns and has no control codes without a terminal', () => {
    for (const line of first.stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(80)
    expect(first.stdout + first.stderr).not.toMatch(CONTROL)
  })

  it('shows a trained dataset without training it again, by file and by id', async () => {
    const again = await project.whatif(['inspect', 'tracker.csv'])
    expect(again).toMatchObject({ code: 0, stdout: first.stdout })
    expect(again.stderr).not.toContain('training')
    const byId = await project.whatif(['inspect', idOf(first.stdout)!])
    expect(byId.code).toBe(0)
    // What the service tells of ends and quantiles is rounded.
    const cleaning = (text: string) => text.slice(text.indexOf('\nCleaning'))
    expect(cleaning(byId.stdout)).toBe(cleaning(first.stdout))
    expect(first.stdout).toContain('Ends and quantiles are those of the file.')
    expect(byId.stdout).toContain('Ends and quantiles are rounded where')
  })

  it('shows the exact figures of a dataset of a study, as declared', async () => {
    await project.write('declared.study.yaml', STUDY.replace('tracker.csv }', 'tracker.csv, missing: { age: [18] } }'))
    const declared = await project.whatif(['inspect', 'declared.study.yaml#tracker'])
    expect({ code: declared.code, stderr: declared.stderr }).toMatchObject({ code: 0 })
    expect(declared.stdout).toMatch(/\n {2}age +whole +[\d.]+ % +19 … 84, median 47/)
    expect(declared.stdout).toContain('Ends and quantiles are those of the file.')
  })

  it('shows the dataset that a study has trained, and uses the key of the study before the training', async () => {
    // The study calls it "tracker", as inspecting the file did.
    expect(await project.whatif(['validate', 'tracker.study.yaml'])).toMatchObject({ code: 0 })
    const shown = await project.whatif(['inspect', 'tracker.study.yaml#tracker'])
    expect(shown.code).toBe(0)
    expect(idOf(shown.stdout)).toBe(idOf(first.stdout))
    expect(shown.stderr).not.toContain('uploading')
  })

  it.each([
    {
      what: 'nothing.csv',
      code: 2,
      said: 'error: nothing.csv: there is no such file\nExpected a seed file, the id of a trained dataset, or STUDY_FILE#DATASET.\n',
    },
    {
      what: 'none.study.yaml#tracker',
      code: 2,
      said: /^error: study file none\.study\.yaml: there is no such file\nStudies there: .*tracker\.study\.yaml.*\.\n$/,
    },
    {
      what: 'tracker.study.yaml',
      code: 2,
      said: 'error: tracker.study.yaml has several datasets, name one: tracker.study.yaml#tracker, tracker.study.yaml#other\n',
    },
    {
      what: 'tracker.study.yaml#panel',
      code: 2,
      said: 'error: the study has no dataset "panel"; it has: tracker, other\n',
    },
    { what: '.', code: 2, said: /^error: .* is not a regular file\n$/ },
  ])('reports the fault of $what, exit code $code', async ({ what, code, said }) => {
    const finished = await project.whatif(['inspect', what])
    expect(finished).toMatchObject({ code, stdout: '' })
    if (typeof said === 'string') expect(finished.stderr).toBe(said)
    else expect(finished.stderr).toMatch(said)
  })

  it('says that a dataset is gone with exit code 4, in JSON too', async () => {
    const gone = `ds_${'0'.repeat(22)}`
    const { code, stderr } = await project.whatif(['inspect', gone])
    expect(code).toBe(4)
    expect(stderr).toContain(`error: the service has no dataset ${gone}: trained datasets live 24 hours`)
    const json = await project.whatif(['inspect', gone, '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, exit_code: 4, data: { message: expect.any(String) } })
  })

  it('says why a file cannot be trained on with exit code 7', async () => {
    await project.write('few.csv', 'answer\nYes\nNo\n')
    const { code, stdout, stderr } = await project.whatif(['inspect', 'few.csv'])
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' })
    expect(stderr).toContain('error: The table has 2 rows; at least 50 are needed.\n')
  })

  it('shows hostile text of a file as escapes, and why a small file has no measures', async () => {
    await project.write('hostile.csv', `id_a,answer\n${'1,\u001b[31mred\u001b[0m\n2,\u202eplain\n'.repeat(40)}`)
    const { code, stdout } = await project.whatif(['inspect', 'hostile.csv'])
    expect(code).toBe(0)
    expect(stdout).not.toMatch(CONTROL)
    expect(stdout).toContain('\\x1b[31mred\\x1b[0m')
    expect(stdout).toContain('\\u{202e}plain')
    expect(stdout).toContain('Quality\n  The table has 80 rows; at least 200 are needed to hold some out.\n')
  })
})

describe('"whatif inspect" with a service that reports only what the specification requires', () => {
  let project: Project
  let service: Server
  let environment: NodeJS.ProcessEnv
  beforeAll(async () => {
    project = await makeProject({ sharesProcess: true })
    const replies: Readonly<Record<string, object>> = {
      'POST /oauth/token': { access_token: 'token', expires_in: 3600 },
      'GET /v1/datasets/D-1': {
        dataset_id: 'D-1',
        status: 'ready',
        cleaning_summary: {
          input_rows: 10,
          input_columns: 3,
          clean_rows: 9,
          clean_columns: 2,
          dropped_columns: [{ column: 'id\u001b[2J', reason: 'low \u202esignal' }],
        },
        training_summary: { trained_at: '2026-11-20T12:00:00Z\u0007', duration_ms: 5, quality: { score: 97 } },
      },
      'GET /v1/datasets/D-1/schema': { schema: [{ name: 'answer', levels: ['Yes', 'No\u001b[31m'] }, { name: 'age' }] },
    }
    service = createServer((request, response) => {
      const reply = replies[`${request.method} ${request.url}`]
      request.resume()
      response.writeHead(reply === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(reply ?? {}))
    })
    await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening))
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
    environment = {
      WHATIF_BASE_URL: url,
      WHATIF_AUTH_URL: url,
      WHATIF_CLIENT_ID: 'client',
      WHATIF_CLIENT_SECRET: 'secret',
    }
  })
  afterAll(async () => {
    service.closeAllConnections()
    await new Promise((closed) => service.close(closed))
    await project.remove()
  })

  it('shows the available facts, and escapes terminal control characters', async () => {
    const { code, stdout } = await project.whatif(['inspect', 'D-1'], { env: environment })
    expect(code).toBe(0)
    // An invalid time is not printed.
    expect(stdout).toBe(`D-1: dataset D-1

2 columns
  column  kind    missing  levels, range
  answer  levels        ?  Yes, No\\x1b[31m
  age     ?             ?

Cleaning: 10 rows x 3 columns in the file, 9 x 2 are modelled
  dropped  id\\x1b[2J: low \\u{202e}signal

Quality
  The service does not report it.
`)
  })
})
