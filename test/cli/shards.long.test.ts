import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProject, type Project, shortTracker } from './project-folder.ts'

/** Each part says which of its scenarios are ready, so that one is killed half way. */
const SCENARIOS = 48
const PARTS = 4

/** Every scenario asks for another share, and six of them are compared with a baseline that lies in some part. */
const STUDY = `version: 1
name: grid
datasets:
  panel: { file: panel.csv }
defaults: { rows: 20, seed: 1, format: csv }
baseline: as-is
scenarios:
  as-is: {}
${Array.from(
  { length: SCENARIOS - 1 },
  (_, i) => `  s${i}: { shares: { loyalty.member: { "Yes": ${((i + 1) / SCENARIOS).toFixed(4)} } } }`,
).join('\n')}
comparisons:
  - id: lift
    scenarios: [${Array.from({ length: 6 }, (_, i) => `s${i * 7 + 5}`).join(', ')}]
    shares: [purchase.intent]
    means: [spend.last.month]
    expect: [{ scenario: s40, column: purchase.intent, level: "Yes", delta_min: 0.01 }]
`

interface Document {
  readonly exit_code: number
  readonly data: {
    readonly digest: string
    readonly manifest: { readonly run: object; readonly comparisons: Record<string, { readonly gates: object[] }> }
  }
}

describe(`${SCENARIOS} scenarios in ${PARTS} parts, each a process with a service of its own`, () => {
  let whole: Project
  let parts: Project

  beforeAll(async () => {
    ;[whole, parts] = await Promise.all([makeProject(), makeProject()])
    for (const project of [whole, parts]) {
      await project.write('panel.csv', shortTracker(['loyalty_member', 'purchase_intent', 'spend_last_month']))
      await project.write('grid.study.yaml', STUDY)
    }
  })

  afterAll(async () => {
    await Promise.all([whole?.remove(), parts?.remove()])
  })

  it('merge to the digest of one run, although one of them was killed half way and run again', async () => {
    const shard = (index: number) => ['run', 'grid.study.yaml', '--shard', `${index}/${PARTS}`]
    const killed = parts.start(shard(3))
    await killed.said(/(?:: ready[\s\S]*){4}/)
    killed.kill('SIGKILL')
    expect((await killed.finished).signal).toBe('SIGKILL')
    expect(await parts.list(`out/grid/shard-3-of-${PARTS}`)).not.toContain('part.json')

    const early = await parts.whatif(['merge', 'grid.study.yaml'])
    expect(early.code).toBe(2)
    expect(early.stderr).toContain('no part in the output folder of the study')

    // Two at a time, on the cores that there are.
    const waiting = Array.from({ length: PARTS }, (_, i) => i + 1)
    const lane = async () => {
      for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
        const ended = await parts.whatif(shard(index))
        expect({ index, code: ended.code, stderr: ended.code === 0 ? '' : ended.stderr }).toEqual({
          index,
          code: 0,
          stderr: '',
        })
      }
    }
    await Promise.all([lane(), lane()])

    const merged = await parts.whatif(['merge', 'grid.study.yaml', '--json'])
    expect({ code: merged.code, stderr: merged.stderr }).toEqual({ code: 0, stderr: '' })
    const alone = await whole.whatif(['run', 'grid.study.yaml', '--json', '--deadline', '60m'])
    const [ofParts, ofOne] = [merged, alone].map(({ stdout }) => JSON.parse(stdout) as Document)
    expect(ofOne?.exit_code).toBe(0)
    expect(ofParts?.data.manifest.comparisons).toEqual(ofOne?.data.manifest.comparisons)
    expect(ofParts?.data.manifest.comparisons.lift?.gates).toMatchObject([{ passed: true }])
    expect(ofParts?.data.digest).toBe(ofOne?.data.digest)
    expect(ofParts?.data.manifest.run).toMatchObject({
      rows_billable: 0,
      rows_collected: 20 * SCENARIOS,
      parts: { of: PARTS, missing: [], unfinished: [] },
    })
  }, 1_800_000)
})
