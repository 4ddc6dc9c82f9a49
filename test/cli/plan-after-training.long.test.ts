import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProject, type Project, trackerFile } from './project-folder.ts'

const study = (column: string) => `version: 1
name: tracker
datasets: { tracker: { file: tracker.csv } }
scenarios:
  more: { rows: 100, seed: 1, shares: { ${column}: { "Yes": 0.7 } } }
`

describe('"whatif plan" and "whatif validate" on a study whose data were trained', () => {
  let project: Project
  beforeAll(async () => {
    project = await makeProject()
    await project.copy(trackerFile, 'tracker.csv')
    await project.write('tracker.study.yaml', study('purchase.intent'))
    expect(await project.whatif(['validate', 'tracker.study.yaml'])).toMatchObject({ code: 0 })
  })
  afterAll(() => project.remove())

  it('validate generates nothing', async () => {
    expect(await project.list('out')).toEqual([])
  })

  it.each(['plan', 'validate', 'run'])(
    '%s tells a name that cleaning changed, with its place, and exits 4',
    async (command) => {
      await project.write('tracker.study.yaml', study('purchase_intent'))
      const { code, stderr } = await project.whatif([command, 'tracker.study.yaml'])
      expect(code).toBe(4)
      expect(stderr).toContain(`error S2102 column "purchase_intent" does not exist after cleaning
  tracker.study.yaml:5:41
    5 | …e: { rows: 100, seed: 1, shares: { purchase_intent: { "Yes": 0.7 } } }
                                            ^^^^^^^^^^^^^^^
  did you mean "purchase.intent"?  (cleaning renamed it)`)
    },
  )
})
