import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import type { RawColumn } from '../../../src/base/raw-table.ts'
import {
  type KnownColumns,
  proposeDeclarations,
  proposeForFile,
} from '../../../src/data/declare/propose-declarations.ts'
import { loadStudy } from '../../../src/study/load/load-study.ts'
import { starterStudy } from '../../../src/study/writing/starter-study.ts'
import { numbers, texts } from '../../engine/cleaning/raw-columns.ts'
import { tempFolder } from '../../formats/temp-folder.ts'

const folder = tempFolder()
const NOTHING: KnownColumns = { identifiers: [], orders: new Map() }

function proposed(columns: readonly RawColumn[], known: Partial<KnownColumns> = {}, notes: readonly string[] = []) {
  const droppedRows = { empty: 0, repeatedHeader: 0 }
  return proposeDeclarations({ rowCount: 8, sampleRows: 8, columns, droppedRows, notes }, { ...NOTHING, ...known })
}

const lines = (...args: Parameters<typeof proposed>): string[] => proposed(...args).map(({ yaml }) => yaml)

describe('proposed declarations', () => {
  it.each(['pondera', 'Weight', 'wt_final', 'case weight', 'Ponderació', 'finalWeight', 'W.PESO', 'Gewichtung'])(
    'include a weight with such a name and values: %s',
    (name) => {
      const [first] = proposed([numbers('age', [20, 30]), numbers(name, [0.5, 1.25, 2])])
      expect(first?.yaml).toMatch(/^weight: /)
      expect(first?.reason).toBe('a survey weight by its name and values from 0.5 to 2, 1.25 on average')
    },
  )

  it.each([
    ['a weight of a body', numbers('weight', [71, 80, 65])],
    ['a name that only holds the letters', numbers('freight_rate', [0.5, 1.5])],
    ['values below zero', numbers('weight', [-0.5, 1.5])],
    ['texts', texts('weight', ['a', 'b'])],
  ])('include no weight for %s', (_what, column) => {
    expect(lines([column])).toEqual([])
  })

  it.each([
    ['stratum', 'psu'],
    ['Estrato', 'UPM'],
    ['sdmvstra', 'sdmvpsu'],
    ['strata_id', 'cluster no'],
  ])('include a design whose columns are named so: %s, %s', (strata, clusters) => {
    const columns = [texts(strata, ['a', 'b', 'a', 'b']), numbers('age', [1, 2, 3, 4]), numbers(clusters, [1, 2, 1, 2])]
    expect(proposed(columns, { identifiers: [clusters] })).toEqual([
      {
        yaml: `design: { strata: ${strata}, clusters: ${clusters} }`,
        reason: 'how the rows were drawn, by the names of the columns: 2 strata and 2 clusters; standard errors use it',
      },
    ])
  })

  it.each([
    ['a cluster for each row', numbers('psu', [1, 2, 3, 4])],
    ['one cluster', numbers('psu', [1, 1, 1, 1])],
    ['rows without a cluster', numbers('psu', [1, 1, null, 2])],
    ['a name that only holds the letters', texts('strategy', ['a', 'b', 'a', 'b'])],
  ])('include no design for %s', (_what, column) => {
    expect(lines([column])).toEqual([])
  })

  const W = [1.5, 2, 3, 4.25]
  /** Replicates r1 … r8 of the weight, each times the factor of its row. */
  const replicates = (stem: string, factor: (row: number, r: number) => number) =>
    Array.from({ length: 8 }, (_, r) =>
      numbers(
        `${stem}${r + 1}`,
        W.map((w, row) => w * factor(row, r)),
      ),
    )

  it.each([
    ['repwt', 'brr', (row: number, r: number) => ((row + r) % 2 === 0 ? 2 : 0), 'they are the weight times 0 and 2'],
    [
      'rw_',
      'fay, rho: 0.5',
      (row: number, r: number) => ((row + r) % 2 === 0 ? 1.5 : 0.5),
      'they are the weight times 0.5 and 1.5',
    ],
    [
      'RepW',
      'jackknife',
      (row: number, r: number) => (row === r ? 0 : 8 / 7),
      'they are the weight times 0 and 1.1429',
    ],
    [
      'bsw',
      'brr',
      (row: number, r: number) => (row + 2 * r) % 5,
      'the type may be brr, fay, jackknife or bootstrap: the survey’s documentation says which',
    ],
  ] as const)(
    'include replicate weights named %s1 and so on, with the type %s that their values show',
    (stem, type, factor, why) => {
      const found = proposed([numbers('weight', W), ...replicates(stem, factor)])
      expect(found.map(({ yaml }) => yaml)).toEqual([
        'weight: weight',
        `design: { replicate_weights: { columns: "${stem}*", type: ${type} } }`,
      ])
      expect(found[1]!.reason).toBe(`8 replicate weights by their names; ${why}`)
    },
  )

  it('take no replicate for the weight, and propose none without a weight', () => {
    expect(lines(replicates('rep_wt', (row, r) => ((row + r) % 2 === 0 ? 2 : 0)))).toEqual([])
  })

  it('include codes that lie beyond a scale', () => {
    const columns = [
      numbers('q1', [1, 2, 3, 4, 5, 98, 99]),
      numbers('age', [18, 64, 91, 97, 99]),
      numbers('children', [0, 1, 2, -9]),
      numbers('year', [1998, 1999, 2024]),
      numbers('price', [1.5, 2.5, 99]),
      numbers('cold or warm', [-3, -2, -1, 0, 1, 2, 3]),
    ]
    expect(proposed(columns)).toEqual([
      {
        yaml: 'missing: { q1: [98, 99], children: [-9] }',
        reason: 'codes that seem to mean no answer: far from the other numbers',
      },
    ])
  })

  it('include the few texts of a column of numbers, and answers off a scale', () => {
    const orders = new Map([['often', { levels: ['never', 'often'], apart: ['NS/NC'] }]])
    const columns = [
      texts('hours', ['1', '2', '3', '4', 'refused']),
      texts('often', ['never', 'often', 'NS/NC']),
      texts('town', ['a', 'b', '3']),
    ]
    expect(proposed(columns, { orders })[0]?.yaml).toBe('missing: { hours: [refused], often: [NS/NC] }')
  })

  it('include answers whose words say that there is none, and no other answer', () => {
    const columns = [
      texts('party', ['Left', 'Right', 'NS/NC', 'NR']),
      texts('partei', ['Links', 'Rechts', 'k. A.']),
      texts('parti', ['Gauche', 'Droite', 'NSP']),
      texts('bank', ['A', 'B', 'None of these', 'Other', 'Autre']),
      texts('only', ['NR', 'x']),
    ]
    expect(proposed(columns)).toEqual([
      {
        yaml: 'missing: { party: [NR, NS/NC], partei: [k. A.], parti: [NSP] }',
        reason: 'codes that seem to mean no answer: by their words',
      },
    ])
  })

  it('include dashes and points among words, and none that may be answers', () => {
    const columns = [
      texts('region', ['North', 'South', '-']),
      texts('town', ['Rome', 'Pisa', '.']),
      texts('effect', ['-', '+', '++']),
      texts('member', ['yes', '-']),
      texts('blood', ['A', 'B', '-']),
    ]
    expect(proposed(columns)).toEqual([
      {
        yaml: 'missing: { region: ["-"], town: ["."] }',
        reason: 'codes that seem to mean no answer: dashes and points among words',
      },
    ])
    const all = ['q1', 'q2', 'q3'].map((name) => texts(name, ['North', 'South', '\u2013']))
    expect(lines(all)).toEqual(['missing: { "*": ["\u2013"] }'])
  })

  it('include a word for no answer once where several columns have it', () => {
    const columns = ['a', 'b', 'c'].map((name) => texts(name, ['Yes', 'No', 'NS/NC']))
    const scale = numbers('d', [1, 2, 3, 99])
    expect(lines([...columns, scale])).toEqual(['missing: { "*": [NS/NC], d: [99] }'])
    expect(lines(columns.slice(1))).toEqual(['missing: { b: [NS/NC], c: [NS/NC] }'])
  })

  it('include a word for no answer to a question whose text is the name of its column', () => {
    const question = 'How likely are you to book a room with us again within the next year?'
    const columns = [texts(question, ['Likely', 'Unlikely', 'NR']), texts('hall', ['Yes', 'No', 'k. A.'])]
    expect(lines(columns).filter((line) => line.startsWith('missing'))).toEqual([
      'missing: { "*": [NR], hall: [k. A.] }',
    ])
  })

  it('include short names for questions', () => {
    const columns = [
      'How satisfied are you with the price of our breakfast?',
      'How satisfied are you with the price of our rooms and suites?',
      'Q12. Would you recommend us to a friend or a colleague?',
      'rooms.suites',
      'a name of few characters, and short',
      'one_long_name_without_any_blank_that_a_program_made',
      'Wie wahrscheinlich ist es, dass Sie im nächsten Jahr wiederkommen?',
      'あなたの性別を教えてください。',
      'お住まいの地域の公共交通機関について、どの程度満足していますか。',
      'Q3．您是否同意以下说法：本市的公共交通十分便利，能够满足您日常出行的需要？',
    ].map((name) => texts(name, ['a', 'b']))
    expect(proposed(columns)).toEqual([
      {
        yaml: `columns: { ${[
          'satisfied.price.breakfast: "How satisfied are you with the price of our breakfast?"',
          'satisfied.rooms.suites: "How satisfied are you with the price of our rooms and suites?"',
          'Q12: "Q12. Would you recommend us to a friend or a colleague?"',
          'wahrscheinlich.nächsten.wiederkommen: "Wie wahrscheinlich ist es, dass Sie im nächsten Jahr wiederkommen?"',
          '地域.機関.程度: "お住まいの地域の公共交通機関について、どの程度満足していますか。"',
          'Q3: "Q3．您是否同意以下说法：本市的公共交通十分便利，能够满足您日常出行的需要？"',
        ].join(', ')} }`,
        reason: 'short names for questions; their texts become labels, and all other lines have to use these names',
      },
    ])
  })

  it('include the scales that the service found, if they cover all values', () => {
    const orders = new Map([
      ['often', { levels: ['never', 'no', 'always'], apart: [] }],
      ['half', { levels: ['low', 'high'], apart: [] }],
    ])
    const columns = [texts('often', ['always', 'never', 'no']), texts('half', ['high', 'low', 'mid'])]
    expect(lines(columns, { orders })).toEqual(['levels: { often: [never, "no", always] }'])
  })

  it('include identifiers, and header rows that the reader noted', () => {
    const note = 'Row 2 looks like a second header; `header_rows: 2` in the study says so.'
    expect(lines([texts('a', ['x'])], { identifiers: ['resp id', 'e-mail: x'] }, [note])).toEqual([
      'header_rows: 2',
      'drop: [resp id, "e-mail: x"]',
    ])
  })

  it('keep the study valid when they stand in it as comments, whatever the names', () => {
    const columns = [
      numbers('a\u2028}: #"', [1, 2, 3, 99]),
      numbers('\u001b[31m', [1, 2, 99]),
      texts('x', ['1', '2', '3', '4', ' #']),
    ]
    const declarations = proposed(columns)
    expect(declarations).toHaveLength(1)
    const data = { file: 'a.csv', displayName: null, columns: [], rows: 100, declarations }
    const text = starterStudy({ name: 'panel', dataset: 'panel', schemaPath: './s.json', data })
    expect(text).toContain('    # missing: { "a\\u2028}: #\\"": [99], x: [" #"] }')
    expect(loadStudy(text, { filename: 'panel.study.yaml' }).diagnostics).toEqual([])
  })

  it('name the sheet that was chosen among others, unless it is named already', async () => {
    const rows = [['town', 'n'], ...Array.from({ length: 9 }, (_, i) => [i % 2 === 0 ? 'Gent' : 'Brugge', i % 4])]
    const sheets = [
      { name: 'Answers # 2024', rows },
      { name: 'Line\nend', rows },
    ]
    const path = folder.write('book.xlsx', await writeXlsx({ sheets }))
    expect(await proposeForFile(path, NOTHING)).toEqual([
      {
        yaml: 'sheet: "Answers # 2024"',
        reason: 'the sheet that was read; the workbook has another sheet: "Line\\nend"',
      },
    ])
    expect(await proposeForFile(path, NOTHING, { sheet: 'Line\nend' })).toEqual([])
    const alone = folder.write('one.xlsx', await writeXlsx({ sheets: [{ name: 'Answers', rows }] }))
    expect(await proposeForFile(alone, NOTHING)).toEqual([])
  })

  it('are empty for a file that cannot be read', async () => {
    expect(await proposeForFile(folder.write('a.csv', 'a\n'), NOTHING)).toEqual([])
  })
})

const BAROMETER = resolve(import.meta.dirname, '../../../shared/data/surveys/barometer_ceo.sav')

describe.skipIf(!existsSync(BAROMETER))('the proposals for a survey as its institute publishes it', () => {
  it('include codes that no label describes as no answer', async () => {
    const [first, ...rest] = await proposeForFile(BAROMETER, NOTHING)
    expect(rest).toEqual([])
    expect(first?.yaml).toBe(
      'missing: { "*": [No contesta, No ho sap, No ho recorda, NS/NC], P16_LITERALS: [no sabe], P31: [99], P37: [99], P40_LITERALS: ["40% NO CONTESTA"] }',
    )
    expect(first?.reason).toContain('far from the other numbers')
  })
})
