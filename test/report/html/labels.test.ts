import { describe, expect, it } from 'vitest'
import { html } from '../../../src/base/document/markup.ts'
import { nameList } from '../../../src/base/document/text.ts'
import { fitLabel } from '../../../src/report/html/fit-label.ts'
import { scenarioNames, scenarioOrder } from '../../../src/report/scenario-names.ts'
import { exampleManifest, exampleScenario } from '../../answers/example-manifest.ts'

describe('labels of pictures', () => {
  it('are cut if they do not fit, wide characters sooner', () => {
    expect(fitLabel('members most', 200, 12)).toBe('members most')
    expect(fitLabel('a'.repeat(120), 100, 12)).toMatch(/^a{10,16}…$/)
    expect(fitLabel('购'.repeat(120), 100, 12)).toMatch(/^购{5,8}…$/)
    expect(fitLabel('😀'.repeat(40), 100, 12).isWellFormed()).toBe(true)
  })
})

describe('names of scenarios', () => {
  const grid = (region: string, members: string) => exampleScenario({ group: 'growth', axes: { members, region } })
  const scenarios = { base: exampleScenario(), 'growth--north--most': grid('north', 'most') }

  it('consist of their axes in the sequence of the study, or of their id', () => {
    const manifest = exampleManifest(scenarios)
    expect(scenarioNames(manifest)('growth--north--most')).toBe('region north · members most')
    expect(scenarioNames(manifest)('base')).toBe('base')
    expect(scenarioNames(manifest)('constructor')).toBe('constructor')
    const axes = {
      growth: [
        { name: 'members', values: ['most'] },
        { name: 'region', values: ['north'] },
      ],
    }
    const declared = { ...manifest, study: { ...manifest.study, axes } }
    expect(scenarioNames(declared)('growth--north--most')).toBe('members most · region north')
  })

  it('begin with their group if there are several matrices', () => {
    const manifest = exampleManifest({
      ...scenarios,
      'price--low': exampleScenario({ group: 'price', axes: { level: 'low' } }),
    })
    expect(scenarioNames(manifest)('price--low')).toBe('price: level low')
  })

  it('follow the sequence of the study, as far as the manifest has it', () => {
    const manifest = exampleManifest({ a: exampleScenario(), b: exampleScenario(), c: exampleScenario() })
    expect(scenarioOrder(manifest)).toEqual(['a', 'b', 'c'])
    const study = { ...manifest.study, scenario_order: ['c', 'gone', 'a'] }
    expect(scenarioOrder({ ...manifest, study })).toEqual(['c', 'a', 'b'])
  })

  it('are listed up to a maximum number', () => {
    expect(html`${nameList(['a', 'b', 'c'], 2)}`.text).toBe('<bdi>a</bdi>, <bdi>b</bdi> and 1 more')
  })
})
