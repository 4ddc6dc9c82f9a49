import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { cleanEnvironment } from '../cli/project-folder.ts'

/**
 * The steps of a user who has the package and no clone. It is installed by npm, so the registry must be reachable.
 * WHATIF_TEST_NODES names the Node binaries to do it with, oldest first, as PATH names folders; default: the one that runs this
 * test. WHATIF_TEST_CLONE names a git clone of this commit in which `npm ci` has built the package; default: one is made.
 */
const NODES = (process.env.WHATIF_TEST_NODES || process.execPath).split(delimiter).map((path) => ({
  node: resolve(path),
  version: spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.trim() || `no Node at ${path}`,
}))

const REPOSITORY = resolve(import.meta.dirname, '../..')
const PANEL = `id,answer,region,age\n${Array.from(
  { length: 300 },
  (_, i) => `${i},${['Yes', 'No'][i % 2]},${['North', 'South', 'East'][i % 3]},${20 + (i % 40)}`,
).join('\n')}\n`

/** The commands of the README: install, init, run, validate. */
const readme = readFileSync(join(REPOSITORY, 'README.md'), 'utf8')
const [INSTALL = '', ...COMMANDS] = (/\n## Install\n[^#]*?```sh\n([^`]*)```/.exec(readme)?.[1] ?? '').trim().split('\n')

/** The block of docs/library.md in a language. */
const libraryPage = readFileSync(join(REPOSITORY, 'docs/library.md'), 'utf8')
const library = (language: string) => new RegExp(`\`\`\`${language}\n([^\`]*)\`\`\``).exec(libraryPage)?.[1] ?? 'exit 1'

/** How npm reaches its registry here; the rest of its settings in the environment is about the repository. */
const NPM_SETTINGS = [
  ...['registry', 'cafile', 'cache', 'proxy', 'https_proxy', 'noproxy'].map((name) => `npm_config_${name}`),
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'NODE_EXTRA_CA_CERTS'],
]

/** No questions to the registry besides those of the command itself. */
const QUIET_NPM = { npm_config_allow_git: 'root', npm_config_audit: 'false', npm_config_fund: 'false' }

/** For an installation after the first: what that one asked the registry is true still. */
const AGAIN = 'export npm_config_prefer_offline=true; '

let root: string
let tarball: string
/** Where the package is installed; null until then. */
let first: Place | null = null
/** Where the programs of docs/library.md are compiled; null until then. */
let compiled: Place | null = null
/** Why nothing can be installed here; null when it can. */
let unreachable: string | null

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'whatif-installed-')))
  const here = { node: process.execPath, cwd: root }
  const asked = await sh('npm', ['view', 'fastify', 'name', '--fetch-retries=0', '--fetch-timeout=30000'], here)
  unreachable = asked.code === 0 ? null : `the npm registry cannot be reached: ${warningsOf(asked)[0]}`
  // The build of `npm test` is packed unchanged.
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', root]
  const packed = await sh('npm', args, { ...here, cwd: REPOSITORY })
  expect(packed).toMatchObject({ code: 0 })
  const [name] = (await readdir(root)).filter((entry) => entry.endsWith('.tgz'))
  tarball = join(root, name!)
})
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(({ skip }) => skip(unreachable !== null, unreachable ?? ''))

interface Place {
  readonly node: string
  readonly cwd: string
}

interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function start(command: string, args: readonly string[], { node, cwd }: Place) {
  const settings = NPM_SETTINGS.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))
  const PATH = `${binOf(node)}${delimiter}${process.env.PATH}`
  return spawn(command, args, {
    cwd,
    env: { ...cleanEnvironment(), ...Object.fromEntries(settings), ...QUIET_NPM, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function sh(command: string, args: readonly string[], place: Place): Promise<Finished> {
  return new Promise((settle, fail) => {
    const child = start(command, args, place)
    const said = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        said[name] += chunk
      })
    child.on('error', fail)
    child.on('close', (code) => settle({ code, ...said }))
  })
}

/** A folder whose only command is `node`: npm and the package's own command start with the first that PATH has. */
function binOf(node: string): string {
  return join(root, 'bin', node.replaceAll(/[^\w.]/g, '_'))
}

async function emptyProject(node: string): Promise<Place> {
  const cwd = await mkdtemp(join(root, 'project-'))
  mkdirSync(binOf(node), { recursive: true })
  await symlink(node, join(binOf(node), 'node')).catch(() => {})
  await writeFile(join(cwd, 'package.json'), '{}\n')
  await writeFile(join(cwd, 'data.csv'), PANEL)
  return { node, cwd }
}

/** The warnings of npm, without those about the machine's configuration and about unreviewed install scripts. */
function warningsOf({ stderr }: Finished): string[] {
  return stderr
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^npm (?:warn (?:install-scripts|Unknown )|notice)/.test(line))
}

