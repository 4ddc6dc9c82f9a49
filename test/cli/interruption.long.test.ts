import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COFFEE_ARTIFACTS, coffeeStudy, coffeeTracker } from '../e2e/coffee-study.ts'
import { readServiceRecords } from '../e2e/service-records.ts'
import { signallingItself } from './own-signal.ts'
import { hasNamespaces, makeProject, type Project, type Running } from './project-folder.ts'

describe('a run that is interrupted', () => {
  let project: Project
  beforeAll(async () => {
    project = await makeProject({ sharesProcess: true })
    await project.write('tracker.csv', coffeeTracker())
  })
  afterAll(() => project.remove())

  const manifestOf = async (name: string) => JSON.parse(await project.read(`out/${name}/manifest.json`))

  it.each([
    { signal: 'SIGINT', exitCode: 130, when: 'it trains', after: /waiting for training/, reason: 'interrupted' },
    { signal: 'SIGTERM', exitCode: 143, when: 'it generates', after: /: submitted/, reason: 'terminated' },
  ] as const)(
    'by $signal while $when saves its state and ends with exit code $exitCode; the next run completes it',
    async ({ signal, exitCode, after, reason }) => {
      const name = reason
      await project.write(
        `${name}.study.yaml`,
        coffeeStudy(name).replace('tracker.csv }', `tracker.csv, display_name: ${name} }`),
      )
      const first = await project.whatif(['run', `${name}.study.yaml`], { env: signallingItself(after, signal) })
      expect(first).toMatchObject({ code: exitCode, signal: null, stdout: '' })
      expect(await manifestOf(name)).toMatchObject({
        status: 'interrupted',
        outcome: { exit_code: exitCode, reason },
        run: { finished_at: expect.any(String) },
      })
      expect(await project.list(`.whatif/studies/${name}/embedded`), 'the lock is released').not.toContain('lock')

      const second = await project.whatif(['run', `${name}.study.yaml`])
      expect(second).toMatchObject({ code: 0 })
      expect(await manifestOf(name)).toMatchObject({ status: 'complete', totals: { ready: 3, rows_generated: 3000 } })
      expect(await project.list(`out/${name}`)).toEqual(
        [...COFFEE_ARTIFACTS, 'manifest.json', 'report.html', 'run-record.json', 'runs'].sort(),
      )
      const { datasets, generations } = await readServiceRecords(project.path('.whatif/embedded'))
      const own = datasets.filter((dataset) => dataset.display_name === name)
      expect(own).toHaveLength(1)
      expect(generations.filter((generation) => generation.dataset_id === own[0]?.dataset_id)).toHaveLength(3)
    },
  )

  it('by SIGINT while a large seed file is read ends with exit code 130 and says that it was interrupted', async () => {
    const lines = Array.from(
      { length: 900_000 },
      (_, i) => `${i % 97},${i % 13 === 0 ? 'a' : 'b'},${(i * 7919) % 10_007},text ${i % 501}`,
    )
    await project.write('large.csv', `x,y,z,w\n${lines.join('\n')}\n`)
    await project.write(
      'large.study.yaml',
      'version: 1\nname: large\ndatasets: { d: { file: large.csv } }\nscenarios: { one: { rows: 10, seed: 1 } }\n',
    )
    const { code, signal, stderr } = await project.whatif(['run', 'large.study.yaml'], {
      env: signallingItself(/: waiting for training/, 'SIGINT'),
    })
    expect({ code, signal }).toEqual({ code: 130, signal: null })
    expect(stderr).toMatch(/^one: not started: interrupted by SIGINT( \[job \w+, dataset \w+\])?$/m)
    expect(stderr).not.toMatch(/terminate called|Napi/)
  })

  it('keeps the lock: a second run of the same study sees its holder', async () => {
    const name = 'held'
    await project.write(
      `${name}.study.yaml`,
      coffeeStudy(name).replace('tracker.csv }', `tracker.csv, display_name: ${name} }`),
    )
    // The service is paused until the other processes have the signal.
    const running = project.start(['run', `${name}.study.yaml`], { env: signallingItself(/uploading/, 'SIGSTOP') })
    let waiting: Running | null = null
    try {
      await running.said(/uploading/)
      const second = await project.whatif(['run', `${name}.study.yaml`, '--lock-timeout', '0s'])
      expect(second).toMatchObject({ code: 10, stdout: '' })
      expect(second.stderr).toMatch(/^error: .*process \d+/m)
      const skipped = await project.whatif(['run', `${name}.study.yaml`, '--lock-timeout', '0s', '--if-locked', 'skip'])
      expect(skipped).toMatchObject({ code: 0, stdout: '' })
      expect(skipped.stderr).toMatch(/^note: another run of this study .* holds the lock/)
      // A run in another container sees no process that holds the lock; that is no reason to take it.
      if (hasNamespaces) {
        const args = ['run', `${name}.study.yaml`, '--lock-timeout']
        const contained = await project.whatif([...args, '0s'], { contained: true })
        expect(contained).toMatchObject({ code: 10, stdout: '' })
        expect(contained.stderr).toMatch(/^error: .*process \d+/m)
        waiting = project.start([...args, '10m'], { contained: true })
        await waiting.said(/holds the lock|wait/)
      }
    } finally {
      running.kill('SIGCONT')
    }
    expect(await running.finished).toMatchObject({ code: 0 })
    if (waiting !== null) expect(await waiting.finished).toMatchObject({ code: 0 })
    expect(await manifestOf(name)).toMatchObject({ status: 'complete', totals: { ready: 3 } })
  })
})

