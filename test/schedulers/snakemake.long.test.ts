import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import type { Project } from '../cli/project-folder.ts'
import { makeGridProject, RECIPES, until } from './grid-project.ts'
import { processesWith } from './slurm-node.ts'

const hasSnakemake = spawnSync('snakemake', ['--version']).status === 0

describe.skipIf(!hasSnakemake)('examples/schedulers/snakemake (needs snakemake)', () => {
  let project: Project

  beforeAll(async () => {
    project = await makeGridProject()
  })

  afterAll(async () => {
    await project?.remove()
  })

  const start = (): { readonly child: ChildProcess; readonly ended: Promise<{ code: number | null; log: string }> } => {
    const config = ['study=grid.study.yaml', 'name=grid', 'parts=3']
    const args = [
      '--snakefile',
      `${RECIPES}/snakemake/Snakefile`,
      '--cores',
      '2',
      '--keep-going',
      '--config',
      ...config,
    ]
    const child = spawn('snakemake', args, { cwd: project.root, stdio: ['ignore', 'pipe', 'pipe'] })
    let log = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (log += text))
    return { child, ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, log }))) }
  }

  it('carries out the parts and merges them, with one part killed and run again', async () => {
    const first = start()
    const pid = await until(
      async () => processesWith(['grid.study.yaml', '--shard 2/3'])[0] ?? null,
      () => 'part 2 does not run',
    )
    process.kill(pid, 'SIGKILL')
    const failed = await first.ended
    expect(failed.code).toBe(1)
    expect(failed.log).toContain('Error in rule part')
    expect(await project.list('out/grid')).not.toContain('manifest.json')

    const { code, log } = await start().ended
    expect({ code, log: code === 0 ? '' : log }).toEqual({ code: 0, log: '' })
    const { outcome, totals, run } = JSON.parse(await project.read('out/grid/manifest.json')) as Manifest
    expect(outcome).toMatchObject({ exit_code: 0, reason: 'ok' })
    expect(totals).toMatchObject({ ready: 40 })
    expect(run.parts).toEqual({ of: 3, missing: [], unfinished: [] })
  }, 600_000)
})
