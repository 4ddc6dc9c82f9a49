import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative, resolve } from 'node:path'
import { parse } from 'yaml'
import { cleanEnvironment } from '../cli/project-folder.ts'
import { type RunnerCommand, runnerCommands } from '../cli/runner-commands.ts'

/** A workflow of GitHub Actions carried out here, as far as the examples use the language of workflows. */

interface Step {
  readonly name?: string
  readonly uses?: string
  readonly run?: string
  readonly if?: string
  readonly with?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
}

interface Workflow {
  readonly env: Readonly<Record<string, string>>
  readonly jobs: Readonly<
    Record<string, { readonly if?: string; readonly needs?: string; readonly steps: readonly Step[] }>
  >
}

export interface Trigger {
  readonly event: 'pull_request' | 'push' | 'schedule'
  readonly runId: string
  readonly vars: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
}

export interface StepResult {
  readonly exitCode: number
  /** Both streams, in the order of arrival. */
  readonly log: string
  readonly commands: readonly RunnerCommand[]
  /** What the step appended to GITHUB_STEP_SUMMARY. */
  readonly summary: string
}

export interface JobResult {
  readonly conclusion: 'success' | 'failure' | 'skipped'
  /** The results of the steps with `run`, by name. */
  readonly steps: Readonly<Record<string, StepResult>>
}

/** The state outside a job: the repository, and what GitHub keeps between jobs. */
export interface GitHub {
  /** A git repository; a job gets a clone of its HEAD. */
  readonly repository: string
  readonly write: (name: string, text: string) => Promise<void>
  readonly artifacts: () => Promise<string[]>
  readonly artifact: (name: string) => Promise<string>
  /** What a job of any pull request can restore: every file of every cache, with its path. */
  readonly cached: () => Promise<readonly { readonly path: string; readonly bytes: Buffer }[]>
  readonly run: (workflow: string, trigger: Trigger) => Promise<Readonly<Record<string, JobResult>>>
  /** Lines in one shell in a clone, for a system whose jobs are no more than that. `read` gives a file that they left. */
  readonly script: (lines: readonly string[], env: NodeJS.ProcessEnv) => Promise<ScriptResult>
  readonly remove: () => Promise<void>
}

interface ScriptResult {
  readonly exitCode: number
  readonly log: string
  readonly read: (name: string) => Promise<string>
}

/** Conditions and expressions that the examples use; any other is a fault of the test. */
const CONDITIONS: Readonly<Record<string, (trigger: Trigger, isGreen: boolean) => boolean>> = {
  "github.event_name != 'pull_request'": ({ event }, isGreen) => isGreen && event !== 'pull_request',
  'always()': () => true,
}
const EXPRESSIONS: Readonly<Record<string, (trigger: Trigger, env: NodeJS.ProcessEnv) => string>> = {
  'env.OUT': (_, env) => env.OUT ?? '',
  'github.run_id': ({ runId }) => runId,
  'github.run_attempt': () => '1',
  "github.event_name == 'schedule' && github.run_id || ''": ({ event, runId }) => (event === 'schedule' ? runId : ''),
  "vars.WHATIF_BUDGET_ROWS || vars.WHATIF_BASE_URL && '0' || ''": ({ vars }) =>
    vars.WHATIF_BUDGET_ROWS || (vars.WHATIF_BASE_URL && '0') || '',
  'vars.WHATIF_BASE_URL': ({ vars }) => vars.WHATIF_BASE_URL ?? '',
  'vars.WHATIF_AUTH_URL': ({ vars }) => vars.WHATIF_AUTH_URL ?? '',
  'vars.WHATIF_CLIENT_ID': ({ vars }) => vars.WHATIF_CLIENT_ID ?? '',
  'secrets.WHATIF_CLIENT_SECRET': ({ secrets }) => secrets.WHATIF_CLIENT_SECRET ?? '',
}

interface Place {
  readonly github: { readonly repository: string; readonly cache: string; readonly artifacts: string }
  readonly workspace: string
}

