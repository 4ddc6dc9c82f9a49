import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const page = (path: string) => readFileSync(join(root, path), 'utf8')
const blocksOf = (text: string) =>
  [...text.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(([, language, code]) => ({ language, text: code }))
const readme = page('README.md')
const blocks = blocksOf(readme)
const project = mkdtempSync(join(tmpdir(), 'whatif-readme-'))
afterAll(() => rmSync(project, { recursive: true, force: true }))

/** Environment without any service configured, as on a fresh machine. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('WHATIF_') && name !== 'FORCE_COLOR'),
)

describe('the README', () => {
  it('shows the output of its first command, and the second run generates nothing', () => {
    const [command, output] = blocks
    const [install, run] = (command?.text ?? '').trim().split(' && ')
    expect(install).toBe('npm ci')
    const words = (run ?? '').split(' ')
    expect(words.slice(0, 2)).toEqual(['npx', 'whatif'])
    cpSync(join(root, 'examples'), join(project, 'examples'), {
      recursive: true,
      filter: (path) => !path.includes(`${join('coffee', 'out')}`),
    })
    writeFileSync(join(project, 'package.json'), '{}')
    const whatif = () =>
      spawnSync(process.execPath, [join(root, 'bin/whatif.js'), ...words.slice(2)], {
        cwd: project,
        env: environment,
        encoding: 'utf8',
      })

    const first = whatif()
    expect(first.status, first.stderr).toBe(0)
    // Between the two parts stand differences, which change with the engine.
    const [above = '', below = ''] = (output?.text ?? 'no output block').split('…\n')
    expect(first.stderr).toContain(above)
    expect(first.stderr.endsWith(below)).toBe(true)
    const rose = /rises from (\S+) % to (\S+) %, by (\S+) points \(95 % interval (\S+) to (\S+)\), where most/
    const [, from, to, difference, low, high] = rose.exec(readme) ?? []
    const yes = first.stderr.slice(first.stderr.indexOf('  purchase.intent Yes\n'))
    expect(/growth--north--most +(.*)/.exec(yes)?.[1]?.replaceAll(/ +/g, ' ')).toBe(
      `${from} % → ${to} % +${difference} points ${low} to ${high}`,
    )
    const manifest = join(project, 'examples/coffee/out/coffee/manifest.json')
    const check = [join(root, 'scripts/write-pictures.js'), '--check', manifest]
    const pictures = spawnSync(process.execPath, check, { encoding: 'utf8' })
    expect(pictures.status, pictures.stderr).toBe(0)
    const second = whatif()
    expect(second.status, second.stderr).toBe(0)
    expect(second.stderr).toContain('billed in this run: 0 rows')
  })

  it('has a valid minimal study, and the code of docs/library.md runs', () => {
    const study = blocks.find(({ language }) => language === 'yaml')?.text ?? ''
    writeFileSync(join(project, 'readme.study.yaml'), study)
    const validate = [join(root, 'bin/whatif.js'), 'validate', '--offline', '--strict', 'readme.study.yaml']
    const checked = spawnSync(process.execPath, validate, { cwd: project, env: environment, encoding: 'utf8' })
    expect(checked.stderr).toMatch(
      /^readme\.study\.yaml: valid, 1 scenario \(not checked against the cleaned data, [^\n]+\)\n$/,
    )
    writeFileSync(join(project, 'readme.study.yaml'), blocksOf(page('docs/study.md'))[0]?.text ?? '')
    const reference = spawnSync(process.execPath, validate, { cwd: project, env: environment, encoding: 'utf8' })
    expect(reference.stderr).toMatch(/^readme\.study\.yaml: valid, 5 scenarios /)

    const code = blocksOf(page('docs/library.md')).find(({ language }) => language === 'js')?.text ?? ''
    const coffee = code.replace('data.study.yaml', 'examples/coffee/coffee.study.yaml')
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', coffee], { cwd: root, encoding: 'utf8' })
    expect(ran.stderr).toBe('')
    expect(ran.stdout).toContain('\ngrowth--north--half {"conditions":{"categorical":{"loyalty.member":{"Yes":0.5}')
  })
})

it('docs/commands.md has the same exit codes as --help', () => {
  const help = spawnSync(process.execPath, [join(root, 'bin/whatif.js'), '--help'], { encoding: 'utf8' }).stdout
  const codes = (text: string) =>
    [...text.matchAll(/(?:^|[|,\s])\s*(\d{1,3})(?=,? )/gm)].map(([, code]) => Number(code))
  const commands = page('docs/commands.md')
  const table = commands.slice(commands.indexOf('| Code |'), commands.indexOf('## Results of earlier days'))
  for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 20, 130, 143]) {
    expect(codes(help.slice(help.indexOf('Exit codes'))), `${code} in --help`).toContain(code)
    expect(codes(table), `${code} in docs/commands.md`).toContain(code)
  }
})
