import { describe, expect, it } from 'vitest'
import { wavesText } from '../../src/cli/output/waves-text.ts'
import type { ManifestColumn } from '../../src/records/manifest/columns.ts'
import type { ManifestComparison } from '../../src/records/manifest/comparisons.ts'
import type { ManifestDataset } from '../../src/records/manifest/datasets.ts'
import type { ShareDifference } from '../../src/records/manifest/differences.ts'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import { compareWaves } from '../../src/report/waves/compare-waves.ts'
import { exampleManifest, exampleScenario, gateResult } from '../answers/example-manifest.ts'

/** Shares of the levels of one outcome in `base` and `more`; effective rows are 400 and 200, the error of differences 0.03. */
type Shares = Record<string, readonly [against: number, scenario: number]>

function comparison(shares: Record<string, Shares>): ManifestComparison {
  const pair = ([against, scenario]: readonly [number, number]): ShareDifference => ({
    against,
    scenario,
    delta: scenario - against,
    answer: { against, scenario, difference: scenario - against },
    interval: [scenario - against - 0.06, scenario - against + 0.06],
    standard_error: 0.03,
    basis: 'seed',
    support: 'ok',
  })
  const of = (levels: Shares) => Object.fromEntries(Object.entries(levels).map(([level, both]) => [level, pair(both)]))
  return {
    against: 'base',
    gates: [],
    scenarios: {
      more: {
        status: 'compared',
        effective_rows: { scenario: 200, against: 400 },
        shares: Object.fromEntries(Object.entries(shares).map(([column, levels]) => [column, of(levels)])),
        means: {},
      },
    },
  }
}

/** The comparison of all rows, with another one inside each level of `region`. */
function segmented(shares: Record<string, Shares>, inside: Record<string, Record<string, Shares>>): ManifestComparison {
  const whole = comparison(shares)
  const segments = Object.entries(inside).map(([level, own]) => {
    const { status: _, ...result } = comparison(own).scenarios.more!
    return { ...result, level, rows: { scenario: 200, against: 200 } }
  })
  return { ...whole, by: 'region', scenarios: { more: { ...whole.scenarios.more!, segments } } }
}

const levels = (shares: Record<string, number>): ManifestColumn => ({
  kind: 'categorical',
  levels: Object.entries(shares).map(([level, share]) => ({ level, share })),
})

interface Wave {
  readonly digest?: string
  readonly rows?: number
  readonly columns?: Record<string, ManifestColumn>
  /** Of all columns, also those that the study does not name. */
  readonly names?: readonly string[]
  readonly comparisons?: Record<string, ManifestComparison>
  readonly change?: Partial<Manifest>
}

function wave({ digest = 'a', rows = 1000, columns = {}, names, comparisons = {}, change = {} }: Wave): Manifest {
  const plain = exampleManifest({ base: exampleScenario(), more: exampleScenario() })
  const panel: ManifestDataset = {
    ...plain.datasets.panel!,
    sha256: digest.repeat(64),
    cleaning: { ...plain.datasets.panel!.cleaning!, input_rows: rows, clean_rows: rows },
    columns,
    ...(names && { cleaned_columns: [...names] }),
  }
  return { ...plain, datasets: { panel }, comparisons, ...change }
}

const compare = (before: Wave, after: Wave) =>
  compareWaves(wave(before), wave({ digest: 'b', ...after }), (name) => name)
const text = (before: Wave, after: Wave) => wavesText(compare(before, after), 80)
const lift = (shares: Record<string, Shares>) => ({ comparisons: { lift: comparison(shares) } })