// Windows has no command named npm that a process can start.
describe.skipIf(process.platform === 'win32').each(NODES)('the tarball in an empty project, $version', ({ node }) => {
  let place: Place
  let installed: Finished
  beforeAll(async () => {
    place = await emptyProject(node)
    copyFileSync(tarball, join(place.cwd, basename(tarball)))
    if (unreachable !== null) return
    // The installed files are the same on every Node: the first puts them there, and npm says whether the others do too.
    for (const name of first === null ? [] : ['package.json', 'package-lock.json', 'node_modules'])
      cpSync(join(first!.cwd, name), join(place.cwd, name), { recursive: true, verbatimSymlinks: true })
    installed = await sh('sh', ['-c', first === null ? INSTALL : `${AGAIN}${INSTALL} --dry-run`], place)
    first ??= place
  })

  /** The output without remarks of npx about the machine's configuration. */
  const said = ({ stderr }: Finished) => stderr.replace(/^npm warn Unknown .*\n/gm, '')
  const read = (name: string) => readFile(join(place.cwd, name), 'utf8')

  it('installs without a warning: no package that is deprecated or made for another Node', () => {
    expect(installed.code, installed.stderr).toBe(0)
    expect(warningsOf(installed)).toEqual([])
  })

  it('makes a study of a seed file, runs it and validates it, as the README says', async () => {
    const [init, run, validate] = COMMANDS
    const made = await sh('sh', ['-c', init!], place)
    expect(made.code, made.stderr).toBe(0)
    expect(made.stderr).toContain('next:\n  npx whatif plan data.study.yaml\n')
    const ran = await sh('sh', ['-c', run!], place)
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.stderr).toContain('manifest: out/data/manifest.json\n')
    expect(JSON.parse(await read('out/data/manifest.json'))).toMatchObject({ status: 'complete' })
    const checked = await sh('sh', ['-c', validate!], place)
    expect(said(checked)).toMatch(/^data\.study\.yaml: valid, \d+ scenarios\n$/m)
    for (const { stderr } of [made, ran, checked]) expect(stderr).not.toMatch(/\(node:\d+\)|Warning:/)
  })

  it('has the schema that an editor finds by the first line of the study', async () => {
    const text = await read('data.study.yaml')
    const path = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text)?.[1] ?? 'no first line'
    expect(path).toBe('./node_modules/whatif/schemas/study.v1.json')
    const isValid = new Ajv({ strictTuples: false, strictTypes: false, strictRequired: false }).compile(
      JSON.parse(await read(path)),
    )
    expect(isValid(parse(text))).toBe(true)
    expect(isValid(parse(text.replace('scenarios:', 'scenario:')))).toBe(false)
  })

  // The same package and lock file on every Node: the newest shows it.
  it.skipIf(node !== NODES.at(-1)!.node)(
    'installs again by npm ci from the committed files, as the workflows in examples/ci do',
    async () => {
      const clone = await emptyProject(node)
      for (const name of ['package.json', 'package-lock.json', basename(tarball), 'data.study.yaml'])
        copyFileSync(join(place.cwd, name), join(clone.cwd, name))
      const again = await sh('npm', ['ci', '--prefer-offline'], clone)
      expect(again.code, again.stderr).toBe(0)
      expect(warningsOf(again)).toEqual([])
      const checked = await sh('node_modules/.bin/whatif', ['validate', '--offline', 'data.study.yaml'], clone)
      expect(checked.stderr).toMatch(/^data\.study\.yaml: valid, /m)
    },
  )

  // A Node between the oldest and the newest has nothing that neither of them has.
  const isAtEnd = node === NODES[0]!.node || node === NODES.at(-1)!.node
  it.skipIf(!isAtEnd)(
    'is a library, as docs/library.md says: its commands and programs run in an empty folder',
    async () => {
      const folder = await emptyProject(node)
      const commands = library('sh').trim().split('\n')
      await writeFile(join(folder.cwd, 'parts.js'), library('js'))
      if (compiled !== null) {
        // What is installed and compiled is the same on every Node: the others run it, with a service of their own.
        const filter = (path: string) => !['.whatif', 'out'].includes(basename(path))
        cpSync(compiled.cwd, folder.cwd, { recursive: true, verbatimSymlinks: true, filter })
        commands.splice(0, commands.length - 1)
      } else {
        await rm(join(folder.cwd, 'package.json'))
        copyFileSync(tarball, join(folder.cwd, basename(tarball)))
        await writeFile(join(folder.cwd, 'first.ts'), library('ts'))
        // Both programs of the page are compiled at once.
        const compile = commands.findIndex((command) => /^npx tsc .* run-study\.ts$/.test(command))
        commands[compile] += ' first.ts'
      }
      const carriedOut = await sh('sh', ['-ec', AGAIN + commands.join('\n')], folder)
      expect(carriedOut.code, carriedOut.stdout + carriedOut.stderr).toBe(0)
      expect(carriedOut.stdout).toMatch(/^as-is: \d+ of \d+ rows$/m)
      compiled ??= folder
      const ran = await sh('sh', ['-ec', 'node first.js && node parts.js'], folder)
      expect(ran.code, ran.stdout + ran.stderr).toBe(0)
      expect(ran.stdout).toMatch(/^0 null \[/m)
      expect(ran.stdout).toMatch(/^share--low \{/m)
      expect(ran.stdout).toMatch(/^as-is \{"/m)
    },
  )

  it('serves its pages and their files, and ends regularly', async () => {
    const child = start(join(place.cwd, 'node_modules/.bin/whatif'), ['serve', '--port', '0', '--json'], place)
    const ended = new Promise<number | null>((settle) => child.on('close', (code) => settle(code)))
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk
    })
    try {
      const first = await new Promise<string>((settle, fail) => {
        let stdout = ''
        child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
          stdout += chunk
          if (stdout.includes('\n')) settle(stdout)
        })
        child.on('close', () => fail(new Error(stderr)))
      })
      const { base_url: baseUrl } = JSON.parse(first) as { base_url: string }
      const page = await (await fetch(`${baseUrl}/__docs__/`)).text()
      const loads = [...page.matchAll(/(?:src|href)="([^"#]+\.(?:js|css))"/g)].map(([, path]) => path!)
      expect(loads.length).toBeGreaterThan(0)
      for (const path of loads) expect((await fetch(new URL(path, `${baseUrl}/__docs__/`))).status, path).toBe(200)
    } finally {
      child.kill('SIGTERM')
    }
    expect(await ended).toBe(0)
    expect(stderr).not.toMatch(/\(node:\d+\)|Warning:/)
  })
})

