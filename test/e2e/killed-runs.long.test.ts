import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manifestFaults } from '../answers/manifest-validator.ts'
import { signallingItself } from '../cli/own-signal.ts'
import { type Finished, makeProject, type Project } from '../cli/project-folder.ts'
import { seededRandom } from '../runner/seeded-random.ts'
import { COFFEE_ARTIFACTS, coffeeStudy, coffeeTracker } from './coffee-study.ts'
import { readServiceRecords } from './service-records.ts'

/** The moments of the kills are the same in every run of this test, as far as a clock can say so. */
const random = seededRandom(20261121)

/**
 * The output after which the run is killed, and the longest time after that in milliseconds. Three rounds share a folder,
 * so that each kill but the first meets a service with a history; the first finds a service that is being made.
 */
const rounds = (
  [
    ['it starts', null, 900],
    ['it begins to upload', /uploading/, 60],
    ['its upload is received', /waiting for training/, 700],
    ['the model is trained', /: trained/, 60],
    ['a generation is submitted', /: submitted/, 30],
    ['a scenario is ready', /: ready/, 10],
  ] as const
).map(([when, after, withinMs], index) => ({
  round: index + 1,
  folder: Math.floor(index / 3),
  after,
  when,
  waitMs: Math.round(random() * withinMs),
}))

describe('a run that is killed', () => {
  const projects: Project[] = []
  const killed: number[] = []
  /** Name → sha256 of what a run gives that nobody disturbs. */
  let undisturbed: Record<string, string>

  beforeAll(async () => {
    for (let i = 0; i < 2; i++) {
      const project = await makeProject({ sharesProcess: true })
      projects.push(project)
      await project.write('tracker.csv', coffeeTracker())
    }
    const project = await makeProject({ sharesProcess: true })
    projects.push(project)
    await project.write('tracker.csv', coffeeTracker())
    await project.write('coffee.study.yaml', coffeeStudy('coffee'))
    const { code, stderr } = await project.whatif(['run', 'coffee.study.yaml'])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    undisturbed = await digests(project, 'coffee')
    expect(Object.keys(undisturbed)).toEqual(COFFEE_ARTIFACTS)
  })
  afterAll(async () => {
    for (const project of projects) await project.remove()
  })

  it.each(rounds)(
    '$waitMs ms after $when (round $round) is completed by the same command',
    async ({ round, folder, after, waitMs }) => {
      const project = projects[folder] as Project
      const name = `round-${round}`
      // Another display name is another upload of the same data: the model and the rows must come out the same.
      await project.write(
        `${name}.study.yaml`,
        coffeeStudy(name).replace('tracker.csv }', `tracker.csv, display_name: ${name} }`),
      )
      const first = await runAndKill(project, name, after, waitMs)
      if (first.signal === 'SIGKILL') killed.push(round)
      else expect(first.code).toBe(0)

      for (const [file, digest] of Object.entries(await digests(project, name)))
        expect({ file, digest }, 'what has its final name is whole').toEqual({ file, digest: undisturbed[file] })
      if ((await project.list(`out/${name}`)).includes('manifest.json'))
        expect(await manifestOf(project, name)).toBeDefined()

      const { code, stderr } = await project.whatif(['run', `${name}.study.yaml`])
      expect({ code, stderr }).toMatchObject({ code: 0 })
      expect(await digests(project, name)).toEqual(undisturbed)
      expect(await project.list(`out/${name}`)).toEqual(
        [...COFFEE_ARTIFACTS, 'manifest.json', 'report.html', 'run-record.json', 'runs'].sort(),
      )
      const manifest = await manifestOf(project, name)
      expect(manifest).toMatchObject({ status: 'complete', totals: { ready: 3, rows_generated: 3000 } })

      const records = await readServiceRecords(project.path('.whatif/embedded'))
      const [dataset, ...others] = records.datasets.filter((d) => d.display_name === name)
      expect(others).toEqual([])
      const generations = records.generations.filter((g) => g.dataset_id === dataset?.dataset_id)
      expect(generations.map((g) => g.status)).toEqual(['ready', 'ready', 'ready'])
      const ids = new Set(generations.map((g) => g.generation_id))
      expect(records.ledger.filter((entry) => ids.has(entry.generation_id))).toHaveLength(3)
      expect(records.keys.filter((key) => ids.has(key.resource_id ?? ''))).toHaveLength(3)
    },
  )

  it('was killed before its end in most of these rounds', () => {
    expect(killed.length).toBeGreaterThanOrEqual(4)
  })

  it('leaves nothing at the service except its scenarios', async () => {
    for (const project of projects.slice(0, 2)) {
      const { datasets, generations, ledger } = await readServiceRecords(project.path('.whatif/embedded'))
      expect([datasets.length, generations.length, ledger.length]).toEqual([3, 9, 9])
    }
  })
})

async function runAndKill(project: Project, name: string, after: RegExp | null, waitMs: number): Promise<Finished> {
  const command = ['run', `${name}.study.yaml`]
  if (after !== null) return await project.whatif(command, { env: signallingItself(after, 'SIGKILL', waitMs) })
  const running = project.start(command)
  await delay(waitMs)
  running.kill('SIGKILL')
  return await running.finished
}

async function manifestOf(project: Project, name: string): Promise<unknown> {
  const manifest = JSON.parse(await project.read(`out/${name}/manifest.json`))
  expect(manifestFaults(manifest)).toEqual([])
  return manifest
}

/** Files that bear an artifact's final name. */
async function digests(project: Project, name: string): Promise<Record<string, string>> {
  const names = (await project.list(`out/${name}`)).filter((file) => COFFEE_ARTIFACTS.includes(file))
  const entries = names.map(
    async (file) =>
      [
        file,
        createHash('sha256')
          .update(await project.bytes(`out/${name}/${file}`))
          .digest('hex'),
      ] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}