describe('the answers of two waves', () => {
  it('are beyond chance by the errors of both samples, in a scenario and in its difference', () => {
    const found = compare(
      lift({ buys: { Yes: [0.3, 0.3], No: [0.7, 0.7] } }),
      lift({ buys: { Yes: [0.3, 0.5], No: [0.7, 0.5] } }),
    )
    expect(found.answers).toMatchObject({ compared: 3, judged: 3, beyond: 2 })
    const [difference, share] = found.answers.changes
    expect(difference).toMatchObject({ against: 'base', level: 'Yes', before: 0, after: 0.2, beyond: true })
    expect(difference?.standardError).toBeCloseTo(Math.sqrt(0.03 ** 2 + 0.03 ** 2), 12)
    expect(share).toMatchObject({ scenario: 'more', against: null, before: 0.3, after: 0.5, beyond: true })
    // Two pseudo-answers each: 61/202 and 101/202.
    const variance = (p: number) => (p * (1 - p)) / 202
    expect(share?.standardError).toBeCloseTo(Math.sqrt(variance(61 / 202) + variance(101 / 202)), 12)
  })

  it('are within chance where one sample alone would say otherwise', () => {
    // 0.07 is 2.3 errors of one sample, and 1.65 of both.
    const found = compare(
      lift({ buys: { Yes: [0.3, 0.3], No: [0.7, 0.7] } }),
      lift({ buys: { Yes: [0.3, 0.37], No: [0.7, 0.63] } }),
    )
    expect(found.answers).toMatchObject({ judged: 3, beyond: 0 })
    expect(found.answers.changes.map(({ beyond }) => beyond)).toEqual([false, false])
  })

  it('are judged together, so that one of many questions needs more than a p-value of 5 %', () => {
    // 2.6 errors of both samples in one question, nothing in the others.
    const step = 2.6 * Math.sqrt(2) * 0.03
    const quiet = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`q${i}`, { Yes: [0.5, 0.5], No: [0.5, 0.5] } as const]),
      )
    const change = { buys: { Yes: [0.01, 0.01 + step], No: [0.99, 0.99 - step] } } as const
    const still = { buys: { Yes: [0.01, 0.01], No: [0.99, 0.99] } } as const
    const ofDifference = (count: number) =>
      compare(lift({ ...still, ...quiet(count) }), lift({ ...change, ...quiet(count) })).answers.changes.find(
        ({ against }) => against !== null,
      )
    expect(ofDifference(0)?.beyond).toBe(true)
    expect(ofDifference(30)?.beyond).toBe(false)
  })

  it('are told with their level and their scenario in 80 columns, however long the names', () => {
    const drink = 'preferred.drink.at.the.last.visit'
    const many = (share: number) => ({
      comparisons: {
        lift: comparison({ [drink]: { 'Filter coffee': [0.3, share], Cappuccino: [0.7, 1 - share] } }),
      },
    })
    const found = text(many(0.3), many(0.5))
    expect(found.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(found).toContain(`
  preferred.drink.at.the.la…offee, more against base  0 → +20 points  +20 points
  preferred.drink.at.the.la…isit Filter coffee, more     30 % → 50 %  +20 points
`)
  })

  it('have no verdict where both runs have one seed file, or too few effective rows', () => {
    const [before, after] = [lift({ buys: { Yes: [0.3, 0.3] } }), lift({ buys: { Yes: [0.3, 0.6] } })]
    const same = compare(before, { ...after, digest: 'a' })
    expect(same.answers).toMatchObject({ judged: 0, beyond: 0 })
    expect(same.answers.changes.map(({ beyond }) => beyond)).toEqual([null, null])
    expect(wavesText(same, 80)).toContain('Answers: 2 of 3 changed; both runs have one sample')
    const few = comparison({ buys: { Yes: [0.3, 0.6] } })
    const more = { ...few.scenarios.more!, effective_rows: { scenario: 19, against: 19 } }
    const thin = compare(before, { comparisons: { lift: { ...few, scenarios: { more } } } })
    expect(thin.answers.changes.map(({ against, beyond }) => [against, beyond])).toEqual([
      ['base', true],
      [null, null],
    ])
  })

  it('leave out columns that a scenario sets', () => {
    const set = comparison({ buys: { Yes: [0.3, 0.6] } })
    const { Yes } = set.scenarios.more!.shares.buys!
    const asked = { more: { ...set.scenarios.more!, shares: { buys: { Yes: { ...Yes!, asked_for: true as const } } } } }
    expect(
      compare(lift({ buys: { Yes: [0.3, 0.3] } }), { comparisons: { lift: { ...set, scenarios: asked } } }).answers
        .compared,
    ).toBe(0)
  })
})