/** Replacements for the actions that the examples use. */
const ACTIONS: Readonly<Record<string, (place: Place, inputs: Readonly<Record<string, string>>) => Promise<void>>> = {
  'actions/checkout': async ({ github, workspace }, { 'fetch-depth': depth = '1' }) => {
    // Like that action: one reference, this number of commits, and no branch with its name.
    git(dirname(workspace), 'init', '-q', workspace)
    const reference = '+HEAD:refs/remotes/pull/1/merge'
    git(workspace, 'fetch', '-q', '--no-tags', `--depth=${depth}`, `file://${github.repository}`, reference)
    git(workspace, 'checkout', '-q', '--detach', 'refs/remotes/pull/1/merge')
  },
  // The Node that runs this test.
  'actions/setup-node': async () => {},
  'actions/cache/restore': async ({ github, workspace }, { path, 'restore-keys': prefix }) => {
    const newest = (await readdir(github.cache))
      .filter((key) => key.startsWith(prefix!))
      .sort()
      .at(-1)
    if (newest !== undefined) await cp(join(github.cache, newest), join(workspace, path!), { recursive: true })
  },
  // A missing file is reported, and is not a failure.
  'actions/cache/save': async ({ github, workspace }, { path, key }) =>
    existsSync(join(workspace, path!))
      ? cp(join(workspace, path!), join(github.cache, key!), { recursive: true })
      : undefined,
  'actions/upload-artifact': async ({ github, workspace }, { path }) => {
    // Here too a missing file is reported, and is not a failure.
    for (const file of path!.trim().split('\n'))
      if (existsSync(join(workspace, file.trim())))
        await cp(join(workspace, file.trim()), join(github.artifacts, file.trim()), { recursive: true })
  },
}

/** `npm ci` has no registry here: it links the package under test, as the lock file of a user's project would have it. */
const NPM = `#!/bin/sh
[ "$*" = ci ] || exit 64
mkdir -p node_modules/.bin
ln -s '${resolve(import.meta.dirname, '../../bin/whatif.js')}' node_modules/.bin/whatif
`

