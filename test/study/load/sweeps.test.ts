import { describe, expect, it } from 'vitest'
import { canonicalBody } from '../../../src/study/hashing/canonical-body.ts'
import { loadStudy } from '../../../src/study/load/load-study.ts'

const study = (axis: string): string =>
  `version: 1\nname: sweeps\ndatasets: { panel: { file: p.csv } }\nscenarios:\n  more:\n    rows: 100\n    seed: 1\n    matrix:\n      axes:\n        - { name: members, ${axis} }\n`

const sharesOf = (axis: string): [string, unknown][] =>
  loadStudy(study(axis), { filename: 'x.study.yaml' }).study!.scenarios.map((scenario) => [
    scenario.id,
    JSON.parse(canonicalBody(scenario)).conditions.categorical['loyalty.member'].Yes,
  ])

describe('an axis that sweeps a number', () => {
  it('has as many values as it has steps, both ends included, and names scenarios by them', () => {
    expect(sharesOf('sweep: [shares, loyalty.member, "Yes"], from: 0.3, to: 0.8, steps: 6')).toEqual(
      ['0.3', '0.4', '0.5', '0.6', '0.7', '0.8'].map((text) => [`more--${text}`, Number(text)]),
    )
    expect(sharesOf('sweep: [shares, loyalty.member, "Yes"], from: 1, to: 0, steps: 4')).toEqual([
      ['more--1', 1],
      ['more--0.6667', 0.666666666667],
      ['more--0.3333', 0.333333333333],
      ['more--0', 0],
    ])
  })

  it('sets bounds, means and rows too; a minus is written in names', () => {
    const of = (axis: string) => loadStudy(study(axis), { filename: 'x.study.yaml' }).study!.scenarios
    expect(of('sweep: [ranges, balance, min], from: -100, to: 100, steps: 3').map(({ id }) => id)).toEqual([
      'more--minus-100',
      'more--0',
      'more--100',
    ])
    expect(of('sweep: [means, age], from: 40, to: 50, steps: 3').map((one) => [one.id, canonicalBody(one)])).toEqual(
      [40, 45, 50].map((mean) => [`more--${mean}`, expect.stringContaining(`"means":{"age":${mean}}`)]),
    )
    expect(of('sweep: [rows], from: 1000, to: 1002, steps: 3').map(({ id, rows }) => [id, rows])).toEqual([
      ['more--1000', 1000],
      ['more--1001', 1001],
      ['more--1002', 1002],
    ])
  })

  it('is refused where a number does not fit what it sets', () => {
    const faults = (axis: string) =>
      loadStudy(study(axis), { filename: 'x.study.yaml' }).diagnostics.map(({ code, range }) => [
        code,
        range?.start.line,
      ])
    expect(faults('sweep: [shares, loyalty.member, "Yes"], from: 0.5, to: 1.5, steps: 3')).toEqual([['S1106', 10]])
    expect(faults('sweep: [rows], from: 100, to: 101, steps: 3')).toEqual([['S1104', 10]])
    expect(faults('sweep: [shares, loyalty.member], from: 0, to: 1, steps: 3')).toEqual([['S4107', 10]])
  })
})
