import { describe, expect, it } from 'vitest'
import { past, planOf } from './plan-case.ts'

const STUDY = `version: 1
name: demo
datasets: { panel: { file: seeds/panel.csv } }
defaults: { rows: 100, seed: 1 }
scenarios:
  base: {}
  older: { ranges: { age: { min: 60 } } }
  autumn: { ranges: { visited: { min: 2026-09-01, max: 2026-11-30 } } }
`
const schema = [
  { name: 'age', type: 'numeric', min: 18, max: 91, integer: true },
  { name: 'visited', type: 'numeric', min: '2026-01-01', max: '2026-12-31', integer: true, format: 'date' },
] as const

const scenarioOf = (id: string, change: Parameters<typeof planOf>[1] = {}) =>
  planOf(STUDY, change).scenarios.find((s) => s.id === id)!

describe('a plan before the dataset is trained', () => {
  it('has a stable fingerprint and no key for a request whose end is unknown', () => {
    const older = scenarioOf('older')
    expect(older).toMatchObject({ key: null, notes: ['age: 60 and above'] })
    expect(JSON.parse(older.body!).conditions).toEqual({ numeric: { age: { min: 60 } } })
    const trained = scenarioOf('older', { past: past(STUDY, {}, { schema }) })
    expect(trained.fingerprint).toBe(older.fingerprint)
  })

  it('shows the ends of date ranges as dates, and sends the last moment of the last day', () => {
    const autumn = scenarioOf('autumn')
    expect(autumn.notes).toEqual(['visited: 2026-09-01 to 2026-11-30'])
    expect(JSON.parse(autumn.body!).conditions.numeric.visited).toEqual({
      min: Date.UTC(2026, 8, 1),
      max: Date.UTC(2026, 11, 1) - 1,
    })
  })

  it('has no notes on ranges of numbers', () => {
    expect(planOf(STUDY.replace('{ min: 60 }', '{ min: 60, max: 70 }')).scenarios[1]!.notes).toEqual([])
  })
})

describe('a plan with a trained dataset', () => {
  it('takes the missing end from the schema, and has a key', () => {
    const before = past(STUDY, {}, { schema })
    const state = { ...before.state, generations: new Map(), scenarios: new Map() }
    const older = scenarioOf('older', { past: { state, files: new Map() } })
    expect(JSON.parse(older.body!).conditions).toEqual({ numeric: { age: { min: 60, max: 91 } } })
    expect(older.key).toMatch(/^wi1\.gen\./)
    expect(older.notes).toEqual(['age: 60 to 91, where the data end'])
  })

  it('shows changed ends of date ranges as dates', () => {
    const before = past(STUDY, {}, { schema })
    const plan = planOf(STUDY.replace('2026-11-30', '2026-10-31'), { past: before })
    expect(plan.scenarios[2]!.action).toMatchObject({
      reason: { changes: [{ field: 'ranges.visited.max', before: '2026-11-30', after: '2026-10-31' }] },
    })
  })

  it('says that the declarations changed', () => {
    const declared = STUDY.replace('panel.csv }', 'panel.csv, drop: [name] }')
    const plan = planOf(declared, { past: past(STUDY, {}, { schema }) })
    expect(plan.datasets[0]!.action.kind).toBe('use')
    expect(plan.scenarios[0]!.action).toMatchObject({
      reason: { changes: [{ field: 'dataset panel: declarations', before: 'none' }] },
    })
  })
})
