import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProject, type Project, shortTracker } from './project-folder.ts'

const study = (column: string) => `version: 1
name: tracker
datasets: { tracker: { file: tracker.csv } }
scenarios:
  more: { rows: 100, seed: 1, shares: { ${column}: { "Yes": 0.7 } } }
`

describe('"whatif plan" and "whatif validate" on a study whose data were trained', () => {
  let project: Project
  beforeAll(async () => {
    project = await makeProject({ sharesProcess: true })
    await project.write('tracker.csv', shortTracker())
    await project.write('tracker.study.yaml', study('purchase.intent'))
    expect(await project.whatif(['validate', 'tracker.study.yaml'])).toMatchObject({ code: 0 })
  })
  afterAll(() => project.remove())

  it('validate generates nothing', async () => {
    expect(await project.list('out')).toEqual([])
  })

  it.each(['plan', 'validate', 'run'])(
    '%s reports a name that cleaning changed, with its place, and exits 4',
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

  describe('with more than 20 requested rows for each row of the seed file', () => {
    const many = study('purchase.intent').replace('rows: 100,', 'rows: 30001,')
    const plan = async (...flags: string[]) => await project.whatif(['plan', 'tracker.study.yaml', ...flags])
    const found = async () => {
      const { diagnostics } = JSON.parse((await plan('--json')).stdout)
      return diagnostics.filter(({ code }: { code: string }) => code === 'N4404')
    }

    it('plan notes it, in text and as JSON', async () => {
      await project.write('tracker.study.yaml', many)
      const { code, stdout } = await plan()
      expect([code, stdout.match(/note N4404: more asks for 30,001 rows/g)]).toEqual([0, [expect.anything()]])
      expect(await found()).toMatchObject([{ severity: 'note', code: 'N4404' }])
      expect(await project.whatif(['explain', 'N4404'])).toMatchObject({ code: 0 })
    })

    it('plan has no note up to that number', async () => {
      await project.write('tracker.study.yaml', many.replace('30001', '30000'))
      expect((await plan()).stdout).not.toContain('N4404')
      expect(await found()).toEqual([])
    })

    it('plan has no note if the seed file changed since its training', async () => {
      await project.write('tracker.study.yaml', many)
      await project.write('tracker.csv', 'purchase.intent\nYes\nNo\n')
      expect((await plan()).stdout).not.toContain('N4404')
    })
  })
})