describe('the answers of two waves inside segments', () => {
  const still = { Yes: [0.3, 0.3], No: [0.7, 0.7] } as const
  const moved = { Yes: [0.3, 0.6], No: [0.7, 0.4] } as const
  const of = (north: Shares, west: string, more: Record<string, Shares> = {}) => ({
    comparisons: { lift: segmented({ buys: still }, { North: { buys: north }, [west]: { buys: still, ...more } }) },
  })

  it('are judged among themselves, each under the name that its segment has now', () => {
    const regions = (west: string) => ({ columns: { region: levels({ North: 0.6, [west]: 0.4 }) } })
    const found = compare({ ...regions('west'), ...of(still, 'west') }, { ...regions('West'), ...of(moved, 'West') })
    expect(found.answers).toMatchObject({ compared: 3, judged: 3, beyond: 0, changes: [] })
    expect(found.segments).toMatchObject({ compared: 6, judged: 6, beyond: 2 })
    const segment = { column: 'region', level: 'North' }
    expect(found.segments.changes).toMatchObject([
      { segment, against: 'base', level: 'Yes', before: 0, after: 0.3, beyond: true },
      { segment, against: null, scenario: 'more', level: 'Yes', before: 0.3, after: 0.6, beyond: true },
    ])
    expect(wavesText(found, 80)).toContain(`Answers: 0 of 3 questions changed beyond the chance of both samples
In segments: 2 of 6 questions changed beyond the chance of both samples
  buys Yes in North, more against base  0 → +30 points  +30 points`)
  })

  it('are not spoken of where the later run has no segments, or others', () => {
    expect(text(of(still, 'West'), lift({ buys: still }))).not.toContain('In segments')
    const other = { ...of(moved, 'West').comparisons.lift, by: 'sex' }
    expect(text(of(still, 'West'), { comparisons: { lift: other } })).not.toContain('In segments')
  })
})

describe('the data of two waves', () => {
  it('name what is gone, new and probably renamed, and compare answers under the new names', () => {
    const before = { columns: { buys: levels({ No: 0.62, Yes: 0.38 }), region: levels({ North: 0.6, West: 0.4 }) } }
    const after = {
      columns: { buys: levels({ N: 0.6, Y: 0.4 }), region: levels({ North: 1 }), extra: levels({ a: 1 }) },
    }
    const shown = text(
      { ...before, rows: 1974, ...lift({ buys: { Yes: [0.3, 0.3], No: [0.7, 0.7] } }) },
      { ...after, rows: 2476, ...lift({ buys: { Y: [0.31, 0.3], N: [0.69, 0.7] } }) },
    )
    expect(shown).toBe(`Data of panel
  rows: 1,974 → 2,476
  columns: new extra
  levels of buys: probably renamed No → N, Yes → Y
  levels of region: gone West
Answers: 0 of 3 questions changed beyond the chance of both samples
  buys Y, base               30.0 % → 31.0 %  +1.0 points  within chance
  buys Y, more against base    0 → -1 points    -1 points  within chance

`)
  })

  it('name columns that the study does not name', () => {
    const region = levels({ North: 0.6, South: 0.4 })
    const columnsOf = (before: readonly string[], after: readonly string[]) =>
      compare({ columns: { region }, names: before }, { columns: { region }, names: after }).datasets[0]?.columns
    expect(columnsOf(['region', 'spend', 'q1', 'age'], ['region', 'spend.eur', 'q10', 'age', 'phone'])).toEqual({
      gone: ['q1'],
      added: ['q10', 'phone'],
      renamed: new Map([['spend', 'spend.eur']]),
    })
    // One wave names fewer of the same columns.
    expect(
      compare({ names: ['region', 'age'] }, { columns: { region }, names: ['region', 'age'] }).datasets[0]?.columns,
    ).toEqual({ gone: [], added: [], renamed: new Map() })
  })

  it('are not renamed where the share or the name is another, or two names fit', () => {
    const changes = (old: Record<string, number>, now: Record<string, number>) =>
      compare({ columns: { q: levels(old) } }, { columns: { q: levels(now) } }).datasets[0]?.levels.get('q')?.renamed
        .size
    expect(changes({ Yes: 0.38, No: 0.62 }, { Y: 0.4, No: 0.6 })).toBe(1)
    expect(changes({ Yes: 0.38, No: 0.62 }, { Y: 0.6, No: 0.4 })).toBe(0)
    expect(changes({ Yes: 0.38, No: 0.62 }, { Perhaps: 0.38, No: 0.62 })).toBe(0)
    expect(changes({ Yes: 0.3, No: 0.7 }, { Y: 0.3, Ye: 0.3, No: 0.4 })).toBe(0)
  })

  it.each<readonly [Record<string, number>, Record<string, number>, readonly (readonly [string, string])[]]>([
    [
      { Yes: 0.4, No: 0.6 },
      { Ja: 0.42, Nein: 0.58 },
      [
        ['Yes', 'Ja'],
        ['No', 'Nein'],
      ],
    ],
    [
      { Yes: 0.4, No: 0.6 },
      { '1': 0.4, '0': 0.6 },
      [
        ['Yes', '1'],
        ['No', '0'],
      ],
    ],
    [{ Yes: 0.4, No: 0.6 }, { Ja: 0.7, Nein: 0.3 }, []],
    [{ Yes: 0.4, No: 0.6 }, { '2': 0.4, '3': 0.6 }, []],
  ])('are renamed from %j to %j where both say yes or no and shares are near: %j', (old, now, renamed) => {
    const { levels: changes } = compare({ columns: { q: levels(old) } }, { columns: { q: levels(now) } }).datasets[0]!
    expect([...changes.get('q')!.renamed]).toEqual(renamed)
  })

  it('have a renamed number column only where its values lie alike', () => {
    const number = (q50: number): ManifestColumn => ({
      kind: 'numeric',
      quantiles: { q05: q50 - 20, q25: q50 - 10, q50, q75: q50 + 10, q95: q50 + 20 },
    })
    const renamed = (now: number) =>
      compare({ columns: { spend: number(40) } }, { columns: { 'spend.eur': number(now) } }).datasets[0]?.columns
        .renamed
    expect(renamed(44)).toEqual(new Map([['spend', 'spend.eur']]))
    expect(renamed(400)).toEqual(new Map())
  })
})

