import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeProject } from './project-folder.ts'

/** A disk of its own, in MB; null where it may not be mounted (not root, or in a container without the right to). */
async function mountDisk(megabytes: number): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'whatif-small-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    await rm(folder, { recursive: true })
    return null
  }
}

const SIZES = [40, 55, 60, 65, 70, 75, 90]
const disks = await Promise.all(SIZES.map(mountDisk))
const readOnly = await mountDisk(1)

afterAll(async () => {
  for (const disk of [...disks, readOnly].filter((folder) => folder !== null)) {
    execFileSync('umount', ['-l', disk])
    await rm(disk, { recursive: true, force: true })
  }
})

/** Small: what fills the disk is the database of the service. */
const SEED = `answer,region\n${Array.from({ length: 200 }, (_, i) => `${['Yes', 'No'][i % 2]},${['North', 'South', 'East'][i % 3]}`).join('\n')}\n`
const STUDY = `version: 1
name: small
datasets:
  tracker: { file: tracker.csv }
scenarios:
  more-yes: { rows: 500, seed: 1, shares: { answer: { "Yes": 0.7 } } }
`

it.skipIf(disks.includes(null)).each(SIZES.map((megabytes, i) => ({ megabytes, disk: disks[i] as string })))(
  'a run on a disk of $megabytes MB names the disk and what it needs, and ends; with room the same command finishes',
  async ({ disk }) => {
    const project = await makeProject({ within: disk, sharesProcess: true })
    await project.write('tracker.csv', SEED)
    await project.write('small.study.yaml', STUDY)
    // In a process of its own: the database that finds no room may end it.
    const full = await project.start(['run', 'small.study.yaml']).finished
    expect(full.code).toBeOneOf([1, 2])
    expect(full.stderr).toMatch(
      /^error: \.whatif\/embedded: the disk has \d+ MiB free, and the embedded service needs 96 MiB and room for the files; make room \(ENOSPC\)$/m,
    )
    execFileSync('mount', ['-o', 'remount,size=400m', disk])
    expect(await project.whatif(['run', 'small.study.yaml'])).toMatchObject({ code: 0 })
  },
)

it.skipIf(readOnly === null)(
  'a project that is read-only is named, and what to do, also with results elsewhere',
  async () => {
    const project = await makeProject({ within: readOnly as string })
    const results = await makeProject()
    try {
      await project.write('tracker.csv', SEED)
      await project.write('small.study.yaml', STUDY)
      execFileSync('mount', ['-o', 'remount,ro', readOnly as string])
      const out = ['--out', results.path('out'), '--allow-outside']
      const { code, stderr } = await project.whatif(['run', 'small.study.yaml', ...out])
      expect(code).toBe(2)
      expect(stderr).toContain(
        'error: .whatif: whatif keeps its state there and may not write; copy the project to a folder that you may write to, or use a remote service with --out (EROFS)\n',
      )
    } finally {
      await results.remove()
    }
  },
)
