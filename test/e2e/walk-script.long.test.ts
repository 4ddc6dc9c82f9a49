import { spawn, spawnSync } from 'node:child_process'
import { chmod, readdir } from 'node:fs/promises'
import { delimiter, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanEnvironment, type Finished } from '../cli/project-folder.ts'
import { OPERATOR_TOKEN, type Served, serve } from './served.ts'

const script = resolve(import.meta.dirname, '../../examples/service/walk.sh')
const curl = spawnSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).stdout.trim()

describe.skipIf(curl === '')('examples/service/walk.sh (needs curl)', () => {
  let served: Served
  beforeAll(async () => {
    served = await serve()
    // Stands before curl and writes down what the list of processes would show.
    await served.project.write('bin/curl', `#!/bin/sh\nprintf '%s\\n' "$@" >> "$SEEN"\nexec ${curl} "$@"\n`)
    await served.project.write('bin/node', `#!/bin/sh\nprintf '%s\\n' "$@" >> "$SEEN"\nexec ${process.execPath} "$@"\n`)
    for (const name of ['curl', 'node']) await chmod(served.project.path(`bin/${name}`), 0o755)
    await served.project.write('tmp/.keep', '')
  })
  afterAll(() => served?.stop())

  const walk = (env: NodeJS.ProcessEnv): Promise<Finished> =>
    new Promise((settle, fail) => {
      const { project, baseUrl } = served
      const inherited = cleanEnvironment()
      const child = spawn('sh', [script], {
        cwd: project.root,
        env: {
          ...inherited,
          PATH: [project.path('bin'), inherited.PATH].join(delimiter),
          TMPDIR: project.path('tmp'),
          SEEN: project.path('seen.txt'),
          BASE_URL: baseUrl,
          WHATIF_OPERATOR_TOKEN: OPERATOR_TOKEN,
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const text = { stdout: '', stderr: '' }
      for (const name of ['stdout', 'stderr'] as const) {
        child[name].setEncoding('utf8').on('data', (chunk: string) => {
          text[name] += chunk
        })
      }
      child.on('error', fail)
      child.on('close', (code, signal) => settle({ code, signal, ...text }))
    })

  it('walks from signup to download, and shows no secret', async () => {
    const { code, stdout, stderr } = await walk({ OUT: 'rows.csv' })
    expect([code, stderr]).toEqual([0, ''])
    expect([...stdout.matchAll(/^(\d)\. /gm)].map((match) => match[1]).join('')).toBe('123456789')
    expect(stdout).toContain('   loyalty.member: No, Yes\n')
    expect(stdout).toMatch(/generation gen_\w+ is ready: 1000 rows\n/)
    const rows = (await served.project.read('rows.csv')).trimEnd().split('\n').slice(1)
    expect(rows.length).toBe(1000)
    expect(rows.filter((row) => row.startsWith('North,')).length).toBe(700)

    const seen = await served.project.read('seen.txt')
    expect(seen).toContain('/v1/datasets')
    for (const secret of [OPERATOR_TOKEN, /clm_/, /\breq_/, /eyJ/, /Bearer /]) {
      expect(seen).not.toMatch(secret)
      expect(stdout).not.toMatch(secret)
    }
    expect(await readdir(served.project.path('tmp'))).toEqual(['.keep'])
  })

  it('ends with the problem record where the service refuses a request, and leaves no files', async () => {
    await served.project.write('seed.csv', 'a,b\n1,2\n')
    const { code, stderr } = await walk({ OUT: 'none.csv', SEED_FILE: 'seed.csv' })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^POST \/v1\/datasets was answered with 400:\n\{.*"svc_untrainable_dataset"/)
    expect(await served.project.list('.')).not.toContain('none.csv')
    expect(await readdir(served.project.path('tmp'))).toEqual(['.keep'])
  })

  it('lists its requirements', async () => {
    const { code, stderr } = await walk({ BASE_URL: '' })
    expect(code).not.toBe(0)
    expect(stderr).toContain('BASE_URL: is the address of the service')
  })
})
