import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { table, worded } from '../../../src/base/document/block.ts'
import { annotationCommand, annotationCommands, maskCommands } from '../../../src/cli/ci/annotations.ts'
import type { Finding } from '../../../src/cli/ci/findings.ts'
import { writePage } from '../../../src/cli/ci/reporting.ts'
import { summaryMarkdown } from '../../../src/cli/ci/step-summary.ts'
import type { Terminal } from '../../../src/cli/output/terminal.ts'
import { runnerCommands } from '../runner-commands.ts'

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'whatif-page-')))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const finding = (change: Partial<Finding> = {}): Finding => ({
  level: 'error',
  title: 'S2103',
  message: 'unknown level',
  place: null,
  ...change,
})

describe('an annotation', () => {
  it('is written as GitHub documents it', () => {
    expect(
      annotationCommand('error', 'S2103', 'unknown level "Nrth"\n100 %', { file: 'a,b:c.yaml', line: 27, column: 42 }),
    ).toBe('::error file=a%2Cb%3Ac.yaml,line=27,col=42,title=S2103::unknown level "Nrth"%0A100 %25')
  })

  it('is one command for any text', () => {
    const word = fc.string({
      unit: fc.constantFrom('::', ',', '%', '%0A', '%25', '\r', '\n', ' ', '=', '##[', ']', 'a', 'é'),
    })
    fc.assert(
      fc.property(word, word, word, (file, title, message) => {
        const line = annotationCommand('warning', `t${title}.`, message, { file: `f${file}`, line: 3 })
        expect(runnerCommands(line)).toEqual([
          { name: 'warning', properties: { file: `f${file}`, line: '3', title: `t${title}.` }, data: message },
        ])
      }),
    )
  })

  it('is one of at most ten, with errors first, and the page counts the others', () => {
    const findings = [
      ...Array.from({ length: 4 }, (_, i) => finding({ level: 'warning', title: `W${i}` })),
      ...Array.from({ length: 9 }, (_, i) => finding({ title: `E${i}` })),
    ]
    const shown = runnerCommands(annotationCommands(findings, {}).join('\n'))
    expect(shown.map(({ name, properties }) => `${name} ${properties.title}`)).toEqual([
      ...Array.from({ length: 9 }, (_, i) => `error E${i}`),
      'warning W0',
      'notice whatif',
    ])
    expect(shown.at(-1)?.data).toBe('and 3 more: see the log')
    expect(annotationCommands(findings.slice(0, 10), {})).toHaveLength(10)
  })

  it.each([
    { name: 'the folder with .git', git: 'repo', workspace: 'repo', path: 'project/x.yaml' },
    {
      name: 'a repository checked out into a folder of the workspace',
      git: 'repo',
      workspace: '.',
      path: 'project/x.yaml',
    },
    { name: 'the workspace, of a copy without .git', git: null, workspace: 'repo', path: 'project/x.yaml' },
    { name: 'the file, where there is neither', git: null, workspace: 'elsewhere', path: 'x.yaml' },
  ])('names its file from $name', async ({ git, workspace, path }) => {
    await mkdir(join(folder, 'repo/project'), { recursive: true })
    await mkdir(join(folder, 'elsewhere'))
    if (git !== null) await mkdir(join(folder, git, '.git'))
    const place = { file: join(folder, 'repo/project/x.yaml'), line: 2, column: 1 }
    const [line] = annotationCommands([finding({ place })], { GITHUB_WORKSPACE: join(folder, workspace) })
    expect(runnerCommands(line!)[0]?.properties).toMatchObject({ file: path, line: '2', col: '1' })
  })
})

describe('a mask', () => {
  it('is written for every line of a secret', () => {
    expect(maskCommands('one\r\n\n50%\n')).toEqual(['::add-mask::one', '::add-mask::50%25'])
    expect(maskCommands('')).toEqual([])
  })
})

describe('a summary', () => {
  const rows = Array.from({ length: 60 }, (_, i) => [`row ${i}`, 'é'.repeat(i % 17)])
  const summary = {
    heading: 'whatif run',
    lead: ['Done.'],
    tables: [table('Scenarios', ['Name', 'Text'], rows), table('Findings', ['Name', worded('Text')], rows)],
  }

  it('is Markdown with whole tables where there is room', () => {
    const text = summaryMarkdown({ ...summary, tables: [{ ...summary.tables[0]!, rows: rows.slice(0, 2) }] }, 2 ** 20)
    expect(text).toBe(`### whatif run

Done.

**Scenarios**

| Name | Text |
| --- | ---: |
| row 0 |  |
| row 1 | é |

`)
  })

  it('has whole rows within any number of bytes, and counts the omitted ones', () => {
    const whole = summaryMarkdown(summary, 2 ** 20)!
    const all = Buffer.byteLength(whole)
    for (let room = 0; room <= all + 40; room += room < 200 ? 1 : 37) {
      const text = summaryMarkdown(summary, room)
      if (text === null) {
        expect(room).toBeLessThan(30)
        continue
      }
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(room)
      const lines = text.split('\n')
      for (const line of lines) if (line.startsWith('|')) expect(line).toMatch(/^\|.*\|$/)
      const shown = lines.filter((line) => line.startsWith('| row')).length
      const said = [...text.matchAll(/^(\d+) more rows? of this table left out/gm)].reduce(
        (sum, [, n]) => sum + Number(n),
        0,
      )
      const missing = text.includes('Findings: left out') ? 60 : 0
      if (text.includes('**Findings**')) expect(shown + said).toBe(120)
      else if (said > 0) expect(shown + said + missing).toBeOneOf([60, 120])
      if (room >= all) expect(text).toBe(whole)
    }
  })

  it('is appended with the findings, and the whole page stays below 1 MiB', async () => {
    const file = join(folder, 'summary.md')
    await writeFile(file, `${'x'.repeat(2 ** 20 - 40_000)}\n`)
    const written: string[] = []
    const terminal = { stderr: { write: (text: string) => written.push(text) } } as unknown as Terminal
    const findings = Array.from({ length: 500 }, (_, i) => finding({ message: `<img src=x> | \`${i}\`` }))
    await writePage({ summary: { ...summary, tables: [] }, findings }, terminal, { GITHUB_STEP_SUMMARY: file })
    const text = await readFile(file, 'utf8')
    expect(text).toMatch(/^x+\n### whatif run\n/)
    expect(text).not.toContain('<img')
    expect(text).toMatch(/\n\n\d+ more rows of this table left out, because a summary holds at most 1 MiB\.\n\n$/)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2 ** 20 - 2 ** 14)
    expect(runnerCommands(written.join(''))).toHaveLength(11)
  })

  it('that cannot be written is a warning', async () => {
    const written: string[] = []
    const terminal = { stderr: { write: (text: string) => written.push(text) } } as unknown as Terminal
    await writePage({ summary, findings: [] }, terminal, { GITHUB_STEP_SUMMARY: folder })
    expect(written.join('')).toBe(
      'warning: GITHUB_STEP_SUMMARY cannot be written (EISDIR); everything else is unaffected\n',
    )
  })
})
