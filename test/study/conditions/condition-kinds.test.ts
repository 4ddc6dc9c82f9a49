import { describe, expect, test } from 'vitest'
import { conditionResults, sentOr } from '../../../src/answers/counts/condition-results.ts'
import type { Measurement } from '../../../src/records/state/measurements.ts'
import { conditionNotes } from '../../../src/runner/plan/condition-notes.ts'
import { describeChanges } from '../../../src/runner/plan/describe-changes.ts'
import type { ConditionKindName } from '../../../src/study/conditions/condition.ts'
import { usedNames } from '../../../src/study/conditions/kinds.ts'
import { bodyLike, canonicalBody, sentBody } from '../../../src/study/hashing/canonical-body.ts'
import { checkConditions } from '../../../src/study/live-schema/check-conditions.ts'
import { loadStudy } from '../../../src/study/load/load-study.ts'
import type { Scenario, Study } from '../../../src/study/study.ts'

interface KindCase {
  /** As a scenario has it; and as an axis with `set` changes it. */
  readonly written: string
  readonly set: readonly [path: string, value: string]
  /** The conditions of the request, before and after what the cleaned schema closes. */
  readonly asked: object
  readonly sent: object
  readonly sentAfterSet: object
  /** What the change by the axis is called. */
  readonly change: { readonly field: string; readonly before: string | null; readonly after: string | null }
  /** Names of the data: column, then levels. */
  readonly names: readonly (string | null)[]
  readonly note: string | readonly string[]
  /** In the wrong column, and where the study writes it twice. */
  readonly wrong: { readonly written: string; readonly code: string }
  /** What the manifest holds of a thousand rows. */
  readonly achieved: object
}

/** One entry a kind, so that the compiler asks for a new kind's. */
const CASES: { readonly [K in ConditionKindName]: KindCase } = {
  share: {
    written: 'shares: { region: { North: 0.25 } }',
    set: ['[shares, region, South]', '0.5'],
    asked: { categorical: { region: { North: 0.25 } } },
    sent: { categorical: { region: { North: 0.25 } } },
    sentAfterSet: { categorical: { region: { North: 0.25, South: 0.5 } } },
    change: { field: 'shares.region.South', before: null, after: '0.5' },
    names: [null, 'North'],
    note: 'region: 0.75 over 2 unlisted levels',
    wrong: { written: 'shares: { age: { North: 0.25 } }', code: 'S2105' },
    achieved: {
      shares: {
        region: {
          levels: { North: { target: 0.25, achieved: 0.24, delta: -0.01, count: 240 } },
          unstated: { South: 0.76 },
        },
      },
      ranges: {},
    },
  },
  range: {
    written: 'ranges: { age: { min: 60 } }',
    set: ['[ranges, age, max]', '70'],
    asked: { numeric: { age: { min: 60 } } },
    sent: { numeric: { age: { min: 60, max: 91 } } },
    sentAfterSet: { numeric: { age: { min: 60, max: 70 } } },
    change: { field: 'ranges.age.max', before: '91', after: '70' },
    names: [null],
    note: 'age: 60 to 91, where the data end',
    wrong: { written: 'ranges: { region: { min: 60 } }', code: 'S2105' },
    achieved: {
      shares: {},
      ranges: {
        age: { target: { min: 60, max: 91 }, achieved: { min: 61, max: 90 }, outside: 0.002, outside_count: 2 },
      },
    },
  },
  mean: {
    written: 'means: { age: 60 }',
    set: ['[means, age]', '71.5'],
    asked: { means: { age: 60 } },
    sent: { means: { age: 60 } },
    sentAfterSet: { means: { age: 71.5 } },
    change: { field: 'means.age', before: '60', after: '71.5' },
    names: [null],
    note: 'age: mean 60',
    wrong: { written: 'means: { region: 3 }', code: 'S2105' },
    achieved: { shares: {}, ranges: {}, means: { age: { target: 60, achieved: 70, delta: 10, values: 1_000 } } },
  },
  cell: {
    written: 'cells: [{ of: [region, plan], shares: [[North, gold, 0.2], [South, gold, 0.1]] }]',
    set: ['', '{ cells: [{ of: [plan, region], shares: [[gold, North, 0.3], [gold, South, 0.1]] }] }'],
    asked: {
      cells: [
        {
          columns: ['plan', 'region'],
          shares: [
            { levels: ['gold', 'North'], share: 0.2 },
            { levels: ['gold', 'South'], share: 0.1 },
          ],
        },
      ],
    },
    sent: {
      cells: [
        {
          columns: ['plan', 'region'],
          shares: [
            { levels: ['gold', 'North'], share: 0.2 },
            { levels: ['gold', 'South'], share: 0.1 },
          ],
        },
      ],
    },
    sentAfterSet: {
      cells: [
        {
          columns: ['plan', 'region'],
          shares: [
            { levels: ['gold', 'North'], share: 0.3 },
            { levels: ['gold', 'South'], share: 0.1 },
          ],
        },
      ],
    },
    change: { field: 'cells.plan × region.gold × North', before: '0.2', after: '0.3' },
    names: [null, null, 'North', 'gold', 'South', 'gold'],
    note: 'region × plan: 2 cells, 0.70 over other combinations',
    wrong: { written: 'cells: [{ of: [region, age], shares: [[North, "20", 0.2]] }]', code: 'S2105' },
    achieved: {
      shares: {},
      ranges: {},
      cells: [
        {
          columns: ['region', 'plan'],
          cells: [
            { levels: ['North', 'gold'], target: 0.2, achieved: 0.21, delta: 0.01, count: 210 },
            { levels: ['South', 'gold'], target: 0.1, achieved: 0, delta: -0.1, count: 0 },
          ],
        },
      ],
    },
  },
}