describe('"whatif serve"', () => {
  it('prints its addresses as JSON, answers there, and ends with exit code 0 on a signal', async () => {
    const project = await makeProject({ sharesProcess: true })
    try {
      const serving = project.start(['serve', '--port', '0', '--json'])
      const { base_url: baseUrl, auth_url: authUrl } = JSON.parse(await serving.firstLine())
      expect(authUrl).toBe(baseUrl)
      expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200)
      const openapi = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as { paths: object }
      expect(Object.keys(openapi.paths)).toContain('/v1/datasets')
      serving.kill('SIGINT')
      const { code, signal, stdout } = await serving.finished
      expect({ code, signal, lines: stdout.trim().split('\n').length }).toEqual({ code: 0, signal: null, lines: 1 })
    } finally {
      await project.remove()
    }
  })

  it('warns when strangers can reach it and its status of signups shows claim tokens; ends with 0 on a signal that comes at once', async () => {
    const project = await makeProject({ sharesProcess: true })
    try {
      const serve = async (...flags: string[]) => {
        const env = {
          ...signallingItself(/base_url/, 'SIGTERM'),
          WHATIF_OPERATOR_TOKEN: 'operator-token-of-the-warning',
        }
        const { code, signal, stderr } = await project.whatif(['serve', '--port', '0', '--json', ...flags], { env })
        expect({ code, signal }).toEqual({ code: 0, signal: null })
        return stderr
      }
      const atPublicUrl = ['--public-url', 'https://whatif.example.org']
      expect(await serve(...atPublicUrl)).toMatch(/^Warning: anybody .* Use --claims operator /m)
      expect(await serve(...atPublicUrl, '--claims', 'operator')).not.toContain('Warning:')
      expect(await serve()).not.toContain('Warning:')
    } finally {
      await project.remove()
    }
  })

  it.each(['too-short', 'with a blank in it, and long enough'])('refuses the operator token "%s"', async (token) => {
    const project = await makeProject({ sharesProcess: true })
    try {
      const { code, stdout, stderr } = await project.whatif(['serve', '--port', '0'], {
        env: { WHATIF_OPERATOR_TOKEN: token },
      })
      expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
      expect(stderr).toMatch(/^error: /)
      expect(stderr).not.toContain(token)
      expect(stderr).not.toMatch(/\n\s+at /)
    } finally {
      await project.remove()
    }
  })
})
