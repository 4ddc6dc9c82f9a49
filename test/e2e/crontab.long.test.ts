import { spawn } from 'node:child_process'
import { chmodSync, readFileSync, symlinkSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Finished, makeProject, type Project } from '../cli/project-folder.ts'
import { type RemoteService, startRemoteService } from './remote-service.ts'

const text = readFileSync(resolve(import.meta.dirname, '../../examples/cron/crontab'), 'utf8')
const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
const settings = Object.fromEntries(
  lines
    .filter((line) => /^\w+=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
)
/** Five fields of time, then the command; a % that no backslash protects would end it. */
const jobs = lines.filter((line) => !/^\w+=/.test(line)).map((line) => line.split(/\s+/).slice(5).join(' '))
const [runs, watches] = jobs.map((job) => job.replaceAll('\\%', '%')) as [string, string]

const PANEL = `id,answer\n${Array.from({ length: 200 }, (_, i) => `${i},${['Yes', 'No'][i % 2]}`).join('\n')}\n`
const STUDY = `version: 1
name: brand
datasets:
  panel: { file: panel.csv }
defaults: { rows: 50, seed: 1, format: csv }
budget: { rows_per_run: 500 }
scenarios:
  as-is: {}
  more-yes:
    shares: { answer: { "Yes": 0.7 } }
`

describe('the settings of examples/cron/crontab', () => {
  it('hold no secret, and no value that cron reads otherwise than a shell', () => {
    expect(Object.keys(settings).sort()).toEqual([
      'PATH',
      'SHELL',
      'STUDIES',
      'WHATIF_AUTH_URL',
      'WHATIF_BASE_URL',
      'WHATIF_CREDENTIALS_FILE',
    ])
    for (const value of Object.values(settings)) expect(value).not.toMatch(/[$"'~]/)
    expect(jobs).toHaveLength(2)
    for (const job of jobs) expect(job).not.toMatch(/(?<!\\)%/)
  })
})

describe.skipIf(process.platform === 'win32')('examples/cron/crontab, when its lines run as cron runs them', () => {
  let project: Project
  let service: RemoteService
  let credentials: string
  beforeAll(async () => {
    project = await makeProject()
    service = await startRemoteService(project)
    await project.write('studies/panel.csv', PANEL)
    await project.write('studies/brand.study.yaml', STUDY)
    const { WHATIF_CLIENT_ID, WHATIF_CLIENT_SECRET } = service.credentials
    await project.write(
      'etc/credentials.json',
      JSON.stringify({ client_id: WHATIF_CLIENT_ID, client_secret: WHATIF_CLIENT_SECRET }),
    )
    credentials = project.path('etc/credentials.json')
    chmodSync(credentials, 0o600)
    await mkdir(project.path('bin'))
    await mkdir(project.path('home'))
    symlinkSync(process.execPath, project.path('bin/node'))
    symlinkSync(resolve(import.meta.dirname, '../../bin/whatif.js'), project.path('bin/whatif'))
    // Midnight is when a test says so.
    await project.write('bin/date', '#!/bin/sh\n[ "$*" = "-u +%F" ] && echo "$DAY"\n')
    chmodSync(project.path('bin/date'), 0o755)
  })
  afterAll(async () => {
    await service?.stop()
    await project?.remove()
  })

  /** The environment of a cron job: HOME and the crontab's own settings, here with the places of this test. */
  const cron = (command: string, day = '2026-11-20'): Promise<Finished> =>
    new Promise((settle, fail) => {
      const child = spawn(settings.SHELL!, ['-c', command], {
        cwd: project.path('home'),
        env: {
          ...settings,
          DAY: day,
          HOME: project.path('home'),
          PATH: `${project.path('bin')}:/usr/bin:/bin`,
          STUDIES: project.path('studies'),
          WHATIF_BASE_URL: service.credentials.WHATIF_BASE_URL,
          WHATIF_AUTH_URL: service.credentials.WHATIF_AUTH_URL,
          WHATIF_CREDENTIALS_FILE: credentials,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const said = { stdout: '', stderr: '' }
      for (const name of ['stdout', 'stderr'] as const)
        child[name].setEncoding('utf8').on('data', (chunk: string) => {
          said[name] += chunk
        })
      child.on('error', fail)
      child.on('close', (code, signal) => settle({ code, signal, ...said }))
    })

  const posts = () =>
    service.proxy.seen.filter(({ method, path }) => method === 'POST' && path.endsWith('/generations')).length
  const records = async () => {
    const folder = project.path('studies/out/brand/runs')
    const names = (await readdir(folder)).map((name) => join(folder, name))
    return [...names, project.path('studies/out/brand/manifest.json')]
  }

  it('the watch raises the alarm while there is no complete run', async () => {
    expect(await cron(watches)).toMatchObject({ code: 12, stdout: '', stderr: 'status: there is no complete run\n' })
  })

  it('the run is refused while others can read the credentials', async () => {
    chmodSync(credentials, 0o640)
    const { code, stdout, stderr } = await cron(runs)
    chmodSync(credentials, 0o600)
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
    expect(stderr).toBe(
      'error: the file named by WHATIF_CREDENTIALS_FILE can be read by others\nMake the file private: chmod 600.\n',
    )
  })

  it('the run prints its summary and nothing else, and the watch raises no alarm', async () => {
    const { code, stdout, stderr } = await cron(runs)
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toBe(`✓ as-is     50 of 50 rows
✓ more-yes  50 of 50 rows · shares met

100 of 100 rows in 2 files
billed in this run: 100 rows (${new URL(service.credentials.WHATIF_BASE_URL).origin})
manifest: out/brand/manifest.json
report: out/brand/report.html
`)
    expect(posts()).toBe(2)
    expect(await cron(watches)).toMatchObject({ code: 0, stdout: '', stderr: '' })
  })

  it('a second run on the same day asks the service for nothing', async () => {
    const before = posts()
    const { code, stderr } = await cron(runs)
    expect(code).toBe(0)
    expect(stderr).toContain('billed in this run: 0 rows')
    expect(posts()).toBe(before)
  })

  it('a run on another day generates again', async () => {
    const before = posts()
    const { code } = await cron(runs, '2026-11-21')
    expect(code).toBe(0)
    expect(posts()).toBe(before + 2)
  })

  it('the run does nothing while another is active', async () => {
    const [label] = (await project.list('.whatif/studies/brand')) as [string]
    const lock = project.path(`.whatif/studies/brand/${label}/lock`)
    const { hostname } = await import('node:os')
    const now = new Date().toISOString()
    const holder = { pid: process.pid, host: hostname(), run_id: 'r0', started_at: now, heartbeat_at: now }
    await writeFile(lock, JSON.stringify(holder))
    const before = service.proxy.seen.length
    const { code, stdout, stderr } = await cron(runs)
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(/^note: another run of this study \(r0\) holds the lock/)
    expect(service.proxy.seen.length).toBe(before)
  })

  it('the watch raises the alarm for a run that is two days old', async () => {
    for (const path of await records()) {
      const record = JSON.parse(await readFile(path, 'utf8'))
      if (record.run.finished_at === null) continue
      record.run.finished_at = new Date(Date.parse(record.run.finished_at) - 2 * 86_400_000).toISOString()
      await writeFile(path, JSON.stringify(record))
    }
    const { code, stdout, stderr } = await cron(watches)
    expect({ code, stdout }).toEqual({ code: 12, stdout: '' })
    expect(stderr).toMatch(/^status: the last complete run is older than --max-age \(.+\); it ended at /)
  })
})
