import { describe, expect, it } from 'vitest'
import { addScenarios, newStudy } from '../../../src/explore/keep/kept-study.ts'
import type { KeptScenarios } from '../../../src/explore/wire/messages.ts'
import { loadStudy } from '../../../src/study/load/load-study.ts'

const KEPT: KeptScenarios = {
  scenarios: [
    { id: 'half', conditions: { categorical: { region: { North: 0.5 } } } },
    { id: 'rich', conditions: { means: { spend: 40 } } },
  ],
  outcomes: [
    { column: 'intent', of: 'shares' },
    { column: 'spend', of: 'mean' },
  ],
  where: [],
}

const load = (text: string) => {
  const { study, diagnostics } = loadStudy(text, { filename: 'a.study.yaml' })
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  return study!
}

const add = (text: string, kept = KEPT) => addScenarios(text, { study: load(text), dataset: 'panel' }, kept)

const HEAD = 'version: 1\nname: a\ndatasets: { panel: { file: a.csv } }\ndefaults: { rows: 10, seed: 1 }\n'

describe('a study that is there', () => {
  it.each([
    {
      name: 'in block style',
      scenarios: 'scenarios:\n  today: {}   # as it is\n  more:\n    shares: { region: { North: 0.6 } }\n',
    },
    { name: 'with a comment in front', scenarios: 'scenarios:\n  # First.\n  today: {}\n' },
    { name: 'with a comment in braces', scenarios: 'scenarios: {\n  today: {}, # First.\n}\n' },
    { name: 'with other indentation', scenarios: 'scenarios:\n     today: {}\n' },
    {
      name: 'with comments behind',
      scenarios: 'scenarios:\n  today: {}\n  # The end.\n\n# And more.\nbudget: { rows_per_run: 100 }\n',
    },
    { name: 'with block text at its end', scenarios: 'scenarios:\n  today:\n    tags:\n      - a\n      - b\n' },
    { name: 'in one line', scenarios: 'scenarios: { today: {} }\n' },
    { name: 'in several lines of braces', scenarios: 'scenarios: {\n  today: {},\n}\n' },
    { name: 'without a line break at its end', scenarios: 'scenarios:\n  today: {}' },
    {
      name: 'with comparisons',
      scenarios:
        'scenarios:\n  today: {}\n  more: { shares: { region: { North: 0.6 } } }\ncomparisons:\n- id: explored\n  scenarios: [more]\n  against: today\n  shares: [intent]\n# The end.\n',
    },
    {
      name: 'with comparisons in one line',
      scenarios:
        'scenarios:\n  today: {}\n  more: { shares: { region: { North: 0.6 } } }\ncomparisons: [{ id: c, scenarios: [more], against: today, shares: [intent] }]\n',
    },
  ])('keeps what it has, $name, and gets scenarios and a comparison', ({ scenarios }) => {
    for (const end of ['\n', '\r\n']) {
      const text = (HEAD + scenarios).replaceAll('\n', end)
      const before = load(text)
      const made = add(text)
      if (typeof made === 'string') throw new Error(made)
      const after = load(made.text)
      expect(after.scenarios.map(({ id }) => id)).toEqual([...before.scenarios.map(({ id }) => id), 'half', 'rich'])
      expect(after.comparisons.slice(0, before.comparisons.length).map(({ id }) => id)).toEqual(
        before.comparisons.map(({ id }) => id),
      )
      expect(after.comparisons.at(-1)).toMatchObject({ scenarios: ['half', 'rich'], against: 'today' })
      expect(after.comparisons.at(-1)!.outcomes).toMatchObject([
        { kind: 'shares', column: 'intent' },
        { kind: 'means', column: 'spend' },
      ])
      // Every byte of the file is still there, in its sequence.
      let at = 0
      for (const letter of text.replace(/,?[\s}\]]*$/, '')) {
        const next = made.text.indexOf(letter, at)
        expect(next).toBeGreaterThanOrEqual(at)
        at = next + 1
      }
      if (end === '\r\n') expect(made.text).not.toMatch(/[^\r]\n/)
    }
  })

  it('gets a scenario of the data as they are, if it has none', () => {
    const made = add(`${HEAD}scenarios:\n  more: { shares: { region: { North: 0.6 } } }\n`)
    if (typeof made === 'string') throw new Error(made)
    expect(load(made.text).scenarios.map(({ id }) => id)).toEqual(['more', 'as-is', 'half', 'rich'])
    expect(load(made.text).comparisons[0]!.against).toBe('as-is')
  })

  it('gets a comparison that asks for the same quantiles, means of codes and rows', () => {
    const made = add(`${HEAD}scenarios:\n  today: {}\n`, {
      ...KEPT,
      outcomes: [
        { column: 'spend', of: 0.9 },
        { column: 'satisfaction', of: 'mean' },
        { column: 'spend', of: 0.5 },
        { column: 'spend: x', of: 0.25 },
      ],
      where: [
        { column: 'region', levels: ['North', 'No'] },
        { column: 'age', min: 18 },
        { column: 'since', min: '2024-01-01', max: '2024-06-30' },
      ],
    })
    if (typeof made === 'string') throw new Error(made)
    expect(made.added.at(-1)!.trim()).toBe(
      '- { id: explored, scenarios: [half, rich], against: today, means: [satisfaction], quantiles: { spend: [0.5, 0.9], "spend: x": [0.25] }, where: { region: [North, "No"], age: { min: 18 }, since: { min: 2024-01-01, max: 2024-06-30 } } }',
    )
    const [comparison] = load(made.text).comparisons
    expect(comparison!.where.map(({ column }) => column)).toEqual(['region', 'age', 'since'])
    expect(comparison!.outcomes).toMatchObject([
      { kind: 'means', column: 'satisfaction' },
      { kind: 'quantiles', column: 'spend', shares: [0.5, 0.9] },
      { kind: 'quantiles', column: 'spend: x', shares: [0.25] },
    ])
  })

  it('gets a comparison with the same segments, of shares of the same rows', () => {
    const made = add(`${HEAD}scenarios:\n  today: {}\n`, { ...KEPT, by: 'no', base: 'valid' })
    if (typeof made === 'string') throw new Error(made)
    expect(made.added.at(-1)).toContain('shares: [intent], means: [spend], by: "no", base: valid }')
    expect(load(made.text).comparisons).toMatchObject([{ by: 'no', base: 'valid' }])
  })

  it('names the dataset where it has several', () => {
    const text = `${HEAD.replace('panel:', 'other: { file: b.csv }, panel:')}scenarios:\n  today: { dataset: panel }\n`
    const made = add(text)
    if (typeof made === 'string') throw new Error(made)
    expect(load(made.text).scenarios.at(-1)!.dataset).toBe('panel')
  })

  it.each([
    { name: 'a name that is taken', ids: ['today'], why: 'has a scenario "today" already' },
    { name: 'a name twice', ids: ['b', 'b'], why: 'has a scenario "b" already' },
    { name: 'a name that is none', ids: ['Half & half'], why: 'This makes no valid study' },
    { name: 'a name that would be YAML', ids: ['x: {}\n  y'], why: 'This makes no valid study' },
    { name: 'no name', ids: [''], why: 'This makes no valid study' },
  ])('is left as it is with $name', ({ ids, why }) => {
    const scenarios = ids.map((id) => ({ id, conditions: {} }))
    expect(add(`${HEAD}scenarios:\n  today: {}\n`, { ...KEPT, scenarios })).toContain(why)
  })
})

describe('a new study', () => {
  const place = { name: 'tracker', file: 'seeds/my tracker.csv', displayName: 'my tracker', reading: { headerRows: 2 } }

  it('names the file as it was read, and compares with the data as they are', () => {
    const made = newStudy(place, KEPT)
    if (typeof made === 'string') throw new Error(made)
    const study = load(made.text)
    expect(study.datasets.get('tracker')).toMatchObject({
      file: 'seeds/my tracker.csv',
      displayName: 'my tracker',
      declarations: { headerRows: 2 },
    })
    expect(study.scenarios.map(({ id }) => id)).toEqual(['as-is', 'half', 'rich'])
    expect(study.comparisons).toMatchObject([{ against: 'as-is', scenarios: ['half', 'rich'] }])
    expect(`${made.added.join('\n')}\n`).toBe(made.text)
  })

  it('is not made of names that no study can have', () => {
    const scenarios = [{ id: '#', conditions: {} }]
    expect(newStudy(place, { ...KEPT, scenarios })).toContain('This makes no valid study')
  })
})
