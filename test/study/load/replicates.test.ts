import { describe, expect, it } from 'vitest'
import { selectScenarios } from '../../../src/runner/plan/select-scenarios.ts'
import { compareStudies } from '../../../src/study/differences/compare-studies.ts'
import { scenarioFingerprint, studyDigest } from '../../../src/study/hashing/fingerprint.ts'
import { loadStudy } from '../../../src/study/load/load-study.ts'
import { dataReferences } from '../../../src/study/lock/data-references.ts'
import { membersOf } from '../../../src/study/replicates.ts'
import type { Study } from '../../../src/study/study.ts'

const HEAD = 'version: 1\nname: demo\ndatasets: { panel: { file: panel.csv } }\n'

function load(text: string) {
  const { study, diagnostics } = loadStudy(`${HEAD}${text}`, { filename: 'demo.study.yaml' })
  return { study, found: diagnostics.map(({ code, summary }) => `${code} ${summary}`) }
}

function study(text: string): Study {
  const { study: loaded, found } = load(text)
  if (loaded === null) throw new Error(found.join('\n'))
  return loaded
}

const seeds = ({ scenarios }: Study) => scenarios.map(({ id, seed }) => `${id} ${seed}`)

const COMPARED = `defaults: { rows: 10, seed: 7 }
scenarios:
  base: { replicates: 2 }
  growth:
    replicates: 3
    matrix:
      axes: [{ name: size, set: [shares, answer, "Yes"], values: { some: 0.6, most: 0.9 } }]
      override: [{ match: { size: most }, set: { replicates: 2 } }]
      include: [{ id: all, set: { shares: { answer: { "Yes": 1 } } } }]
  single: {}
baseline: base
comparisons: [{ id: lift, scenarios: ["growth--*", single], shares: [answer] }]
`