/** A kind that has another form. */
const BOUNDED_MEAN: KindCase = {
  written: 'means: { age: { min: 60 } }',
  set: ['[means, age, max]', '70'],
  asked: { means: { age: { min: 60 } } },
  sent: { means: { age: { min: 60 } } },
  sentAfterSet: { means: { age: { min: 60, max: 70 } } },
  change: { field: 'means.age.max', before: null, after: '70' },
  names: [null],
  note: 'age: mean at least 60',
  wrong: { written: 'means: { region: 3 }', code: 'S2105' },
  achieved: {
    shares: {},
    ranges: {},
    means: { age: { target: { min: 60 }, achieved: 70, delta: 0, values: 1_000 } },
  },
}

/** A natural share of 0.15 is raised by 10 points. */
const CHANGED_SHARE: KindCase = {
  written: 'shares: { region: { North: { change: +0.10 } } }',
  set: ['[shares, region, South, change]', '-0.05'],
  asked: { categorical: { region: { North: { change: 0.1 } } } },
  sent: { categorical: { region: { North: 0.25 } } },
  sentAfterSet: { categorical: { region: { North: 0.25, South: 0.55 } } },
  change: { field: 'shares.region.South', before: null, after: '0.55' },
  names: [null, 'North'],
  note: ['region: North 0.25, natural share + 0.1', 'region: 0.75 over 2 unlisted levels'],
  wrong: { written: 'shares: { region: { East: { change: -0.3 } } }', code: 'S2114' },
  achieved: CASES.share.achieved,
}

const MULTIPLIED_SHARE: KindCase = {
  ...CHANGED_SHARE,
  written: 'shares: { region: { North: { change: "×2" } } }',
  set: ['[shares, region, North, change]', '"x 1.5"'],
  asked: { categorical: { region: { North: { change: '×2' } } } },
  sent: { categorical: { region: { North: 0.3 } } },
  sentAfterSet: { categorical: { region: { North: 0.225 } } },
  change: { field: 'shares.region.North', before: '0.3', after: '0.225' },
  note: ['region: North 0.3, natural share × 2', 'region: 0.70 over 2 unlisted levels'],
  wrong: { written: 'shares: { region: { South: { change: "×2" } } }', code: 'S2114' },
  achieved: {
    shares: {
      region: {
        levels: { North: { target: 0.3, achieved: 0.24, delta: -0.06, count: 240 } },
        unstated: { South: 0.76 },
      },
    },
    ranges: {},
  },
}

