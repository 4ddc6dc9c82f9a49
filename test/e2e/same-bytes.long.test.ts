import { afterAll, describe, expect, it } from 'vitest'
import { makeProject, type Project } from '../cli/project-folder.ts'
import { COFFEE_ARTIFACTS, coffeeStudy, coffeeTracker } from './coffee-study.ts'
import { startRemoteService } from './remote-service.ts'

describe('the same study in fresh folders', () => {
  const projects: Project[] = []
  afterAll(async () => {
    for (const project of projects) await project.remove()
  })

  async function freshProject(): Promise<Project> {
    const project = await makeProject({ sharesProcess: true })
    projects.push(project)
    await project.write('tracker.csv', coffeeTracker())
    await project.write('coffee.study.yaml', coffeeStudy('coffee'))
    return project
  }

  async function artifacts(project: Project, env: NodeJS.ProcessEnv = {}): Promise<Record<string, string>> {
    const { code, stderr } = await project.whatif(['run', 'coffee.study.yaml', '--yes'], { env })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const entries = COFFEE_ARTIFACTS.map(
      async (name) => [name, (await project.bytes(`out/coffee/${name}`)).toString('base64')] as const,
    )
    return Object.fromEntries(await Promise.all(entries))
  }

  async function served(): Promise<Record<string, string>> {
    const project = await freshProject()
    const remote = await startRemoteService(project, ['--threads', '2'])
    try {
      return await artifacts(project, remote.credentials)
    } finally {
      await remote.stop()
    }
  }

  // `engine/same-bytes` compares more numbers of threads.
  it('gives the same bytes in every format, embedded or served', async () => {
    const embedded = await artifacts(await freshProject())
    expect(Object.values(embedded).every((text) => text.length > 1000)).toBe(true)
    const again = await artifacts(await freshProject())
    const remote = await served()
    for (const name of COFFEE_ARTIFACTS)
      expect([again[name] === embedded[name], remote[name] === embedded[name]], name).toEqual([true, true])
  })

  it('gives the same manifest except for the run itself', async () => {
    const [a, b] = await Promise.all(
      projects.slice(0, 2).map(async (project) => {
        const { trace, run, ...rest } = JSON.parse(await project.read('out/coffee/manifest.json'))
        expect(trace.scenarios).toHaveProperty('keen')
        return JSON.stringify(rest)
      }),
    )
    expect(a).toBe(b)
  })
})
