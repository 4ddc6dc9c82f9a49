import { cpSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { makeProject } from './cli/project-folder.ts'

it('the example of richer questions runs: every target is met, and no row breaks its rule', async () => {
  const project = await makeProject({ sharesProcess: true })
  try {
    cpSync(resolve(import.meta.dirname, '../examples/coffee'), project.root, { recursive: true })
    const { code, stderr } = await project.whatif(['run', 'questions.study.yaml', '--rows', '500'])
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('shares met') })
    const { totals, scenarios, comparisons } = JSON.parse(
      await project.read('out/coffee-questions/trial-500/manifest.json'),
    )
    expect(totals).toMatchObject({ scenarios: 9, ready: 9 })
    for (const one of Object.values<{ rules: { rows: number; violations: number }[] }>(scenarios)) {
      const [rule] = one.rules
      expect(rule!.violations).toBe(0)
      // Those who spent something, whom the rule is about.
      expect(rule!.rows).toBeGreaterThan(300)
    }
    // The median and the share that each comparison asks for have answers.
    const { everybody, 'young-people': young } = comparisons
    expect(everybody.scenarios['spending-more'].quantiles['spend.last.month']['0.5'].interval).toHaveLength(2)
    expect(young.scenarios['members--0.7'].shares['purchase.intent'].Yes.interval).toHaveLength(2)
  } finally {
    await project.remove()
  }
}, 300_000)