/** A least share; an axis sets another end, and the least share stays. */
const BOUNDED_SHARE: KindCase = {
  written: 'shares: { region: { North: { min: 0.3 }, South: 0.4 } }',
  set: ['[shares, region, North, max]', '0.5'],
  asked: { bounds: { region: { North: { min: 0.3 } } }, categorical: { region: { South: 0.4 } } },
  sent: { bounds: { region: { North: { min: 0.3 } } }, categorical: { region: { South: 0.4 } } },
  sentAfterSet: { bounds: { region: { North: { min: 0.3, max: 0.5 } } }, categorical: { region: { South: 0.4 } } },
  change: { field: 'shares.region.North.max', before: null, after: '0.5' },
  names: [null, 'North', 'South'],
  note: ['region: North at least 0.3'],
  wrong: { written: 'shares: { region: { North: { max: 0.3 }, South: { max: 0.3 }, East: 0.3 } }', code: 'S2106' },
  achieved: {
    shares: {
      region: {
        levels: {
          North: { target: { min: 0.3 }, achieved: 0.24, delta: -0.06, count: 240 },
          South: { target: 0.4, achieved: 0.76, delta: 0.36, count: 760 },
        },
        unstated: {},
      },
    },
    ranges: {},
  },
}

const SCHEMA = [
  {
    name: 'region',
    kind: 'categorical',
    levels: ['North', 'South', 'East'],
    level_shares: [0.15, 0.6, 0.25],
    levelShares: [0.15, 0.6, 0.25],
  },
  { name: 'plan', kind: 'categorical', levels: ['gold', 'silver'], level_shares: [0.4, 0.6], levelShares: [0.4, 0.6] },
  { name: 'age', kind: 'numeric', min: 18, max: 91 },
] as const

/** As a service reports it. */
const LIVE = SCHEMA.map((column) =>
  'levels' in column ? { ...column, levels: [...column.levels], level_shares: [...column.level_shares] } : column,
)

const MEASURED: Measurement = {
  rows: 1_000,
  shares: [
    [
      'region',
      {
        levels: [
          ['North', 240],
          ['South', 760],
        ],
        missing: 0,
      },
    ],
  ],
  numbers: [['age', { n: 1_000, missing: 0, min: 61, max: 90, mean: 70, sd: 5, quantiles: null }]],
  outside: [['age', 2]],
  absent: [],
  tables: [{ columns: ['plan', 'region'], counts: [[['gold', 'North'], 210]] }],
}

describe.each(
  Object.entries({
    ...CASES,
    'mean with bounds': BOUNDED_MEAN,
    'changed share': CHANGED_SHARE,
    'multiplied share': MULTIPLIED_SHARE,
    'bounded share': BOUNDED_SHARE,
  }),
)('a condition of the kind %s', (_, of) => {
  const [base, changed] = scenariosOf(`    ${of.written}
    matrix: { axes: [{ name: more, ${of.set[0] && `set: ${of.set[0]}, `}values: { much: ${of.set[1]} } }] }`)

  test('is read from the file, and sent with what the cleaned schema closes', () => {
    expect(conditionsIn(canonicalBody(base))).toEqual(of.asked)
    expect(conditionsIn(sentBody(base, SCHEMA)!)).toEqual(of.sent)
    expect(bodyLike(base, sentBody(base, SCHEMA)!)).toBe(sentBody(base, SCHEMA))
  })

  test('keeps what an axis with `set` does not name, and tells what it changes', () => {
    expect(conditionsIn(sentBody(changed, SCHEMA)!)).toEqual(of.sentAfterSet)
    const inputs = { kind: 'existing', datasetId: 'd', schemaSha256: '0' } as const
    const work = (scenario: Scenario) => ({ body: sentBody(scenario, SCHEMA)!, dataset: 'd', inputs })
    expect(describeChanges(work(base), work(changed), changed.conditions)).toEqual([of.change])
  })

  test('names what it uses of the data, where it is written', () => {
    const names = base.conditions.flatMap(usedNames)
    expect(names.map(({ level }) => level)).toEqual(of.names)
    expect(names.map(({ place }) => place.start.line)).toEqual(of.names.map(() => 7))
  })

  test('is checked against the cleaned schema', () => {
    expect(codesOf(of.written)).not.toContain(of.wrong.code)
    expect(codesOf(of.wrong.written)).toContain(of.wrong.code)
  })

  test('has a note in the plan, and its result in the manifest', () => {
    const body = sentBody(base, SCHEMA)!
    expect(conditionNotes(base.conditions, LIVE, body)).toEqual([of.note].flat())
    expect(conditionResults({ ...base, conditions: sentOr(base, body) }, MEASURED)).toEqual(of.achieved)
  })
})

