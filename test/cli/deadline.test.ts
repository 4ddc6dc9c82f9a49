import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DoubleProject, makeDoubleProject } from './double-project.ts'

let demo: DoubleProject
beforeAll(async () => {
  demo = await makeDoubleProject({ sharesProcess: true })
  demo.double.pollsPerJob = Number.POSITIVE_INFINITY
})
afterAll(() => demo.remove())

it.each(['validate demo.study.yaml', 'inspect seeds/panel.csv'])(
  'whatif %s waits no longer than --deadline for a training that does not end, and exits 11',
  async (line) => {
    const { project, env } = demo
    const { code, stdout, stderr } = await project.whatif([...line.split(' '), '--deadline', '1s'], { env })
    expect({ code, stdout }).toEqual({ code: 11, stdout: '' })
    // A slow machine may not come as far as the training.
    expect(stderr).toMatch(
      /^error: .*(the deadline of 1 s has passed|The wait for job \w+.*: no answer before the deadline\.)/m,
    )
  },
)
