import { describe, expect, it } from 'vitest'
import type { Manifest } from '../../../../src/records/manifest/manifest.ts'
import { targetsSection } from '../../../../src/report/html/sections/targets-section.ts'
import { exampleManifest, exampleScenario } from '../../../answers/example-manifest.ts'
import { bodyOf, cellId, cellScenario, matrixManifest, reading, rowsOf, tipsOf } from '../matrix-manifest.ts'

const textOf = (manifest: Manifest) => bodyOf(targetsSection(reading(manifest)))

describe('targets and achieved values', () => {
  it('are a sentence and a table if every share is met to the row', () => {
    const text = textOf(matrixManifest())
    expect(text).toContain('All 5 shares that 5 scenarios asked for are met to the row.')
    expect(text).not.toContain('<svg')
    expect(rowsOf(text)).toContainEqual([
      ...[cellId('north', 'half'), 'loyal', 'Yes', '50 %', '50 %', '0 points', '2.2 points', '1,000'],
    ])
  })

  it('count the scenarios that have no rows to measure', () => {
    const manifest = matrixManifest()
    manifest.scenarios[cellId('north', 'most')] = {
      ...cellScenario('north', 'most'),
      status: 'failed',
      rows: { requested: 2000, reported: null, counted: null, fill: null },
      shares: {},
    }
    expect(textOf(manifest)).toContain('1 further scenario has no rows to measure.')
  })

  it('show missed shares in a picture, the largest distance first', () => {
    const manifest = matrixManifest()
    for (const [members, achieved] of [
      ['third', 0.34],
      ['most', 0.7],
    ] as const) {
      const scenario = cellScenario('north', members)
      const target = Number(scenario.shares.loyal!.levels.Yes!.target)
      const Yes = { target, achieved, delta: achieved - target, count: achieved * 2000 }
      manifest.scenarios[cellId('north', members)] = {
        ...scenario,
        shares: { loyal: { levels: { Yes }, unstated: {} } },
      }
    }
    const text = textOf(manifest)
    expect(text).toContain('3 of 5 shares that 5 scenarios asked for are met to the row.')
    expect(tipsOf(text)).toEqual([
      'growth--north--most, loyal Yes: target 75 %, achieved 70.0 % of 2000 rows',
      'growth--north--third, loyal Yes: target 33 %, achieved 34.0 % of 2000 rows',
    ])
    expect(text).toContain('The largest distance is that of loyal Yes in growth--north--most: 70.0 % instead of 75 %.')
  })

  it('say which ranges have rows outside', () => {
    const text = textOf(exampleManifest())
    expect(text).toContain('1 of 1 range has rows outside.')
    expect(rowsOf(text)).toContainEqual(['more', 'age', '18 to 65', '18 to 66', '1', '0.05 %'])
  })

  it('show ranges of dates as dates, and an empty result as such', () => {
    const target = { min: 0, max: 1 }
    const dates = { target: { min: '2026-01-01', max: '2026-12-31' }, achieved: null }
    const ranges = { day: { target, achieved: null, outside: 0, outside_count: 0, dates } }
    const text = textOf(exampleManifest({ more: exampleScenario({ shares: {}, ranges }) }))
    expect(text).toContain('Every row lies in the range.')
    expect(rowsOf(text)).toContainEqual(['more', 'day', '2026-01-01 to 2026-12-31', '–', '0', '0 %'])
  })

  it('are absent without conditions', () => {
    expect(targetsSection(reading(exampleManifest({ base: exampleScenario({ shares: {}, ranges: {} }) })))).toBeNull()
  })
})
