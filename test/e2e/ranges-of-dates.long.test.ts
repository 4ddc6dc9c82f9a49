import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProject, type Project } from '../cli/project-folder.ts'

const DAY = 86_400_000

/** 400 visits in 2026, of people aged 18 to 77, by region. */
const VISITS = `region,age,visited,left\n${Array.from({ length: 400 }, (_, i) => {
  const day = new Date(Date.UTC(2026, 0, 1 + ((i * 37) % 360)))
  const left = new Date(day.getTime() + ((i * 7) % 24) * 3_600_000)
  return `${['North', 'South'][i % 2]},${18 + ((i * 11) % 60)},${day.toISOString().slice(0, 10)},${left.toISOString().slice(0, 19)}Z`
}).join('\n')}\n`

const STUDY = `version: 1
name: visits
datasets: { panel: { file: visits.csv } }
defaults: { rows: 200, seed: 1, format: csv, expect: { fill: { min: 1 } } }
scenarios:
  older: { ranges: { age: { min: 60 } } }
  autumn: { ranges: { visited: { min: 2026-09-01, max: 2026-11-30 } }, expect: { ranges: { outside_max: 0 } } }
  late: { ranges: { left: { min: 2026-10-05T12:00:00Z } } }
`

describe('ranges of dates and ranges with one end', () => {
  let project: Project
  let plan: string
  beforeAll(async () => {
    project = await makeProject({ sharesProcess: true })
    await project.write('visits.csv', VISITS)
    await project.write('visits.study.yaml', STUDY)
    plan = (await project.whatif(['plan', 'visits.study.yaml'])).stdout
    const { code, stderr } = await project.whatif(['run', 'visits.study.yaml'])
    expect({ code, stderr }).toMatchObject({ code: 0 })
  })
  afterAll(() => project.remove())

  it('are shown as such by the plan', () => {
    const text = plan.replaceAll(/\s+/g, ' ')
    expect(text).toContain('age: 60 and above')
    expect(text).toContain('visited: 2026-09-01 to 2026-11-30')
    expect(text).toContain('left: 2026-10-05T12:00:00Z and above')
  })

  it('hold in every generated row', async () => {
    const valuesOf = async (scenario: string, column: string) => {
      const [head, ...lines] = (await project.read(`out/visits/${scenario}.csv`)).trimEnd().split('\r\n')
      const at = head!.split(',').indexOf(column)
      expect(lines).toHaveLength(200)
      return lines.map((line) => line.split(',')[at]!)
    }
    expect(Math.min(...(await valuesOf('older', 'age')).map(Number))).toBeGreaterThanOrEqual(60)
    const visited = (await valuesOf('autumn', 'visited')).sort()
    expect(visited[0]! >= '2026-09-01' && visited.at(-1)! <= '2026-11-30').toBe(true)
    const left = (await valuesOf('late', 'left')).map((text) => Date.parse(`${text}Z`))
    expect(Math.min(...left)).toBeGreaterThanOrEqual(Date.UTC(2026, 9, 5, 12))
  })

  it('are numbers in what was sent, and dates in manifest and report', async () => {
    const { scenarios } = JSON.parse(await project.read('out/visits/manifest.json'))
    expect(scenarios.autumn.request.conditions.numeric.visited).toEqual({
      min: Date.UTC(2026, 8, 1),
      max: Date.UTC(2026, 11, 1) - 1,
    })
    expect(scenarios.autumn.ranges.visited.dates.target).toEqual({ min: '2026-09-01', max: '2026-11-30' })
    expect(scenarios.late.ranges.left.dates.target.min).toBe('2026-10-05T12:00:00Z')
    expect(scenarios.older.request.conditions.numeric.age.max).toBeGreaterThanOrEqual(77)
    expect(scenarios.older.ranges.age.dates).toBe(undefined)
    expect(scenarios.autumn.ranges.visited.achieved.max % DAY).toBe(0)
    const { stdout } = await project.whatif(['report', 'out/visits/manifest.json'])
    expect(stdout).toContain('| `2026-09-01` to `2026-11-30` |')
  })

  it('are up to date in the next run', async () => {
    const { code } = await project.whatif(['plan', 'visits.study.yaml', '--detailed-exitcode'])
    expect(code).toBe(0)
    const status = await project.whatif(['status', 'visits.study.yaml', '--json'])
    const { scenarios } = JSON.parse(status.stdout).data
    for (const id of ['older', 'autumn', 'late']) expect(scenarios[id]).toMatchObject({ file: 'there', changed: false })
  })

  it('are shown as dates by whatif diff', async () => {
    await project.write('other.study.yaml', STUDY.replace('2026-11-30', '2026-10-31'))
    const { stdout } = await project.whatif(['diff', 'other.study.yaml', 'out/visits/manifest.json'])
    expect(stdout).toContain('2026-11-30 → 2026-10-31')
  })
})