const hasGit = existsSync(join(REPOSITORY, '.git')) && spawnSync('git', ['--version']).status === 0

// npm does the same with a git address: it clones, installs what the build needs, builds by `prepare` and packs.
describe.skipIf(process.platform === 'win32' || !hasGit)('a clone (needs git)', () => {
  it('is built and packed by npm, with the same files as the tarball', async () => {
    const built = process.env.WHATIF_TEST_CLONE
    const clone = { node: process.execPath, cwd: built ?? join(root, 'clone') }
    if (built === undefined) {
      const cloned = await sh('git', ['clone', '-q', makeRepository(), clone.cwd], { ...clone, cwd: root })
      expect(cloned.code, cloned.stderr).toBe(0)
      await symlink(join(REPOSITORY, 'node_modules'), join(clone.cwd, 'node_modules'))
    }
    // As the example leaves it when somebody has tried it.
    const out = join(clone.cwd, 'examples/coffee/out')
    await mkdir(join(out, 'coffee'), { recursive: true })
    await writeFile(join(out, 'coffee/manifest.json'), '{}')
    const folder = await mkdtemp(join(root, 'packed-'))
    const packed = await sh('npm', ['pack', '--pack-destination', folder], clone)
    expect(packed.code, packed.stderr).toBe(0)
    await rm(out, { recursive: true })
    const [name = 'no file'] = (await readdir(folder)).filter((entry) => entry.endsWith('.tgz'))
    // Names of chunks end with a hash of what is in them, which is also where packages lie.
    const filesIn = async (file: string) =>
      (await sh('tar', ['-tzf', file], clone)).stdout
        .replaceAll(/-[\w-]{8}\.js$/gm, '.js')
        .trim()
        .split('\n')
        .sort()
    expect(await filesIn(join(folder, name))).toEqual(await filesIn(tarball))
  })
})

/** The files under version control as they are now, in a repository of their own. */
function makeRepository(): string {
  const repository = join(root, 'whatif.git')
  if (existsSync(repository)) return repository
  const git = (cwd: string, ...args: string[]) => {
    const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false']
    const { status, stdout, stderr } = spawnSync('git', [...author, ...args], { cwd, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    return stdout
  }
  const files = git(REPOSITORY, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0')
  // One that was deleted and is not committed yet is listed too.
  for (const name of files.filter((file) => file !== '' && existsSync(join(REPOSITORY, file)))) {
    const [from, to] = [join(REPOSITORY, name), join(repository, name)]
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(from, to)
    chmodSync(to, statSync(from).mode)
  }
  git(repository, 'init', '-q')
  git(repository, 'add', '-A')
  git(repository, 'commit', '-q', '-m', 'as it is now')
  return repository
}
