import { execFileSync } from 'node:child_process'
import { rm, symlink } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manifestText } from '../../src/answers/manifest/manifest-writer.ts'
import { parseManifest } from '../../src/answers/manifest/parse-manifest.ts'
import { wordsOf } from '../../src/base/language/catalogues.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { reportDeck } from '../../src/report/deck/deck.ts'
import { reportHtml } from '../../src/report/html/page/page.ts'
import { reportCsv } from '../../src/report/report-csv.ts'
import { reportWorkbook } from '../../src/report/workbook/workbook.ts'
import { exampleManifest, exampleScenario, gateResult } from '../answers/example-manifest.ts'
import { makeProject, type Project } from './project-folder.ts'

const GATES = [gateResult('ranges', { expected: { outside_max: 0 }, actual: 0 })]
const MANIFEST = exampleManifest({ more: exampleScenario({ gates: GATES }) })

let project: Project
beforeAll(async () => {
  project = await makeProject({ sharesProcess: true })
  await project.write('manifest.json', manifestText(MANIFEST))
})
afterAll(() => project.remove())

describe('whatif gate', () => {
  it('exits 9 for a gate that fails on its figures, and asks no service', async () => {
    const { code, stdout, stderr } = await project.whatif(['gate', 'manifest.json'])
    expect({ code, stderr }).toEqual({ code: 9, stderr: '' })
    expect(stdout).toBe(`Gate    Of    Expected          Found  Verdict
ranges  more  outside_max 0 %  0.05 %  FAILED
ranges of more: the manifest says passed, but its figures say not passed.
1 gate, 1 failed; exit code 9 (gates_failed)
`)
    expect(await project.list('.')).toEqual(['manifest.json', 'package.json'])
  })

  it('is forgiven with --exit-zero-on, as one JSON document', async () => {
    const { code, stdout } = await project.whatif(['gate', 'manifest.json', '--exit-zero-on', 'gates', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      format_version: 1,
      command: 'gate',
      ok: true,
      exit_code: 0,
      data: {
        study: 'brand-switching',
        reason: 'ok',
        gates: [
          { scenario: 'more', id: 'ranges', passed: false, actual: 0.0005, recorded_passed: true, unchecked: null },
        ],
        partial: [],
      },
    })
  })

  it('refuses a file that is not a manifest, without a stack trace', async () => {
    await project.write('other.json', JSON.stringify({ ...MANIFEST, scenarios: { 'x\u001b[31m': 7 } }))
    expect(await project.whatif(['gate', 'other.json'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        'error: manifest other.json: scenarios.x\\x1b[31m: must be object\n' +
        'A run writes its manifest to OUTPUT_FOLDER/manifest.json.\n',
    })
  })

  it('names the manifest in a folder that is named in its place', async () => {
    await project.write('out/demo/manifest.json', manifestText(MANIFEST))
    expect(await project.whatif(['gate', 'out/demo'])).toMatchObject({
      code: 2,
      stderr: 'error: manifest out/demo: it is a folder\nName out/demo/manifest.json.\n',
    })
    await rm(project.path('out'), { recursive: true })
  })
})

describe('a manifest that is not whole', () => {
  const whole = manifestText(MANIFEST)
  const broken = 'its text breaks off, or was changed, so that it is no JSON any more'

  it.each([
    ['cut off', whole.slice(0, 900), broken],
    ['changed in the middle', `${whole.slice(0, 400)}\0\0\0${whole.slice(403)}`, broken],
    ['empty', '', 'it is empty'],
    ['zeros', '\0'.repeat(4096), 'it holds zeros alone'],
  ])('is called damaged by each command that reads one, with the way to make it again: %s', async (_, text, why) => {
    await project.write('torn/manifest.json', text)
    for (const command of ['report', 'verify', 'gate']) {
      expect(await project.whatif([command, 'torn/manifest.json'])).toMatchObject({
        code: 2,
        stdout: '',
        stderr:
          `error: manifest torn/manifest.json: it is damaged: ${why}\n` +
          '`whatif run STUDY` writes it again, and generates nothing that is up to date. The folder runs/ beside it has the manifests of all runs.\n',
      })
    }
    await rm(project.path('torn'), { recursive: true })
  })
})

describe('whatif report', () => {
  it('writes the named files, and replaces its own', async () => {
    const args = ['report', 'manifest.json', '--md', 'r/run.md', '--csv', 'r/run.csv', '--junit', 'r/run.xml']
    expect(await project.whatif(args)).toMatchObject({ code: 0, stdout: '' })
    expect(await project.list('r')).toEqual(['run.csv', 'run.md', 'run.xml'])
    const markdown = await project.read('r/run.md')
    expect(await project.whatif(['report', 'manifest.json'])).toEqual({
      code: 0,
      signal: null,
      stdout: markdown,
      stderr: '',
    })
    expect(await project.whatif(args)).toMatchObject({ code: 0 })
  })

  it('writes CSV that Excel opens with its letters, and replaces its own with and without the mark', async () => {
    const args = ['report', 'manifest.json', '--csv', 'r/excel.csv']
    expect(await project.whatif(args)).toMatchObject({ code: 0 })
    const text = await project.read('r/excel.csv')
    const plain = reportCsv(parseManifest(manifestText(MANIFEST)))
    expect(text).toBe(`\ufeff${plain}`)
    // Our own reader of tables takes the mark for no part of the first name.
    const table = await readTable(project.path('r/excel.csv'), { tempDir: project.root, maxSampleRows: 1000 })
    expect(table.columns[0]?.name).toBe('dataset')
    await project.write('r/excel.csv', plain)
    expect(await project.whatif(args)).toMatchObject({ code: 0 })
    expect(await project.read('r/excel.csv')).toBe(text)
    await project.write('r/excel.csv', `\ufeffname,value\n`)
    expect(await project.whatif(args)).toMatchObject({ code: 2 })
    await rm(project.path('r'), { recursive: true })
  })

  it.each([
    ['xlsx', reportWorkbook],
    ['pptx', reportDeck],
  ] as const)('writes the .%s file, and replaces one only with --overwrite', async (form, make) => {
    const args = ['report', 'manifest.json', `--${form}`, `r/run.${form}`]
    expect(await project.whatif(args)).toMatchObject({ code: 0, stdout: '', stderr: `r/run.${form}: written\n` })
    const expected = Buffer.from(await make(parseManifest(manifestText(MANIFEST))))
    expect(expected.equals(await project.bytes(`r/run.${form}`))).toBe(true)
    expect(await project.whatif(args)).toMatchObject({ code: 2 })
    expect(await project.whatif([...args, '--overwrite'])).toMatchObject({ code: 0 })
    await project.write(`r/run.${form}`, 'my notes')
    expect(await project.whatif(args)).toMatchObject({ code: 2 })
    expect(await project.read(`r/run.${form}`)).toBe('my notes')
    await rm(project.path('r'), { recursive: true })
  })

  it('writes the same page as a run, and replaces its own', async () => {
    const args = ['report', 'manifest.json', '--html', 'r/run.html']
    expect(await project.whatif(args)).toMatchObject({ code: 0, stdout: '', stderr: 'r/run.html: written\n' })
    const read = parseManifest(manifestText(MANIFEST))
    expect(await project.read('r/run.html')).toBe(reportHtml(read))
    expect(await project.whatif(args)).toMatchObject({ code: 0 })
    await project.write('r/other.html', '<!doctype html>\n<title>mine</title>\n')
    expect(await project.whatif(['report', 'manifest.json', '--html', 'r/other.html'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the file exists and is not such a report'),
    })
    await rm(project.path('r'), { recursive: true })
  })

  it('prints a document with --json: the written file, or the report itself', async () => {
    const printed = await project.whatif(['report', 'manifest.json', '--json'])
    const { data, ...document } = JSON.parse(printed.stdout)
    expect(document).toEqual({ format_version: 1, command: 'report', ok: true, exit_code: 0, diagnostics: [] })
    expect(data.markdown).toBe((await project.whatif(['report', 'manifest.json'])).stdout)
    const written = await project.whatif(['report', 'manifest.json', '--json', '--csv', 'r/json.csv'])
    expect(JSON.parse(written.stdout).data).toEqual({
      manifest_digest: data.manifest_digest,
      files: [{ form: 'csv', path: 'r/json.csv' }],
      markdown: null,
    })
  })

  it('writes no file when one of them cannot be written', async () => {
    await project.write('notes.csv', 'mine\n')
    await symlink(project.path('notes.csv'), project.path('link.xml'))
    const named = ['report', 'manifest.json', '--md', 'new.md']
    expect(await project.whatif([...named, '--csv', 'notes.csv'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /notes\.csv: the file exists and is not such a report; move it away or pass --overwrite\n$/,
      ),
    })
    expect(await project.whatif([...named, '--junit', 'link.xml', '--overwrite'])).toMatchObject({ code: 2 })
    expect(await project.whatif(['report', 'manifest.json', '--md', './manifest.json', '--overwrite'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/manifest\.json: it is given twice\n$/),
    })
    expect(await project.read('notes.csv')).toBe('mine\n')
    expect(await project.list('.')).not.toContain('new.md')
  })

  it('writes what people read in another language, and refuses forms that are in English', async () => {
    const printed = await project.whatif(['report', 'manifest.json', '--language', 'de'])
    expect(printed).toMatchObject({ code: 0, stdout: expect.stringContaining('Zum Zitieren: Hashwert des Manifests') })
    const page = await project.whatif(['report', 'manifest.json', '--language', 'zh', '--html', 'r/zh.html'])
    expect(page).toMatchObject({ code: 0 })
    expect(await project.read('r/zh.html')).toContain('<html lang="zh-Hans">')
    const office = ['--xlsx', 'r/de.xlsx', '--pptx', 'r/de.pptx', '--csv', 'r/de.csv']
    expect(await project.whatif(['report', 'manifest.json', '--language', 'de', ...office])).toMatchObject({
      code: 0,
      stderr: 'r/de.csv: written, in English\nr/de.xlsx: written\nr/de.pptx: written\n',
    })
    const read = parseManifest(manifestText(MANIFEST))
    for (const [form, make] of [['xlsx', reportWorkbook] as const, ['pptx', reportDeck] as const]) {
      const expected = Buffer.from(await make(read, await wordsOf('de')))
      expect(expected.equals(await project.bytes(`r/de.${form}`))).toBe(true)
    }
    const table = await project.whatif(['report', 'manifest.json', '--language', 'fr', '--csv', 'r/fr.csv'])
    expect(table).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--language fr: --csv is in English'),
    })
    const unknown = await project.whatif(['report', 'manifest.json', '--language', 'xx'])
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Expected one of en, de, es, fr, zh.') })
  })
})

