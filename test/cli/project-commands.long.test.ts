import { chmod, stat, symlink } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/base/sha256.ts'
import { datasetFingerprint } from '../../src/study/hashing/fingerprint.ts'
import { loadStudy } from '../../src/study/load/load-study.ts'
import { renderLock } from '../../src/study/lock/render-lock.ts'
import { makeProject, type Project, shortTracker, trackerFile } from './project-folder.ts'

let project: Project
beforeAll(async () => {
  project = await makeProject({ sharesProcess: true })
})
afterAll(() => project.remove())

describe('whatif init with a seed file', () => {
  it('writes a study of its real columns that validates and plans at once, and trains nothing again', async () => {
    await project.write('data/Tracker 2026.csv', shortTracker())
    const made = await project.whatif(['init', 'data/Tracker 2026.csv'])
    expect(made.code, made.stderr).toBe(0)
    expect(made.stdout).toBe('')
    expect(made.stderr).toContain(
      'tracker-2026.study.yaml: written\n.whatif/study.v1.schema.json: written\n.gitignore: written\nnext:\n  whatif plan',
    )
    const text = await project.read('tracker-2026.study.yaml')
    const { study, diagnostics } = loadStudy(text, { filename: 'x' })
    expect(diagnostics).toEqual([])
    expect(study?.datasets.get('tracker-2026')).toMatchObject({
      file: 'data/Tracker 2026.csv',
      displayName: 'Tracker 2026',
    })
    expect(text).toMatch(/# {3}purchase\.intent: Yes 0\.\d+, No 0\.\d+, Unsure 0\.\d+$/m)
    expect(study?.scenarios.map((s) => s.id)).toEqual(['as-is', 'in-range', 'share--low', 'share--high'])
    expect(await project.read('.gitignore')).toBe('.whatif/\nout/\n')

    const checked = await project.whatif(['validate', 'tracker-2026.study.yaml'])
    expect(checked.code, checked.stderr).toBe(0)
    expect(checked.stderr).toContain('tracker-2026.study.yaml: valid, 4 scenarios\n')
    // A second training would print its stages.
    expect(checked.stderr).not.toContain('training')

    const listed = await project.whatif(['datasets', '--json'])
    const { data } = JSON.parse(listed.stdout)
    expect(data).toMatchObject({ service: 'embedded', asked: true })
    expect(data.datasets).toHaveLength(1)
    expect(data.datasets[0]).toMatchObject({
      uses: [{ study: 'tracker-2026', dataset: 'tracker-2026' }],
      file: 'data/Tracker 2026.csv',
      at_service: 'there',
    })
    const table = await project.whatif(['datasets', '--offline'])
    expect(table.stdout.split('\n')[0]).toMatch(/^dataset +used by +file +trained +expires$/)
    expect(table.stdout).toContain(data.datasets[0].dataset_id)
  })

  it('says which column looks like survey weights, and how the study declares it', async () => {
    const other = await makeProject({ sharesProcess: true })
    try {
      const rows = Array.from(
        { length: 120 },
        (_, i) => `${['Yes', 'No', 'Unsure'][i % 3]},${(0.4 + (i % 17) / 10).toFixed(3)}`,
      )
      await other.write('poll.csv', `answer,wgt\n${rows.join('\n')}\n`)
      await other.write('plain.csv', `answer,spend\n${rows.join('\n')}\n`)
      const weighted = await other.whatif(['init', 'poll.csv'])
      const line = /remove the # in front of "(.*)" in/.exec(weighted.stderr.replaceAll(/\s+/g, ' '))?.[1]
      expect(line).toBe('weight: wgt')
      // What it says is there to be done.
      const text = await other.read('poll.study.yaml')
      expect(text).toMatch(/^ *# ?weight: wgt\b/m)
      const { study, diagnostics } = loadStudy(text.replace(/^( *)# ?(weight: wgt\b)/m, '$1$2'), { filename: 'x' })
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
      expect(study?.datasets.get('poll')).toMatchObject({ declarations: { weight: 'wgt' } })
      expect((await other.whatif(['init', 'plain.csv'])).stderr).not.toContain('weights')
    } finally {
      await other.remove()
    }
  })

  it('replaces no file, which it checks before anything is sent', async () => {
    await project.write('brand.study.yaml', 'mine\n')
    await project.write('brand.csv', 'a\n1\n')
    const { code, stdout, stderr } = await project.whatif(['init', 'brand.csv'])
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: brand.study.yaml exists already; nothing was written\nMove the file away, or edit it.\n',
    })
    expect(await project.read('brand.study.yaml')).toBe('mine\n')
  })

  it.each([
    ['no-such.csv', 'seed file no-such.csv: there is no such file'],
    ['link.csv', 'seed file link.csv: it lies outside the project, and a study may not read it there'],
  ])('refuses %s', async (seed, said) => {
    if (seed === 'link.csv') await symlink(trackerFile, project.path('link.csv'))
    const { code, stderr } = await project.whatif(['init', seed])
    expect(code).toBe(2)
    expect(stderr).toContain(`error: ${said}\n`)
  })
})

describe('whatif init without a seed file', () => {
  it('writes a study with made-up names, a workflow, and adds to .gitignore', async () => {
    const other = await makeProject({ sharesProcess: true })
    try {
      await other.write('.gitignore', 'node_modules/')
      const { code, stdout, stderr } = await other.whatif(['init', '--ci', 'github', '--json'])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const written = [
        'first-study.study.yaml',
        '.whatif/study.v1.schema.json',
        '.gitignore',
        '.github/workflows/whatif.yml',
      ]
      expect(JSON.parse(stdout).data).toEqual({ study: written[0], written, dataset_id: null })
      expect(await other.read('.gitignore')).toBe('node_modules/\n.whatif/\nout/\n')
      expect(await other.read('.github/workflows/whatif.yml')).toContain('STUDY: "first-study.study.yaml"')
      const checked = await other.whatif(['validate', '--offline', '--strict', 'first-study.study.yaml'])
      expect(checked.code, checked.stderr).toBe(0)
      const again = await other.whatif(['init', '--ci', 'github'])
      expect(again.code).toBe(2)
      expect(await other.read('.gitignore')).toBe('node_modules/\n.whatif/\nout/\n')
    } finally {
      await other.remove()
    }
  })
})

const STUDY = `version: 1
name: brand   # the name
datasets: { panel: { file: p.csv } }
scenarios:
    a: {rows: 10, seed: 1, shares: {region: {north: 1}}}
`

describe('whatif fmt', () => {
  it('writes files in canonical form and keeps their mode; --check only reports', async () => {
    await project.write('f.study.yaml', STUDY)
    await chmod(project.path('f.study.yaml'), 0o640)
    const checked = await project.whatif(['fmt', '--check', 'f.study.yaml', '--json'])
    expect(checked.code).toBe(20)
    expect(JSON.parse(checked.stdout)).toMatchObject({
      ok: false,
      data: { 'f.study.yaml': { outcome: 'would_change' } },
    })
    expect(await project.read('f.study.yaml')).toBe(STUDY)

    expect(await project.whatif(['fmt', 'f.study.yaml'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'f.study.yaml: formatted\n',
    })
    expect(await project.read('f.study.yaml')).toBe(
      'version: 1\nname: brand # the name\ndatasets: { panel: { file: p.csv } }\nscenarios:\n  a: { rows: 10, seed: 1, shares: { region: { north: 1 } } }\n',
    )
    expect((await stat(project.path('f.study.yaml'))).mode & 0o777).toBe(0o640)
    expect(await project.whatif(['fmt', '--check', 'f.study.yaml'])).toMatchObject({ code: 0, stderr: '' })
  })

  it('does not change a file with faults, and formats the others', async () => {
    await project.write('bad.study.yaml', STUDY.replace('rows: 10', 'rows: 0,5'))
    await project.write('good.study.yaml', STUDY)
    const { code, stderr } = await project.whatif(['fmt', 'bad.study.yaml', 'good.study.yaml'])
    expect(code).toBe(3)
    expect(stderr).toContain(
      'bad.study.yaml: not changed, because it cannot be read as a study\ngood.study.yaml: formatted\n',
    )
    expect(await project.read('bad.study.yaml')).toContain('rows: 0,5')
  })
})

describe('whatif validate --fix', () => {
  const SEED = 'id,region\n1,North\n'
  const sha256 = sha256Hex(SEED)
  const fingerprint = datasetFingerprint({ fileSha256: sha256, autoClean: true })
  const columns = new Map([['region', { kind: 'categorical', levels: ['North', 'South'] } as const]])
  const seed = { autoClean: true, bytes: SEED.length, fingerprint, sha256 }
  const lock = renderLock({
    levelSalt: null,
    datasets: new Map([['panel', { seed, columns, dropped: [], schemaSha256: '5'.repeat(64) }]]),
  })

  it('corrects names that differ only in case and separators, phase after phase, and reports it', async () => {
    await project.write('p.csv', SEED)
    await project.write('x.study.lock.json', lock)
    await project.write('x.study.yaml', STUDY.replace('{rows', '{Format: CSV, rows'))
    const { code, stdout, stderr } = await project.whatif(['validate', '--offline', '--fix', 'x.study.yaml'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr.split('\n').slice(0, 3)).toEqual([
      'x.study.yaml:5:9: corrected "Format" to "format" (S1102)',
      'x.study.yaml:5:17: corrected "CSV" to "csv" (S1105)',
      'x.study.yaml:5:59: corrected "north" to "North" (S2103)',
    ])
    expect(stderr).toContain('x.study.yaml: valid, 1 scenario (checked against x.study.lock.json)\n')
    expect(await project.read('x.study.yaml')).toBe(
      STUDY.replace('{rows', '{format: csv, rows').replace('north', 'North'),
    )
  })

  it('does not guess ambiguous names, and writes nothing then', async () => {
    await project.write('y.study.lock.json', lock)
    const text = STUDY.replace('{north: 1}', '{Soth: 0.5, North: 0.1, north: 0.1}')
    await project.write('y.study.yaml', text)
    const { code, stdout } = await project.whatif(['validate', '--offline', '--fix', '--json', 'y.study.yaml'])
    expect(code).toBe(4)
    // Two keys that are the same would be one too many.
    expect(JSON.parse(stdout).data['y.study.yaml'].fixed).toEqual([])
    expect(await project.read('y.study.yaml')).toBe(text)
  })
})

describe('whatif migrate', () => {
  it('says that version 1 is the only version, and refuses another', async () => {
    await project.write('m.study.yaml', STUDY)
    await project.write('n.study.yaml', STUDY.replace('version: 1', 'version: 2'))
    const one = await project.whatif(['migrate', 'm.study.yaml'])
    expect(one.code).toBe(0)
    expect(one.stderr).toBe('m.study.yaml: is in version 1, the newest version of the language; nothing to do\n')
    const two = await project.whatif(['migrate', 'm.study.yaml', 'n.study.yaml', '--json'])
    expect(two.code).toBe(3)
    expect(JSON.parse(two.stdout)).toMatchObject({
      data: { 'm.study.yaml': { version: 1 }, 'n.study.yaml': { version: null } },
      diagnostics: [{ code: 'S1101' }],
    })
  })
})
