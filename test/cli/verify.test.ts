import { createHash } from 'node:crypto'
import { chmod, cp, mkdtemp, realpath, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { manifestText } from '../../src/answers/manifest/manifest-writer.ts'
import { SetupError, verifyRun } from '../../src/index.ts'
import { manifestDigest } from '../../src/study/hashing/fingerprint.ts'
import { AUTHOR, STRANGER } from '../local/signatures/test-keys.ts'
import { DEMO_STUDY, makeDoubleProject } from './double-project.ts'
import { makeProject, type Project } from './project-folder.ts'

const STUDY = `${DEMO_STUDY.replace('rows: 100, seed: 1', 'rows: 100, seed: 1, expect: { fill: { min: 0.9 } }')}baseline: base
comparisons:
  - { id: lift, scenarios: [more-yes], shares: [region], means: [age], by: answer }
`

/** Results and sources of a run, without `.whatif`, as somebody hands them over; each test has a copy. */
let made: string
/** The copy of a test: another folder on the day after, without a service. */
let project: Project

beforeAll(async () => {
  const { project: own, env, remove } = await makeDoubleProject({ sharesProcess: true })
  await own.write('demo.study.yaml', STUDY)
  const { code, stderr } = await own.whatif(['run', 'demo.study.yaml'], { env })
  expect(code, stderr).toBe(0)
  made = await realpath(await mkdtemp(join(tmpdir(), 'whatif-verify-')))
  await cp(own.root, made, { recursive: true })
  await rm(join(made, '.whatif'), { recursive: true })
  await remove()
})
afterAll(() => rm(made, { recursive: true, force: true }))

beforeEach(async () => {
  project = await makeProject({ sharesProcess: true })
  await cp(made, project.root, { recursive: true })
  return () => project.remove()
})

interface Verified {
  readonly code: number | null
  readonly differs: readonly string[]
  readonly notChecked: readonly string[]
  readonly details: string
}

async function verify(...args: string[]): Promise<Verified> {
  const { code, stdout, stderr } = await project.whatif(['verify', 'out/demo', '--json', ...args])
  expect(stdout, stderr).not.toBe('')
  const { checks } = JSON.parse(stdout).data as {
    checks: { of: string; name: string; verdict: string; detail: string }[]
  }
  const of = (verdict: string) => checks.filter((one) => one.verdict === verdict)
  const names = (verdict: string) => of(verdict).map((one) => `${one.of} ${one.name}`.trim())
  return {
    code,
    differs: names('differs'),
    notChecked: names('not_checked'),
    details: [...of('differs'), ...of('not_checked')].map(({ detail }) => detail).join('\n'),
  }
}

const SOUND = { code: 0, differs: [], notChecked: [], details: '' }

/** What is told of a difference. */
interface Told {
  readonly interval: readonly [number, number]
  readonly standard_error: number
}

describe('whatif verify, when all is well,', () => {
  it('says so on the day after, without a service and without state', async () => {
    expect(await project.files('.whatif')).toEqual([])
    expect(await verify()).toEqual(SOUND)
    expect(await project.files('.whatif')).toEqual([])
  })

  it('says the same to a program that asks the library', async () => {
    const { stdout } = await project.whatif(['verify', 'out/demo', '--json'])
    expect(await verifyRun(project.path('out/demo'))).toEqual(JSON.parse(stdout).data)
    await rm(project.path('out/demo/more-yes.csv'))
    const { holds, checks } = await verifyRun(project.path('out/demo/manifest.json'))
    expect(holds).toBe(false)
    expect(checks.filter(({ verdict }) => verdict === 'differs').map(({ name }) => name)).toEqual(['more-yes.csv'])
    await expect(verifyRun(project.path('seeds'))).rejects.toThrow(SetupError)
  })

  it('says so in lines of the width of the terminal', async () => {
    const { code, stdout, stderr } = await project.whatif(['verify', 'out/demo/manifest.json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/✓ figures of more-yes: counted again\n/)
    expect(stdout).toMatch(/✓ comparison lift: \d+ differences in the rows counted again\n/)
    expect(stdout).toMatch(/\n(\d+) of \1 checks hold\n$/)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('names what is not there as not checked, and not as a fault', async () => {
    await rm(project.path('seeds'), { recursive: true })
    expect(await verify()).toMatchObject({ code: 0, differs: [], notChecked: ['seed seeds/panel.csv'] })
    await rm(project.path('demo.study.yaml'))
    expect(await verify()).toMatchObject({ code: 0, differs: [], notChecked: ['study', 'seed'] })
  })

  it('finds the files of a folder that lies elsewhere now, and the study by --study', async () => {
    await rename(project.path('out/demo'), project.path('handed-over'))
    const { code, stdout } = await project.whatif(['verify', 'handed-over'])
    expect(code).toBe(0)
    expect(stdout).toContain(
      '– study: not checked: the manifest does not lie in its project; --study FILE\n  names it\n',
    )
    expect((await project.whatif(['verify', 'handed-over', '--study', 'demo.study.yaml'])).stdout).toMatch(
      /(\d+) of \1 checks hold/,
    )
  })

  it('takes comments and the ends of lines in the study for what they are', async () => {
    await project.write('demo.study.yaml', `# for the board\r\n${STUDY.replaceAll('\n', '\r\n')}`)
    expect(await verify()).toEqual(SOUND)
  })

  it('reads a manifest of an earlier version, which has no record', async () => {
    await rm(project.path('out/demo/run-record.json'))
    expect(await verify('--study', 'demo.study.yaml')).toMatchObject({ code: 0, differs: [], notChecked: ['record'] })
  })
})

describe('whatif verify finds', () => {
  const edit = async (name: string, change: (text: string) => string) => {
    const text = await project.read(name)
    expect(change(text)).not.toBe(text)
    await project.write(name, change(text))
  }

  it('one changed row', async () => {
    await edit('out/demo/base.csv', (text) => text.replace('North', 'South'))
    expect(await verify()).toMatchObject({
      code: 4,
      differs: ['result base.csv'],
      notChecked: ['figures base', 'comparison lift'],
      details: expect.stringContaining('other bytes: sha256'),
    })
  })

  it('a renamed and a missing file', async () => {
    await rename(project.path('out/demo/base.csv'), project.path('out/demo/control.csv'))
    expect(await verify()).toMatchObject({
      code: 4,
      differs: ['result base.csv'],
      details: expect.stringContaining('it is not there; control.csv has its bytes: renamed?'),
    })
    await rm(project.path('out/demo/control.csv'))
    expect(await verify()).toMatchObject({ code: 4, differs: ['result base.csv'] })
  })

  it('a changed study, seed file, lock file and page', async () => {
    await edit('demo.study.yaml', (text) => text.replace('0.7', '0.8'))
    await edit('seeds/panel.csv', (text) => text.replace('North', 'South'))
    await edit('out/demo/report.html', (text) => text.replace('<body', '<body class="x"'))
    expect(await verify()).toMatchObject({
      code: 4,
      differs: ['report report.html', 'study demo.study.yaml', 'seed seeds/panel.csv'],
      details: expect.stringContaining('it asks for something else than the run did: scenarios.more-yes'),
    })
  })

  it('a gate of the study that was loosened', async () => {
    await edit('demo.study.yaml', (text) => text.replace('min: 0.9', 'min: 0.1'))
    expect(await verify()).toMatchObject({ code: 4, differs: ['study demo.study.yaml'] })
  })

  it('another model', async () => {
    await edit('out/demo/run-record.json', (text) => text.replace(/"model_id": ("\w+"|null)/, '"model_id": "other"'))
    expect(await verify()).toMatchObject({ code: 4, differs: ['model panel'] })
  })

  it('a manifest of another run, and one that is no manifest of this record', async () => {
    await edit('out/demo/manifest.json', (text) => text.replace(/"tool": "[^"]+"/, '"tool": "9.9.9"'))
    expect(await verify()).toMatchObject({
      code: 4,
      differs: ['manifest manifest.json'],
      details: expect.stringContaining('its results are those of the record'),
    })
    await edit('out/demo/run-record.json', (text) => text.replace(/"id": "\d{8}/, '"id": "20200101'))
    expect(await verify()).toMatchObject({ code: 4, differs: ['record'] })
  })

  /** Changes the manifest, and the digests of the record with it. */
  const forge = async (change: (manifest: string) => string) => {
    await edit('out/demo/manifest.json', (text) => manifestText(JSON.parse(change(text))))
    const text = await project.read('out/demo/manifest.json')
    const record = JSON.parse(await project.read('out/demo/run-record.json'))
    record.generated.manifest = {
      ...record.generated.manifest,
      bytes: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
      digest: manifestDigest(JSON.parse(text)),
    }
    await project.write('out/demo/run-record.json', manifestText(record))
  }
  /** One figure of the first place that matches. */
  const figureAt = (pattern: RegExp) => (text: string) =>
    text.replace(pattern, (all) => all.replace(/[\d.]+$/, '0.123456'))

  it('a forged record, by the rows', async () => {
    await forge(figureAt(/"Yes": \{\s+"achieved": [\d.]+/))
    expect(await verify()).toMatchObject({
      code: 4,
      differs: ['figures more-yes'],
      details: expect.stringMatching(
        /^shares\.answer\.levels\.Yes\.achieved: the manifest says 0\.123456, and the rows/,
      ),
    })
  })

  it('a forged difference, also inside a segment', async () => {
    await forge(figureAt(/"North": \{\s+"against": [\d.]+/))
    expect(await verify()).toMatchObject({ code: 4, differs: ['comparison lift'] })
  })

  it('a record that gives the rows of one scenario to another', async () => {
    await edit('out/demo/run-record.json', (text) => text.replace('"more-yes": {', '"most-yes": {'))
    expect(await verify()).toMatchObject({ code: 4, differs: ['record more-yes', 'record most-yes'] })
  })

  it('a record without the data of the run', async () => {
    await edit('out/demo/run-record.json', (text) => {
      const record = JSON.parse(text)
      record.used.datasets = {}
      return manifestText(record)
    })
    expect(await verify()).toMatchObject({ code: 4, differs: [expect.stringMatching(/^record /)] })
  })

  it.each([
    [
      'a wider interval',
      'width',
      (told: Told) => ({ ...told, interval: [told.interval[0] - 1, told.interval[1] + 1] }),
    ],
    [
      'an interval elsewhere',
      'middle',
      (told: Told) => ({ ...told, interval: told.interval.map((end) => end + 0.05) }),
    ],
    ['a smaller standard error', 'width', (told: Told) => ({ ...told, standard_error: told.standard_error / 10 })],
  ])('%s than the other figures make', async (_, detail, change) => {
    await forge((text) => {
      const manifest = JSON.parse(text)
      const { shares } = manifest.comparisons.lift.scenarios['more-yes']
      const [column] = Object.keys(shares)
      const [level] = Object.keys(shares[column!])
      shares[column!][level!] = change(shares[column!][level!])
      return manifestText(manifest)
    })
    expect(await verify()).toMatchObject({
      code: 4,
      differs: ['comparison lift'],
      details: expect.stringContaining(detail),
    })
  })

  it('a forged picture of a distribution', async () => {
    await forge((text) => {
      const manifest = JSON.parse(text)
      const { histogram } = manifest.comparisons.lift.scenarios['more-yes'].means.age.scenario
      histogram.shares = [...histogram.shares.slice(1), histogram.shares[0]]
      return JSON.stringify(manifest)
    })
    expect(await verify()).toMatchObject({
      code: 4,
      differs: ['comparison lift'],
      details: expect.stringMatching(
        /age\.scenario\.histogram\.shares\.\d+: the manifest says [\d.]+, and the rows say/,
      ),
    })
  })

  it('a forged verdict of a gate', async () => {
    await forge((text) => text.replace(/("min": 0.9[\s\S]*?"passed": )true/, '$1false'))
    expect(await verify()).toMatchObject({ code: 4, differs: [expect.stringMatching(/^gates fill of /)] })
  })

  it('a record that was changed and has valid digests, if a signature is demanded', async () => {
    for (const [name, { secret, open }] of Object.entries({ author: AUTHOR, stranger: STRANGER })) {
      await project.write(name, secret)
      await project.write(`${name}.pub`, `${open}\n`)
    }
    for (const name of ['author', 'stranger']) await chmod(project.path(name), 0o600)
    expect(await verify('--trusted', 'author.pub')).toMatchObject({
      code: 4,
      differs: ['signature run-record.json.sig'],
      details: 'the record is not signed',
    })
    const signed = await project.whatif(['verify', 'out/demo', '--sign', 'author'])
    expect({ code: signed.code, stderr: signed.stderr }).toEqual({
      code: 0,
      stderr: 'out/demo/run-record.json.sig: written\n',
    })
    expect(await verify('--trusted', 'author.pub')).toEqual(SOUND)
    expect(await verify('--trusted', 'stranger.pub')).toMatchObject({
      code: 4,
      details: expect.stringMatching(/^it was made by the key SHA256:\S{43}, which is not trusted$/),
    })
    expect(await verify()).toMatchObject({ code: 0, notChecked: ['signature run-record.json.sig'] })
    // Nothing in the files contradicts it: only the signature tells.
    await forge((text) => text.replace(/"node": "[^"]+"/, '"node": "18.0.0"'))
    expect(await verify('--trusted', 'author.pub')).toMatchObject({
      code: 4,
      differs: ['signature run-record.json.sig'],
      details: 'it is not of these bytes: record or signature was changed',
    })
    await rm(project.path('out/demo/run-record.json.sig'))
    expect(await verify()).toEqual(SOUND)
    await project.whatif(['verify', 'out/demo', '--sign', 'stranger'])
    expect(await verify('--trusted', 'author.pub')).toMatchObject({ code: 4 })
  })
})

describe('a hostile record', () => {
  const record = async (change: (record: Record<string, never>) => unknown) => {
    const value = JSON.parse(await project.read('out/demo/run-record.json'))
    await project.write('out/demo/run-record.json', JSON.stringify(change(value) ?? value))
  }

  it.each([
    ['another text', 'hello', 'it is no record of a run: it is not JSON'],
    ['what is left of one', '{"environment": {"tool', 'it is no record of a run: it is damaged: its text breaks off'],
    ['nothing', '', 'it is no record of a run: it is damaged: it is empty'],
    ['another document', '{"a":1}', 'it is no record of a run: record_version: '],
    ['a later version', '{"record_version":2}', 'record_version: 2 needs a newer whatif; this one reads 1'],
    ['deep nesting', '['.repeat(100_000) + ']'.repeat(100_000), 'it is nested deeper than 32 levels'],
  ])('may be %s', async (_name, text, why) => {
    await project.write('out/demo/run-record.json', text)
    expect(await verify()).toMatchObject({ code: 4, differs: ['record run-record.json'] })
    expect((await verify()).details).toContain(why)
  })

  it('leads nowhere outside its folder and its project', async () => {
    await project.write('secret/other.study.yaml', STUDY)
    await record((value) => {
      const { generated, used } = value as never as {
        generated: { report: object; scenarios: Record<string, object> }
        used: { study: { path: string } }
      }
      const digest = { bytes: 1, sha256: '0'.repeat(64) }
      generated.report = { path: '../../secret/other.study.yaml', ...digest }
      used.study.path = '../../../../../../etc/hostname.yaml'
      return { ...value, folder: 'out/demo' }
    })
    const { code, details } = await verify()
    expect(code).toBe(4)
    expect(details).toContain('its path leads out of the folder, so it is not read')
    expect(details).toContain('the record names no study inside the project')
    await rm(project.path('out/demo/base.csv'))
    await symlink('/etc/hostname', project.path('out/demo/base.csv'))
    expect((await verify()).details).toContain('a link leads out of the folder, so it is not read')
  })

  it('prints no escape sequence, and keeps a scenario called __proto__ a name', async () => {
    await record((value) => {
      const { generated } = value as never as { generated: { scenarios: Record<string, object> } }
      const file = { path: '\u001b[2Jevil.csv', bytes: 1, sha256: '0'.repeat(64) }
      Object.defineProperty(generated.scenarios, '__proto__', {
        value: { result: file, received: null },
        enumerable: true,
      })
    })
    const { code, stdout, stderr } = await project.whatif(['verify', 'out/demo'])
    expect(code).toBe(4)
    expect(stdout).toContain('evil.csv')
    expect(`${stdout}${stderr}`).not.toContain('\u001b')
  })
})

describe('a key', () => {
  it.each([
    [['--sign', 'none'], /^error: --sign none: there is no such file\n/],
    [['--trusted', 'demo.study.yaml'], /^error: --trusted demo.study.yaml: line 1 is no public key of SSH\n/],
    [['--sign', 'a', '--trusted', 'b'], /^error: --sign is for who made the run/],
  ])('that cannot be used is refused: %j', async (args, message) => {
    const { code, stdout, stderr } = await project.whatif(['verify', 'out/demo', ...args])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })

  it('is refused if others can read it, or it is of another kind, with the tool that can; its text is not shown', async () => {
    await project.write('key', AUTHOR.secret)
    await chmod(project.path('key'), 0o644)
    const open = await project.whatif(['verify', 'out/demo', '--sign', 'key'])
    expect(open).toMatchObject({ code: 2, stderr: expect.stringContaining('--sign key: it can be read by others') })
    await chmod(project.path('key'), 0o600)
    await project.write('key', AUTHOR.secret.replace(/\n[^\n-]+\n-----END/, '\n-----END'))
    const damaged = await project.whatif(['verify', 'out/demo', '--sign', 'key'])
    expect(damaged).toMatchObject({ code: 2, stderr: expect.stringContaining('ssh-keygen -Y sign -n whatif') })
    for (const line of AUTHOR.secret.split('\n').slice(1, -2))
      expect(`${open.stderr}${damaged.stderr}`).not.toContain(line)
  })

  it('signs nothing that does not hold', async () => {
    await project.write('key', AUTHOR.secret)
    await chmod(project.path('key'), 0o600)
    await project.write('out/demo/base.csv', 'a,b\n')
    const { code, stderr } = await project.whatif(['verify', 'out/demo', '--sign', 'key'])
    expect({ code, stderr }).toEqual({ code: 4, stderr: 'nothing was signed, because not everything holds\n' })
    expect(await project.list('out/demo')).not.toContain('run-record.json.sig')
  })
})
