import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import type { Project } from '../cli/project-folder.ts'
import { makeGridProject, RECIPES, until } from './grid-project.ts'
import { noSlurm, processesWith, type SlurmNode, startSlurm } from './slurm-node.ts'

describe.skipIf(noSlurm !== null)(
  `examples/schedulers/slurm, on Slurm${noSlurm === null ? '' : ` (${noSlurm})`}`,
  () => {
    let slurm: SlurmNode
    let project: Project

    beforeAll(async () => {
      slurm = await startSlurm()
      project = await makeGridProject()
    }, 120_000)

    afterAll(async () => {
      await slurm?.stop()
      await project?.remove()
    })

    const call = (command: string, args: readonly string[]): string => {
      const env = { ...process.env, SLURM_CONF: slurm.conf, STUDY: 'grid.study.yaml', PARTS: '4' }
      const { status, stdout, stderr } = spawnSync(command, args, { cwd: project.root, env, encoding: 'utf8' })
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      return stdout
    }
    const isIdle = async () => (call('squeue', ['--noheader']).trim() === '' ? true : null)
    const manifest = async () => JSON.parse(await project.read('out/grid/manifest.json')) as Manifest

    it('carries out an array and merges it; a part that was killed is named, and run again alone', async () => {
      expect(call(`${RECIPES}/slurm/submit.sh`, ['grid.study.yaml', '4'])).toMatch(/^parts: job \d+, merge: job \d+\n$/)
      const pid = await until(
        async () => processesWith(['grid.study.yaml', '--shard 3/4'])[0] ?? null,
        () => call('squeue', []),
      )
      process.kill(pid, 'SIGKILL')
      await until(isIdle, () => call('squeue', []))
      expect(await project.read('whatif-merge.log')).toContain('part 3 of 4 is not here')
      expect((await manifest()).outcome).toMatchObject({ exit_code: 11, reason: 'parts_missing' })

      call('sbatch', ['--array=3', '--export=ALL', `${RECIPES}/slurm/part.sbatch`])
      await until(isIdle, () => call('squeue', []))
      call('sbatch', ['--export=ALL', `${RECIPES}/slurm/merge.sbatch`])
      await until(isIdle, () => call('squeue', []))
      const { outcome, totals, run } = await manifest()
      expect(outcome).toMatchObject({ exit_code: 0, reason: 'ok' })
      expect(totals).toMatchObject({ ready: 40, rows_generated: 800 })
      expect(run.parts).toEqual({ of: 4, missing: [], unfinished: [] })
    }, 600_000)
  },
)
