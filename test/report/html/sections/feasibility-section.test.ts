import { describe, expect, it } from 'vitest'
import { largeManifest } from '../../../../bench/large-manifest.js'
import type { Manifest } from '../../../../src/records/manifest/manifest.ts'
import { feasibilitySection } from '../../../../src/report/html/sections/feasibility-section.ts'
import { exampleManifest } from '../../../answers/example-manifest.ts'
import { bodyOf, cellId, cellScenario, matrixManifest, reading, rowsOf, tipsOf } from '../matrix-manifest.ts'

const textOf = (manifest: Manifest) => bodyOf(feasibilitySection(reading(manifest)))

/** North, third: 300 of 2,000 rows, because so few people in the north are loyal. */
function shortManifest(): Manifest {
  const manifest = matrixManifest()
  manifest.scenarios[cellId('north', 'third')] = {
    ...cellScenario('north', 'third'),
    status: 'partial',
    rows: { requested: 2000, reported: 300, counted: 300, fill: 0.15 },
    shortfall: { detail: 'too few', binding: [{ column: 'region', level: 'North', seed_rows: 12 }, { column: 'age' }] },
  }
  return manifest
}

describe('the map of a matrix', () => {
  it('shows rows, seed rows and thin support in a cell for each scenario', () => {
    const text = textOf(matrixManifest())
    expect(tipsOf(text)).toEqual([
      'growth--north--third: 2,000 of 2,000 rows, 600 to 610 effective rows of the seed',
      'growth--south--third: 2,000 of 2,000 rows, 600 to 610 effective rows of the seed',
      'growth--north--half: 2,000 of 2,000 rows, 600 to 610 effective rows of the seed',
      'growth--south--half: 2,000 of 2,000 rows, 600 to 610 effective rows of the seed',
      'growth--north--most: 2,000 of 2,000 rows, 40 effective rows of the seed, thin evidence',
    ])
    expect(text.match(/not asked/g)).toHaveLength(1)
    expect(text).toContain('All 5 scenarios of growth have all rows that were asked for')
    expect(text).toContain('the fewest are 40, in <bdi>growth--north--most</bdi>')
  })

  it('shows the limiting conditions if there are fewer rows', () => {
    const text = textOf(shortManifest())
    expect(tipsOf(text)[0]).toBe(
      'growth--north--third: 300 of 2,000 rows, 600 to 610 effective rows of the seed, what binds: region North, age',
    )
    expect(text).toContain('>300 of 2,000<')
    expect(rowsOf(text)).toContainEqual([
      cellId('north', 'third'),
      '2,000',
      '300',
      '≥ 600',
      '3.2',
      '–',
      'at most × 2',
      'enough',
      'region North, age',
    ])
    expect(text).toContain('4 of 5 scenarios of growth have all rows')
  })

  it('shows the weakest replicate of a scenario', () => {
    const manifest = matrixManifest()
    const name = cellId('north', 'third')
    const { [name]: scenario, ...others } = manifest.scenarios
    const replicate = (number: number, effectiveRows: number) => ({
      ...scenario!,
      replicate: { of: name, number },
      evidence: { ...scenario!.evidence!, effective_rows: effectiveRows },
    })
    const scenarios = { [`${name}--r1`]: replicate(1, 600), [`${name}--r2`]: replicate(2, 500), ...others }
    const text = textOf({ ...manifest, scenarios })
    expect(tipsOf(text)[0]).toBe(`${name}--r2: 2,000 of 2,000 rows, 500 to 510 effective rows of the seed`)
    expect(text).toContain('Of the replicates of a scenario, the weakest is drawn.')
    expect(textOf(matrixManifest())).not.toContain('replicate')
  })

  it('draws an axis of many values in pieces', () => {
    const text = textOf(largeManifest({ scenarios: 50, outcomes: 1 }) as Manifest)
    expect(text.match(/<svg class="chart"/g)).toHaveLength(5)
    expect(tipsOf(text)).toHaveLength(50)
  })

  it('shows why a scenario has no rows', () => {
    const manifest = matrixManifest()
    const { evidence: _none, ...scenario } = cellScenario('north', 'half')
    const rows = { requested: 2000, reported: null, counted: null, fill: null }
    const error = { code: 'below_minimum', detail: 'Too few seed rows.' }
    manifest.scenarios[cellId('north', 'half')] = { ...scenario, status: 'refused', rows, error }
    expect(tipsOf(textOf(manifest))).toContain('growth--north--half: refused, what binds: Too few seed rows.')
  })

  it('is absent without a matrix, where the table is enough, and if both axes are long', () => {
    const text = textOf(exampleManifest())
    expect(text).not.toContain('<svg')
    expect(text).toContain('does not report how many rows of the seed support a scenario')
    expect(rowsOf(text)).toContainEqual(['more', '2,000', '2,000', '–', '–', '–', '–', '–', ''])
    const manifest = matrixManifest()
    for (let i = 0; i < 81; i++) {
      const scenario = cellScenario('north', 'half')
      const axes = { members: `m${i % 9}`, region: `r${Math.floor(i / 9)}` }
      manifest.scenarios[`growth--${i}`] = { ...scenario, axes }
    }
    const { axes: _axes, ...study } = manifest.study
    expect(textOf({ ...manifest, study })).toContain('too many values on both axes for a map')
  })
})
