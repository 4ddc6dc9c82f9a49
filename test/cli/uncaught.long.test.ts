import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SECRET_CANARY } from '../runner/service-double.ts'
import { type DoubleProject, makeDoubleProject } from './double-project.ts'

const RUN = ['run', 'demo.study.yaml']
const RUN_AGAIN = 'Run the same command again. What was paid for is kept and not bought twice.\n'

/** Environment of a command in which `code` is run, by a timer, once the journal of the study has a line with `entry`. */
function thrownOnce(entry: string, code: string): NodeJS.ProcessEnv {
  const hook = `
    import { readdirSync, readFileSync } from 'node:fs'
    import { isMainThread } from 'node:worker_threads'
    const journals = () => {
      try {
        const folder = '.whatif/studies/demo'
        return readdirSync(folder).map((name) => readFileSync(folder + '/' + name + '/journal.ndjson', 'utf8')).join('')
      } catch {
        return ''
      }
    }
    const timer = isMainThread && setInterval(() => {
      if (!journals().includes(${JSON.stringify(entry)})) return
      clearInterval(timer)
      ${code}
    }, 1)`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` }
}

const EXCEPTION = 'throw new TypeError("no such\\n thing: " + process.env.WHATIF_CLIENT_SECRET)'
const REJECTION = 'Promise.reject(new TypeError("no such\\n thing: " + process.env.WHATIF_CLIENT_SECRET))'

let demo: DoubleProject
beforeEach(async () => {
  demo = await makeDoubleProject()
})
afterEach(() => demo.remove())

/** Runs the study; requests that `path` matches are left without an answer until the process has ended. */
async function runInto(path: RegExp, args: readonly string[], env: NodeJS.ProcessEnv) {
  const { project, double } = demo
  let letGo = () => {}
  const ended = new Promise<'drop'>((resolve) => {
    letGo = () => resolve('drop')
  })
  double.intercept = (request) => (path.test(`${request.method} ${request.path}`) ? ended : undefined)
  const finished = await project.whatif(args, { env: { ...demo.env, ...env } })
  letGo()
  double.intercept = () => undefined
  return finished
}

describe.each([
  { moment: 'its model is being trained', entry: '"status":"training"', held: /^GET \/v1\/jobs/, kind: 'an exception' },
  {
    moment: 'a request is about to be sent',
    entry: '"kind":"generation"',
    held: /^POST .*generations/,
    kind: 'a rejection',
  },
  {
    moment: 'its rows are being made',
    entry: '"generationId":"gen',
    held: /^GET \/v1\/generations/,
    kind: 'an exception',
  },
  { moment: 'its rows are being fetched', entry: '"rowsReported":', held: /^GET \/v1\/artifacts/, kind: 'a rejection' },
])('$kind that is not caught while $moment', ({ entry, held, kind }) => {
  const code = kind === 'a rejection' ? REJECTION : EXCEPTION

  it('is reported in two sentences and leaves a whole journal; the next run completes the study and buys nothing twice', async () => {
    const { project, double, env } = demo
    const first = await runInto(held, RUN, thrownOnce(entry, code))
    expect({ code: first.code, signal: first.signal, stdout: first.stdout }).toEqual({
      code: 1,
      signal: null,
      stdout: '',
    })
    expect(
      first.stderr.endsWith(`error: whatif ended on an unexpected error: TypeError: no such thing: ***.\n${RUN_AGAIN}`),
    ).toBe(true)
    expect(first.stderr).not.toMatch(/^\s+at /m)
    const [journal] = (await project.files('.whatif/studies')).filter((name) => name.endsWith('journal.ndjson'))
    const lines = (await project.read(journal as string)).split('\n')
    expect(lines.pop()).toBe('')
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ v: 1 })

    const second = await project.whatif(RUN, { env })
    expect(second).toMatchObject({ code: 0 })
    const manifest = JSON.parse(await project.read('out/demo/manifest.json'))
    expect(manifest).toMatchObject({ status: 'complete', totals: { ready: manifest.totals.scenarios } })
    expect(double.made('datasets')).toBe(1)
    expect(double.made('generations')).toBe(double.generations.size)
    expect(double.generations.size).toBe(manifest.totals.scenarios)
  })
})

describe('an exception that is not caught', () => {
  it('is shown with its stack under --verbose, without a secret', async () => {
    const { stderr } = await runInto(/^GET \/v1\/jobs/, [...RUN, '--verbose'], thrownOnce('"training"', EXCEPTION))
    expect(stderr).toMatch(/not bought twice\.\n {4}at \S/)
    expect(stderr).not.toContain(SECRET_CANARY)
  })

  it('leaves the one document of a command with --json', async () => {
    const { code, stdout, stderr } = await runInto(
      /^GET \/v1\/jobs/,
      [...RUN, '--json'],
      thrownOnce('"training"', EXCEPTION),
    )
    expect(JSON.parse(stdout)).toEqual({
      format_version: 1,
      command: 'run',
      ok: false,
      exit_code: 1,
      data: {
        message: 'whatif ended on an unexpected error: TypeError: no such thing: ***.',
        hint: RUN_AGAIN.trim(),
      },
      diagnostics: [],
    })
    expect({ code, isShown: stderr.includes(RUN_AGAIN) }).toEqual({ code: 1, isShown: true })
  })

  it('in a service is reported with its stack and the advice to start again', async () => {
    const hook = `import { isMainThread } from 'node:worker_threads'
      if (isMainThread) process.on('SIGUSR2', () => { throw new Error('broken') })`
    const serving = demo.project.start(['serve', '--data', 'server', '--port', '0'], {
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` },
    })
    await serving.said(/whatif service at/)
    serving.kill('SIGUSR2')
    const { code, stderr } = await serving.finished
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^error: whatif ended on an unexpected error: Error: broken\.\nStart the service again\. .*\n {4}at /m,
    )
  })
})