describe('whatif diff', () => {
  it('shows what differs between two manifests, in 80 columns', async () => {
    const more = exampleScenario({ gates: GATES, rows: { requested: 2000, reported: 1900, counted: 1900, fill: 0.95 } })
    const { levels } = more.shares.intent!
    const shares = { intent: { levels, unstated: { No: 0.5, Unsure: 0.14 } } }
    await project.write('later.json', manifestText(exampleManifest({ more: { ...more, shares } })))
    const { code, stdout, stderr } = await project.whatif(['diff', 'manifest.json', 'later.json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`Shares                                                Before  After  Noise
scenarios › more › shares › intent › levels › No      0.6     0.5    ±0.031722
`)
    for (const line of stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(80)
    expect(stdout).not.toContain('undefined')
    expect(await project.whatif(['diff', 'manifest.json', 'manifest.json'])).toMatchObject({
      code: 0,
      stdout: 'no differences\n',
    })
  })

  it('shows what changed in a study since a revision', async () => {
    const study = (share: number) => `version: 1
name: demo
datasets: { panel: { file: panel.csv } }
scenarios: { more: { rows: 100, seed: 1, shares: { intent: { Yes: ${share} } } } }
`
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', project.root, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args])
    await project.write('demo.study.yaml', study(0.5))
    git('init', '-q')
    git('add', 'demo.study.yaml')
    git('-c', 'commit.gpgsign=false', 'commit', '-qm', 'a study')
    await project.write('demo.study.yaml', study(0.6))
    expect(await project.whatif(['diff', 'demo.study.yaml'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `Since HEAD                                Before  After
scenarios › more › shares › intent › Yes  0.5     0.6

`,
    })
    const { stdout } = await project.whatif(['diff', 'demo.study.yaml', 'HEAD', '--json'])
    expect(JSON.parse(stdout).data).toEqual({
      revision: 'HEAD',
      same: false,
      renamed: [],
      differences: [{ path: ['scenarios', 'more', 'shares', 'intent', 'Yes'], before: 0.5, after: 0.6 }],
    })
  })
})
