import { access, mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { checkOffline } from '../../src/runner/check-offline.ts'
import { planFromDisk } from '../../src/runner/plan-from-disk.ts'
import { type RunChange, SEED_CSV, STUDY as UNQUOTED } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

/** A study without other findings. */
const STUDY = UNQUOTED.replace('Yes:', '"Yes":')

useRig()

const naming = (file: string) => STUDY.replace('seeds/panel.csv', file)
const withOutput = (dir: string) => `${STUDY}output: { dir: ${dir} }\n`

async function link(path: string, target: string): Promise<void> {
  await mkdir(dirname(join(rig.root, path)), { recursive: true })
  await symlink(target, join(rig.root, path))
}

it.each([
  ['.env', '.env', 'the seed file ".env" is hidden'],
  ['by a detour', './seeds/../.env', 'the seed file "./seeds/../.env" is hidden'],
  ['.git/config', '.git/config', 'the seed file ".git/config" lies in the hidden folder ".git"'],
  [
    'credentials of the service',
    '.whatif/embedded/credentials.json',
    'the seed file ".whatif/embedded/credentials.json" lies in the hidden folder ".whatif"',
  ],
  [
    'a hidden folder further down',
    'seeds/.old/p.csv',
    'the seed file "seeds/.old/p.csv" lies in the hidden folder ".old"',
  ],
  ...[
    'id_rsa',
    'id_ed25519',
    'keys/server.PEM',
    'tls.key',
    'store.p12',
    'a.pfx',
    'credentials.json',
    'secrets.yaml',
  ].map((file) => [file, file, `the seed file "${file}" has the name of a private key or of credentials`]),
])('%s is refused as seed file, at its place in the study', async (_name, file, summary) => {
  const path = join(rig.root, file)
  await rig.write(file, SEED_CSV)
  await access(path)
  await rig.write('demo.study.yaml', naming(file))
  const result = await rig.run()
  expect(result).toMatchObject({
    exitCode: 3,
    message: `demo.study.yaml:4:18: ${summary}`,
    diagnostics: [{ code: 'S1308', summary, range: { start: { line: 4, column: 18 } } }],
  })
  expect(double.log).toEqual([])
})

it('a name that only resembles one is an ordinary seed file', async () => {
  for (const file of ['seeds/keys.csv', 'seeds/a.b.csv', 'secret-shoppers.csv', 'credentials-survey.csv']) {
    await rig.write(file, SEED_CSV)
    await rig.write('demo.study.yaml', naming(file))
    expect(await rig.run({ options: { submit: false } })).toMatchObject({ message: null })
  }
})

it.each([
  ['a file', 'data.csv', '.env', 'the seed file "data.csv" is a link to ".env", which is hidden'],
  [
    'a folder',
    'data/env.csv',
    '.secret/env.csv',
    'the seed file "data/env.csv" is a link to ".secret/env.csv", which lies in the hidden folder ".secret"',
  ],
  [
    'a key',
    'panel.csv',
    'id_rsa',
    'the seed file "panel.csv" is a link to "id_rsa", which has the name of a private key or of credentials',
  ],
])('a link to %s does not hide its target', async (what, file, target, summary) => {
  await rig.write(target, SEED_CSV)
  if (what === 'a folder') await link('data', '.secret')
  else await link(file, target)
  await rig.write('demo.study.yaml', naming(file))
  expect(await rig.run()).toMatchObject({ exitCode: 3, diagnostics: [{ code: 'S1308', summary }] })
  expect(double.log).toEqual([])
})

it('a missing file is refused in the same way: the message does not reveal whether it exists', async () => {
  await rig.write('demo.study.yaml', naming('.env'))
  expect(await rig.run()).toMatchObject({ exitCode: 3, diagnostics: [{ code: 'S1308' }] })
})

it('plan and an offline check refuse it as well, a check without a lock file too', async () => {
  await rig.write('.env', SEED_CSV)
  await rig.write('demo.study.yaml', naming('.env'))
  const request = await rig.request()
  await expect(planFromDisk(request, rig.environment())).rejects.toMatchObject({ code: 'path_hidden' })
  const { study, studyFile, projectRoot, options } = request
  const check = await checkOffline({ study, studyFile, projectRoot, ...options }, rig.environment())
  expect(check).toMatchObject({ reason: 'invalid_study', diagnostics: [{ code: 'S1308' }] })
})

it('a hidden file is read with --allow-hidden, and files outside the project are treated like files inside', async () => {
  await rig.write('.env', SEED_CSV)
  await rig.write('demo.study.yaml', naming('.env'))
  expect(await rig.run({ options: { allowHidden: true } })).toMatchObject({ exitCode: 0 })

  const inner: RunChange = {
    request: { projectRoot: join(rig.root, 'inner'), studyFile: join(rig.root, 'inner/a.yaml') },
  }
  await mkdir(join(rig.root, 'inner'))
  await rig.write('demo.study.yaml', naming('../.env'))
  expect(await rig.run({ ...inner, options: { allowOutside: true } })).toMatchObject({
    exitCode: 3,
    diagnostics: [{ code: 'S1308', summary: 'the seed file "../.env" is hidden' }],
  })
})

it('results are not written into hidden folders, directly or by a link, unless that is allowed', async () => {
  await rig.write('.github/workflows/ci.yml', 'on: push\n')
  await link('out', '.github')
  for (const [dir, summary] of [
    ['.github/workflows', 'the output folder ".github/workflows" lies in the hidden folder ".github"'],
    ['out/demo', 'the output folder "out/demo" lies in the hidden folder ".github"'],
  ] as const) {
    await rig.write('demo.study.yaml', withOutput(dir))
    const range = { start: { line: 10, column: 16 } }
    expect(await rig.run()).toMatchObject({ exitCode: 3, diagnostics: [{ code: 'S1308', summary, range }] })
    await expect(planFromDisk(await rig.request(), rig.environment())).rejects.toMatchObject({ code: 'path_hidden' })
  }
  expect(await rig.list('.github')).toEqual(['workflows'])
  expect(await rig.list('.github/workflows')).toEqual(['ci.yml'])
  expect(double.log).toEqual([])
  expect(await rig.run({ options: { allowHidden: true } })).toMatchObject({ exitCode: 0 })
})

it('a folder that a person names with --out may be hidden', async () => {
  const out = join(rig.root, '.results')
  expect(await rig.run({ request: { out } })).toMatchObject({ exitCode: 0 })
})