export async function makeGitHub(): Promise<GitHub> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'whatif-ci-')))
  const place = { repository: join(root, 'repository'), cache: join(root, 'cache'), artifacts: join(root, 'artifacts') }
  const bin = join(root, 'bin')
  for (const folder of [...Object.values(place), bin, join(root, 'home')]) await mkdir(folder)
  await writeFile(join(bin, 'npm'), NPM)
  await chmod(join(bin, 'npm'), 0o755)
  await symlink(process.execPath, join(bin, 'node'))
  git(place.repository, 'init', '-q', '-b', 'main')
  let jobs = 0

  async function runJob(steps: readonly Step[], workflowEnv: NodeJS.ProcessEnv, trigger: Trigger): Promise<JobResult> {
    const workspace = join(root, `job${++jobs}`, 'workspace')
    await mkdir(dirname(workspace))
    const pathFile = join(dirname(workspace), 'path')
    await writeFile(pathFile, '')
    const results: Record<string, StepResult> = {}
    let isGreen = true
    for (const step of steps) {
      if (!(step.if === undefined ? isGreen : conditionOf(step.if, trigger, isGreen))) continue
      const fill = (text: string) => filled(text, trigger, workflowEnv)
      if (step.uses !== undefined) {
        // Behind the @ is the commit that it is pinned to.
        const action = ACTIONS[step.uses.split('@')[0] ?? '']
        if (action === undefined) throw new Error(`no stand-in for ${step.uses}`)
        await action({ github: place, workspace }, filledAll(step.with ?? {}, fill))
        continue
      }
      const folder = await mkdtemp(join(dirname(workspace), 'step-'))
      const files = { summary: join(folder, 'summary'), output: join(folder, 'output'), script: join(folder, 'run.sh') }
      await writeFile(files.summary, '')
      await writeFile(files.output, '')
      await writeFile(files.script, fill(step.run!))
      const added = (await readFile(pathFile, 'utf8')).split('\n').filter(Boolean).reverse()
      const { PATH } = cleanEnvironment()
      const done = await bash(files.script, workspace, {
        ...workflowEnv,
        ...filledAll(step.env ?? {}, fill),
        PATH: [...added, bin, PATH].join(delimiter),
        HOME: join(root, 'home'),
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_EVENT_NAME: trigger.event,
        ...(trigger.event === 'pull_request' ? { GITHUB_BASE_REF: 'main', GITHUB_REF: 'refs/pull/1/merge' } : {}),
        GITHUB_RUN_ID: trigger.runId,
        GITHUB_WORKSPACE: workspace,
        GITHUB_STEP_SUMMARY: files.summary,
        GITHUB_OUTPUT: files.output,
        GITHUB_PATH: pathFile,
      })
      if (done.exitCode !== 0) isGreen = false
      results[step.name!] = {
        ...done,
        commands: runnerCommands(done.log),
        summary: await readFile(files.summary, 'utf8'),
      }
    }
    return { conclusion: isGreen ? 'success' : 'failure', steps: results }
  }

  return {
    repository: place.repository,
    async write(name, text) {
      await mkdir(dirname(join(place.repository, name)), { recursive: true })
      await writeFile(join(place.repository, name), text)
      git(place.repository, 'add', '-A')
      git(place.repository, '-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-q', '-m', name)
    },
    artifacts: async () => (await readdir(place.artifacts, { recursive: true })).sort(),
    artifact: (name) => readFile(join(place.artifacts, name), 'utf8'),
    cached: async () => {
      const entries = await readdir(place.cache, { recursive: true, withFileTypes: true })
      const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
      return Promise.all(
        paths.map(async (path) => ({ path: relative(place.cache, path), bytes: await readFile(path) })),
      )
    },
    async run(text, trigger) {
      const workflow = parse(text) as Workflow
      const done: Record<string, JobResult> = {}
      for (const [name, job] of Object.entries(workflow.jobs)) {
        const isGreen = job.needs === undefined || done[job.needs]?.conclusion === 'success'
        const goes = job.if === undefined ? isGreen : conditionOf(job.if, trigger, isGreen)
        done[name] = goes ? await runJob(job.steps, workflow.env, trigger) : { conclusion: 'skipped', steps: {} }
      }
      return done
    },
    async script(lines, env) {
      const folder = join(root, `job${++jobs}`)
      await mkdir(folder)
      const workspace = join(folder, 'workspace')
      git(folder, 'clone', '-q', place.repository, workspace)
      await writeFile(join(folder, 'run.sh'), lines.join('\n'))
      const PATH = [bin, cleanEnvironment().PATH].join(delimiter)
      const done = await bash(join(folder, 'run.sh'), workspace, { ...env, PATH, HOME: join(root, 'home'), CI: 'true' })
      return { ...done, read: (name) => readFile(join(workspace, name), 'utf8') }
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

function conditionOf(text: string, trigger: Trigger, isGreen: boolean): boolean {
  const condition = CONDITIONS[text]
  if (condition === undefined) throw new Error(`no meaning for the condition ${text}`)
  return condition(trigger, isGreen)
}

function filled(text: string, trigger: Trigger, env: NodeJS.ProcessEnv): string {
  return text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
    const value = EXPRESSIONS[expression]
    if (value === undefined) throw new Error(`no meaning for the expression ${expression}`)
    return value(trigger, env)
  })
}

function filledAll(values: Readonly<Record<string, unknown>>, fill: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(String(value))]))
}

/** The call of the runner where a step names no shell. */
function bash(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<{ exitCode: number; log: string }> {
  return new Promise((settle, fail) => {
    const child = spawn('bash', ['-e', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let log = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        log += chunk
      })
    child.on('error', fail)
    child.on('close', (code) => settle({ exitCode: code ?? -1, log }))
  })
}

function git(cwd: string, ...args: string[]): void {
  const { status, stderr } = spawnSync('git', args, {
    cwd,
    encoding: 'utf8',
    env: { ...cleanEnvironment(), GIT_CONFIG_GLOBAL: '/dev/null' },
  })
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`)
}