describe('the gates of two waves', () => {
  const gates = (fill: boolean, ranges: boolean, more: readonly string[] = []) => ({
    change: {
      scenarios: {
        more: exampleScenario({
          gates: [
            gateResult('fill', { passed: fill }),
            gateResult('ranges', { passed: ranges }),
            ...more.map((id) => gateResult(id, { passed: false })),
          ],
        }),
      },
    },
  })

  it('are told where the verdict turned, and where a new one fails', () => {
    expect(text(gates(true, false), gates(false, true, ['shares:intent']))).toContain(`Gates: 2 fail now, 1 pass now
  fails now: fill of more
  fails and is new: shares:intent of more
  passes now: ranges of more
`)
    expect(text(gates(true, false), gates(true, false))).not.toContain('Gates')
  })
})

it('two waves of many outcomes fill one screen of 80 by 40 at most', () => {
  const many = (share: number) =>
    Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `a.column.with.quite.a.long.name.of.its.own.${i}`,
        { 'A level with many words': [0.5, share], Other: [0.5, 1 - share] } as const,
      ]),
    )
  const inRegions = (share: number) => ({
    comparisons: { lift: segmented(many(share), { North: many(share), West: many(share) }) },
  })
  const columns = (from: number) =>
    Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`c${i}`, levels({ [`level ${from + i}`]: 1 })]))
  const gates = (passed: boolean) => ({
    more: exampleScenario({
      gates: Array.from({ length: 30 }, (_, i) => gateResult(`shares:column.${i}`, { passed })),
    }),
  })
  const shown = text(
    { rows: 1, columns: columns(0), ...inRegions(0.3), change: { scenarios: gates(true) } },
    { rows: 2, columns: columns(100), ...inRegions(0.7), change: { scenarios: gates(false) } },
  ).split('\n')
  expect(shown.length).toBeLessThanOrEqual(37)
  for (const line of shown) expect([...line].length).toBeLessThanOrEqual(80)
})