describe('a scenario with replicates', () => {
  it('becomes as many scenarios with consecutive seeds', () => {
    const found = study('scenarios: { a: { rows: 10, seed: -1, replicates: 3 }, b: { rows: 5, seed: 4 } }\n')
    expect(seeds(found)).toEqual(['a--r1 -1', 'a--r2 0', 'a--r3 1', 'b 4'])
    expect(found.scenarios.map(({ replicate }) => replicate)).toEqual([
      { of: 'a', number: 1 },
      { of: 'a', number: 2 },
      { of: 'a', number: 3 },
      undefined,
    ])
  })

  it('takes the number from the nearest layer: defaults, group, override or include', () => {
    expect(seeds(study(COMPARED))).toEqual([
      'base--r1 7',
      'base--r2 8',
      ...['growth--some--r1 7', 'growth--some--r2 8', 'growth--some--r3 9'],
      ...['growth--most--r1 7', 'growth--most--r2 8'],
      ...['growth--all--r1 7', 'growth--all--r2 8', 'growth--all--r3 9'],
      'single 7',
    ])
    const all = study('defaults: { rows: 10, seed: 1, replicates: 2 }\nscenarios: { a: {}, b: { replicates: 3 } }\n')
    expect(seeds(all)).toEqual(['a--r1 1', 'a--r2 2', 'b--r1 1', 'b--r2 2', 'b--r3 3'])
  })

  it('has a drawn seed for each replicate when the seed is random', () => {
    expect(seeds(study('scenarios: { a: { rows: 10, seed: random, replicates: 2 } }\n'))).toEqual([
      'a--r1 random',
      'a--r2 random',
    ])
  })

  it('keeps the axes and the group of its combination', () => {
    const { scenarios } = study(COMPARED)
    expect(scenarios.find(({ id }) => id === 'growth--some--r2')).toMatchObject({
      group: 'growth',
      axes: new Map([['size', 'some']]),
      replicate: { of: 'growth--some', number: 2 },
    })
  })

  it('sends the same request as a scenario with that seed', () => {
    const one = study('scenarios: { a: { rows: 10, seed: 2, shares: { answer: { "Yes": 0.5 } } } }\n').scenarios[0]!
    const [, second] = study(
      'scenarios: { a: { rows: 10, seed: 1, replicates: 2, shares: { answer: { "Yes": 0.5 } } } }\n',
    ).scenarios
    expect(scenarioFingerprint('d', second!)).toBe(scenarioFingerprint('d', one))
  })

  it('counts as one scenario for baseline, patterns and checks of comparisons', () => {
    const found = study(
      `${COMPARED.trimEnd().slice(0, -2)}, expect: [{ scenario: growth--some, column: answer, level: "Yes", delta_min: 0 }] }]\n`,
    )
    expect(found.baseline).toBe('base')
    expect(found.comparisons[0]).toMatchObject({
      against: 'base',
      scenarios: ['growth--some', 'growth--most', 'growth--all', 'single'],
    })
    expect(membersOf(found, 'growth--most')).toEqual(['growth--most--r1', 'growth--most--r2'])
    expect(membersOf(found, 'single')).toEqual(['single'])
    expect(dataReferences(found, 'panel').filter(({ scenario }) => scenario === null)).toMatchObject([
      { column: 'answer', level: null },
      { column: 'answer', level: 'Yes' },
    ])
  })

  it('cannot be compared by the name of one replicate', () => {
    expect(load(COMPARED.replace('single]', 'base--r1]')).found).toEqual(['S4301 there is no scenario "base--r1"'])
  })

  it('is selected as a whole by its name, and one replicate by its own name', () => {
    const select = (pattern: string) => [
      ...selectScenarios(study(COMPARED), { select: [pattern], exclude: [] }, () => 'none').ids,
    ]
    expect(select('base')).toEqual(['base--r1', 'base--r2'])
    expect(select('base--r2')).toEqual(['base--r2'])
    expect(select('size=most')).toEqual(['growth--most--r1', 'growth--most--r2'])
  })

  it('cannot have seeds beyond the largest integer', () => {
    const at = (seed: number) => load(`scenarios: { a: { rows: 10, seed: ${seed}, replicates: 3 } }\n`)
    expect(seeds(at(Number.MAX_SAFE_INTEGER - 2).study!).at(-1)).toBe('a--r3 9007199254740991')
    expect(at(Number.MAX_SAFE_INTEGER - 1)).toEqual({
      study: null,
      found: ['S1206 seed 9007199254740990 leaves no room for 3 replicates'],
    })
  })

  it.each([
    ['the id of a replicate', 'x: {}', 'r1: {}', 'replicates: 2', 'a--x--r1'],
    ['the shared name', 'x: {}', 'r1: { replicates: 2 }', 'replicates: 2', 'a--x--r1'],
  ])('must not share %s with another scenario', (_, i, j, fields, id) => {
    const { found } = load(
      `scenarios: { a: { rows: 10, seed: 1, matrix: { axes: [{ name: i, values: { ${i} } }, { name: j, values: { ${j} } }], include: [{ id: x, set: { ${fields} } }] } } }\n`,
    )
    expect(found).toEqual([`S3004 two scenarios get the id "${id}"`])
  })

  it('is renamed together with its replicates', () => {
    const renamed = study(COMPARED.replace('  base:', '  now:').replace('baseline: base', 'baseline: now'))
    const { renamed: names, differences } = compareStudies(study(COMPARED), renamed)
    expect(Object.fromEntries(names)).toEqual({ 'base--r1': 'now--r1', 'base--r2': 'now--r2' })
    expect(differences).toEqual([])
  })
})

describe('a study without replicates', () => {
  const PLAIN = 'scenarios: { a: { rows: 10, seed: 1 }, b: { rows: 10, seed: 2 } }\nbaseline: a\n'

  it('does not mention the key', () => {
    for (const scenario of study(PLAIN).scenarios) expect(scenario).not.toHaveProperty('replicate')
  })

  it('has another digest than one with replicates, and the same digest as before', () => {
    const digest = (text: string) => studyDigest(study(text), new Map([['panel', 'd']]))
    expect(digest(PLAIN)).toBe('3e6fa52779778e31b9c57176021a8b3da3d0f85d34d0bb57cdc79abc71cf3762')
    expect(digest(PLAIN.replace('seed: 2', 'seed: 2, replicates: 2'))).not.toBe(digest(PLAIN))
  })
})
