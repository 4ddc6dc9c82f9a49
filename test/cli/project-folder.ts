import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { SHORT_LIVED } from '../service/served-process.ts'
import { inSharedProcess } from './shared-process.ts'

const repository = resolve(import.meta.dirname, '../..')
const launcher = join(repository, 'bin/whatif.js')

/** Tables for tests that lie beside the repository and are not part of it. */
export const sharedData = resolve(repository, '../shared/data')
export const hasSharedData = existsSync(sharedData)
/** The example's seed file: 6,000 respondents, 19 columns. */
export const trackerFile = join(repository, 'examples/coffee/tracker.csv')
/**
 * Its first 1,500 respondents, for tests that train often and are not about what is learned.
 *
 * @param columns Those that are kept, in this sequence; default: all.
 */
export function shortTracker(columns?: readonly string[]): string {
  const lines = readFileSync(trackerFile, 'utf8').split('\n').slice(0, 1501)
  if (columns === undefined) return lines.join('\n')
  const rows = lines.map((line) => line.split(','))
  const kept = columns.map((name) => rows[0]!.indexOf(name))
  return rows.map((cells) => kept.map((at) => cells[at]).join(',')).join('\n')
}

export interface Finished {
  /** Null when a signal ended the process. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly finished: Promise<Finished>
  /** Resolves once stderr matches; rejects when the process ends without. */
  said(pattern: RegExp): Promise<RegExpExecArray>
  /** First line of stdout. */
  firstLine(): Promise<string>
  kill(signal: NodeJS.Signals): void
  /** Closes our end of its stdout, as `head` does. */
  closeStdout(): void
}

export interface StartOptions {
  readonly env?: NodeJS.ProcessEnv
  /** In a process namespace of its own, as in a container: it sees no other process. Default: false. */
  readonly contained?: boolean
}

const NAMESPACE = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--mount', '--mount-proc'] as const

/** Whether this machine lets its user make process namespaces. */
export const hasNamespaces = spawnSync(NAMESPACE[0], [...NAMESPACE.slice(1), 'true']).status === 0

/** A project in a temporary folder of its own, with a `package.json`, and the real command run in it. */
export interface Project {
  /** Absolute, without links. */
  readonly root: string
  /** Runs `whatif` with these arguments in the project's folder, to its end. */
  whatif(args: readonly string[], options?: StartOptions): Promise<Finished>
  start(args: readonly string[], options?: StartOptions): Running
  path(name: string): string
  write(name: string, text: string | Uint8Array): Promise<void>
  copy(from: string, name: string): Promise<void>
  read(name: string): Promise<string>
  bytes(name: string): Promise<Buffer>
  /** Names in a folder, sorted; empty when there is none. */
  list(folder: string): Promise<string[]>
  /** Every file under a folder, relative to the project, sorted. */
  files(folder?: string): Promise<string[]>
  remove(): Promise<void>
}

export interface ProjectOptions {
  /** The folder for the project's. Default: that of temporary files. */
  readonly within?: string
  /**
   * Whether `whatif` carries commands out in a process that lives on (see `shared-process.ts`). For tests of what commands say
   * and write, not of processes: signals, streams, memory, faults. Default: false.
   */
  readonly sharesProcess?: boolean
}

export async function makeProject({ within = tmpdir(), sharesProcess = false }: ProjectOptions = {}): Promise<Project> {
  const root = await realpath(await mkdtemp(join(within, 'whatif-e2e-')))
  const path = (name: string) => join(root, name)
  const start = (args: readonly string[], options: StartOptions = {}) => startWhatif(args, { ...options, cwd: root })
  await writeFile(path('package.json'), '{}\n')
  return {
    root,
    path,
    start,
    whatif: (args, options = {}) =>
      // Options of Node are for a process of its own.
      sharesProcess && options.contained !== true && options.env?.NODE_OPTIONS === undefined
        ? inSharedProcess({ args, cwd: root, env: { ...cleanEnvironment(), ...options.env } })
        : start(args, options).finished,
    async write(name, text) {
      await mkdir(dirname(path(name)), { recursive: true })
      await writeFile(path(name), text)
    },
    async copy(from, name) {
      await mkdir(dirname(path(name)), { recursive: true })
      await cp(from, path(name))
    },
    read: (name) => readFile(path(name), 'utf8'),
    bytes: (name) => readFile(path(name)),
    list: async (folder) => (existsSync(path(folder)) ? (await readdir(path(folder))).sort() : []),
    async files(folder = '.') {
      if (!existsSync(path(folder))) return []
      const entries = await readdir(path(folder), { recursive: true, withFileTypes: true })
      return entries
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
        .sort()
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

/** Only the variables that a process needs to run, without the caller's configuration. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }) }
}

export function startWhatif(args: readonly string[], options: StartOptions & { readonly cwd: string }): Running {
  // Other commands do so by themselves.
  const node = args[0] === 'serve' ? [process.execPath, SHORT_LIVED] : [process.execPath]
  const [program, ...before] = options.contained === true ? [...NAMESPACE, ...node] : node
  const child = spawn(String(program), [...before, launcher, ...args], {
    cwd: options.cwd,
    env: { ...cleanEnvironment(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const text = { stdout: '', stderr: '' }
  const changed = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk
      for (const check of changed) check()
    })
  const finished = new Promise<Finished>((settle, fail) => {
    child.on('error', fail)
    child.on('close', (code, signal) => settle({ code, signal, ...text }))
  })
  const until = <T>(what: string, find: () => T | null) =>
    new Promise<T>((settle, fail) => {
      const check = () => {
        const found = find()
        if (found === null) return
        changed.delete(check)
        settle(found)
      }
      changed.add(check)
      check()
      finished.then(() => fail(new Error(`ended without ${what}; stderr:\n${text.stderr}`)), fail)
    })
  return {
    finished,
    said: (pattern) => until(`saying ${pattern}`, () => pattern.exec(text.stderr)),
    firstLine: () =>
      until('a line on stdout', () => (text.stdout.includes('\n') ? (text.stdout.split('\n')[0] as string) : null)),
    kill: (signal) => void child.kill(signal),
    closeStdout: () => void child.stdout.destroy(),
  }
}
