import { expect, it } from 'vitest'
import { makeDoubleProject } from '../cli/double-project.ts'
import { type Cut, startCuttingServer } from '../client/cutting-server.ts'

/** Large enough that the file is behind the connection. */
const ROWS = 40_000

const STUDY = `version: 1
name: demo
datasets:
  panel: { file: seeds/panel.csv }
defaults: { rows: ${ROWS}, seed: 1, format: csv }
scenarios:
  base: {}
  more-yes: { shares: { answer: { "Yes": 0.7 } } }
  young: { ranges: { age: { min: 20, max: 30 } } }
budget: { rows_per_run: ${3 * ROWS} }
`

const CUTS: readonly Cut[] = [
  { framing: 'close and length', end: 'FIN', at: 600_000 },
  { framing: 'close and chunks', end: 'RST', at: 400_000 },
  { framing: 'length', end: 'RST', at: 1 },
]

it('a run whose downloads are all interrupted fetches them again, and has every row', async () => {
  const { project, double, env, remove } = await makeDoubleProject()
  const csvOf = (path: string) => double.generations.get(path.slice(1))?.csv as Buffer
  const storage = await startCuttingServer(csvOf)
  try {
    await project.write('demo.study.yaml', STUDY)
    const left = [...CUTS]
    const seen = new Set<unknown>()
    double.revise = (json) => {
      if (typeof json.artifact_url !== 'string') return json
      const path = `/${json.generation_id}`
      const cut = seen.has(path) ? undefined : left.shift()
      seen.add(path)
      if (cut !== undefined) storage.cut(path, cut)
      return { ...json, artifact_url: `${storage.url}${path}` }
    }
    const { code, stdout, stderr } = await project.whatif(['run', 'demo.study.yaml', '--verbose'], { env })
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: '' })
    expect(stderr.match(/the connection was (?:closed before the answer was complete|reset)/g)).toHaveLength(
      CUTS.length,
    )
    for (const { id, csv } of double.generations.values()) expect(csv.length, id).toBeGreaterThan(600_000)
    const manifest = JSON.parse(await project.read('out/demo/manifest.json'))
    expect(manifest).toMatchObject({ status: 'complete', totals: { ready: 3, rows_generated: 3 * ROWS } })
    expect(double.made('generations')).toBe(3)
  } finally {
    await storage.close()
    await remove()
  }
})