test('a column has one condition, whatever its kind', () => {
  const written = '    shares: { age: { North: 0.25 } }\n    ranges: { age: { min: 60 } }'
  expect(loadStudy(studyText(written), { filename: 'x.study.yaml' }).diagnostics.map(({ code }) => code)).toContain(
    'S2008',
  )
})

function studyText(fields: string): string {
  return `version: 1
name: kinds
datasets: { d: { file: d.csv } }
defaults: { rows: 10, seed: 1 }
scenarios:
  one:
${fields}
`
}

function studyOf(fields: string): Study {
  const { study, diagnostics } = loadStudy(studyText(fields), { filename: 'x.study.yaml' })
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  return study!
}

/** The scenario without its axis, and with it. */
function scenariosOf(fields: string): readonly [Scenario, Scenario] {
  const [written = ''] = fields.split('\n')
  return [studyOf(written).scenarios[0]!, studyOf(fields).scenarios[0]!]
}

const codesOf = (written: string): readonly string[] =>
  checkConditions(studyOf(`    ${written}`), 'd', {
    columns: SCHEMA,
    dropped: [],
    renamed: [],
    schemaLabel: 'schema',
  }).map(({ code }) => code)

const conditionsIn = (body: string): unknown => (JSON.parse(body) as { conditions: unknown }).conditions

test('a column may have a range and a mean, which lies inside the range', () => {
  const codes = (mean: string) =>
    loadStudy(studyText(`    ranges: { age: { min: 60, max: 80 } }\n    means: { age: ${mean} }`), {
      filename: 'x.study.yaml',
    }).diagnostics.map(({ code }) => code)
  expect(codes('70')).toEqual([])
  expect(codes('{ max: 70 }')).toEqual([])
  expect(codes('85')).toEqual(['S2009'])
  expect(codes('{ min: 70, max: 65 }')).toContain('S2002')
})

test('a mean lies among the values that the schema reports', () => {
  expect(codesOf('means: { age: 90.5 }')).toEqual([])
  expect(codesOf('means: { age: 91 }')).toEqual(['S2113'])
  expect(codesOf('means: { age: { max: 18 } }')).toEqual(['S2113'])
  expect(codesOf('means: { agee: 20 }')).toEqual(['S2102'])
})

test('a changed share is known from the data, and lies between 0 and 1 with the others', () => {
  expect(codesOf('shares: { region: { North: { change: 0.85 } } }')).toEqual(['N2110'])
  expect(codesOf('shares: { region: { North: { change: 0.851 } } }')).toEqual(['S2114'])
  expect(codesOf('shares: { region: { North: { change: 0.5 }, South: { change: 0.1 } } }')).toEqual(['S2001'])
  expect(codesOf('shares: { region: { North: { change: 0.1 }, South: 0.6, East: 0.1 } }')).toEqual(['S2106'])
  const untold = {
    columns: [{ name: 'region', kind: 'categorical', levels: ['North', 'South'], levelShares: [null, 1] }],
  } as const
  const study = studyOf('    shares: { region: { North: { change: 0.1 } } }')
  const schema = { ...untold, dropped: [], renamed: [], schemaLabel: 'schema' }
  expect(checkConditions(study, 'd', schema).map(({ code }) => code)).toEqual(['S2115'])
  expect(checkConditions(study, 'd', { ...schema, hasNoBounds: true })).toEqual([])
})
