import { describe, expect, it } from 'vitest'
import type { Declarations } from '../../../src/study/declarations.ts'
import { declarationsDigest, sentDeclarations } from '../../../src/study/hashing/declarations-value.ts'
import { datasetFingerprint } from '../../../src/study/hashing/fingerprint.ts'
import { loadStudy } from '../../../src/study/load/load-study.ts'

const FILE_SHA256 = 'c397ba6da5225cdbff0d80df1c869c1f943336ad8c25770d61f097ff4fba39af'

function declared(fields: string): Declarations | undefined {
  const text = `version: 1\nname: a\ndatasets:\n  panel:\n    file: p.csv\n${fields}\ndefaults: { rows: 1, seed: 1 }\nscenarios: { a: {} }\n`
  const { study, diagnostics } = loadStudy(text, { filename: 'a.study.yaml' })
  if (study === null) throw new Error(diagnostics.map(({ summary }) => summary).join('\n'))
  const source = study.datasets.get('panel')!
  return source.kind === 'file' ? source.declarations : undefined
}

const print = (fields: string) =>
  datasetFingerprint({ fileSha256: FILE_SHA256, autoClean: true, declarations: declared(fields) })

const ALL = `    weight: pondera
    drop: [respondent_no, interviewer]
    missing: { age: [98, 99], "*": ["NS/NR", "-"] }
    types: { year: categorical, satisfaction: ordinal, zip: text }
    levels: { satisfaction: [never, sometimes, often, always] }
    bands: { age.band: { of: age, at: [18, 30, 45, 65] } }
    header_rows: 2
    encoding: windows-1251
    dates: { visited: DD/MM/YYYY }`

describe('a dataset without declarations', () => {
  it('has no declarations, and its earlier fingerprint', () => {
    expect(declared('    description: nothing')).toBe(undefined)
    expect(declarationsDigest(undefined)).toBe(null)
    // A promise of the study language, section 9.
    expect(print('')).toBe('32a9434aebd5a8e08c0a69f67167e43722d4ba5ac66b9340f7a07e36e4c71a0e')
  })
})

describe('declarations', () => {
  it('are read as they are written', () => {
    expect(declared(ALL)).toEqual({
      weight: 'pondera',
      drop: ['respondent_no', 'interviewer'],
      missing: { age: [98, 99], '*': ['NS/NR', '-'] },
      types: { year: 'categorical', satisfaction: 'ordinal', zip: 'text' },
      levels: { satisfaction: ['never', 'sometimes', 'often', 'always'] },
      bands: { 'age.band': { of: 'age', at: [18, 30, 45, 65] } },
      headerRows: 2,
      encoding: 'windows-1251',
      dates: { visited: 'DD/MM/YYYY' },
    })
  })

  it('of names and words are read as written, and are part of the fingerprint', () => {
    const both =
      '    columns: { intent: How likely?, __proto__: a }\n    recode: { intent: { 1: low, "no": 2 }, __proto__: { __proto__: x } }'
    expect(declared(both)).toEqual({
      columns: Object.fromEntries([
        ['intent', 'How likely?'],
        ['__proto__', 'a'],
      ]),
      recode: Object.fromEntries<unknown>([
        ['intent', { 1: 'low', no: '2' }],
        ['__proto__', Object.fromEntries([['__proto__', 'x']])],
      ]),
    })
    const others = [
      '    columns: { intent: How likely? }',
      '    columns: { intent: How likely }',
      '    recode: { intent: { 1: low } }',
      '    recode: { intent: { 1: high } }',
      '    recode: { other: { 1: low } }',
    ]
    expect(new Set(['', both, ...others].map(print)).size).toBe(others.length + 2)
    expect(print('    recode: { a: { 1: x, 2: y } }')).toBe(print('    recode: { a: { 2: y, 1: x } }'))
  })

  it('of marks and separators are read for the file or for columns, and are part of the fingerprint', () => {
    expect(declared('    decimal: ","')).toEqual({ decimal: ',' })
    const byColumn = '    decimal: { __proto__: "," }\n    multiple: { brands: "; " }\n    fill_down: [area]'
    expect(declared(byColumn)).toEqual({
      decimal: Object.fromEntries([['__proto__', ',']]),
      multiple: { brands: '; ' },
      fillDown: ['area'],
    })
    const other = byColumn.replace('[area]', '[country]')
    const prints = ['', '    decimal: ","', '    decimal: "."', byColumn, other].map(print)
    expect(new Set(prints).size).toBe(prints.length)
  })

  it('keep names and codes as they are written, even those that YAML would convert', () => {
    const { levels, missing } = declared(
      '    levels: { mood: [01, true, ~, no] }\n    missing: { __proto__: ["098", 98] }',
    )!
    expect(levels).toEqual({ mood: ['01', 'true', '~', 'no'] })
    expect(Object.entries(missing!)).toEqual([['__proto__', ['098', 98]]])
  })

  it('are part of the fingerprint', () => {
    // A promise: a change of it makes people train their models again.
    expect(print(ALL)).toMatchInlineSnapshot(`"27ba94db5b53ff8300bb7cebf7f2e46f83ca9cbed3444b7c4b21985b30e455d6"`)
    expect(declarationsDigest(declared(ALL))).toMatchInlineSnapshot(
      `"9fce93a98cb3a9338644db2bc0c6b8e69c2a43a6e6f6112be35c900e6bfefcca"`,
    )
  })

  it.each([
    ['drop: [b, a]', 'drop: [a, b]'],
    ['missing: { "*": [x], age: [9, 8] }', 'missing: { age: [8, 9.0], "*": ["x"] }'],
    ['encoding: latin1', 'encoding: Windows-1252'],
    ['bands: { b: { of: age, at: [18.0] } }', 'bands: { b: { of: "age", at: [18] } }'],
  ])('%s and %s mean the same', (a, b) => {
    expect(print(`    ${a}`)).toBe(print(`    ${b}`))
  })

  it('name a sheet as it is written, which is a part of the fingerprint', () => {
    expect(declared('    sheet: 2024')).toEqual({ sheet: '2024' })
    expect(declared('    sheet: "Wave 2"')).toEqual({ sheet: 'Wave 2' })
    const sheets = ['', '    sheet: 2024', '    sheet: "2024.0"', '    sheet: wave']
    expect(new Set(sheets.map(print)).size).toBe(4)
  })

  it('differ if any part of them differs', () => {
    const others = [
      ['weight: pondera', 'weight: w'],
      ['interviewer]', 'interviewer, x]'],
      ['99]', '"99"]'],
      ['zip: text', 'zip: categorical'],
      ['sometimes, often', 'often, sometimes'],
      ['45, 65', '45, 66'],
      ['header_rows: 2', 'header_rows: 1'],
      ['1251', '1252'],
      ['DD/MM', 'MM/DD'],
    ].map(([from, to]) => ALL.replace(from!, to!))
    expect(new Set([ALL, '', ...others].map(print)).size).toBe(others.length + 2)
  })
})

describe('a survey design', () => {
  const STRATIFIED = '    design: { strata: region, clusters: psu, weight: pondera }'

  it('is read as it is written, and its weight as that of the dataset', () => {
    expect(declared(STRATIFIED)).toEqual({ weight: 'pondera', design: { strata: 'region', clusters: 'psu' } })
    expect(declared('    design: { clusters: 01 }')).toEqual({ design: { clusters: '01' } })
    const replicated = 'columns: "rw*", type: fay, rho: 0.5, scale: 0.25, rscales: [1, -0.0]'
    expect(declared(`    weight: w\n    design: { replicate_weights: { ${replicated} } }`)).toEqual({
      weight: 'w',
      design: { replicateWeights: { columns: 'rw*', type: 'fay', rho: 0.5, scale: 0.25, rscales: [1, 0] } },
    })
  })

  it('means the same wherever its weight is written', () => {
    const beside = '    weight: pondera\n    design: { clusters: psu, strata: region }'
    expect(print(beside)).toBe(print(STRATIFIED))
    expect(declarationsDigest(declared(beside))).toBe(declarationsDigest(declared(STRATIFIED)))
  })

  it('is part of the fingerprint, each part of it', () => {
    const replicates = 'columns: "rw*", type: fay, rho: 0.5, scale: 0.25, rscales: [1, 2]'
    const texts = [
      '    weight: pondera',
      STRATIFIED,
      STRATIFIED.replace('region', 'area'),
      STRATIFIED.replace('psu', 'town'),
      STRATIFIED.replace('strata: region, ', ''),
      ...[
        replicates,
        replicates.replace('rw', 'r'),
        replicates.replace('0.25', '0.5'),
        replicates.replace('rho: 0.5', 'rho: 0.3'),
        replicates.replace('[1, 2]', '[2, 1]'),
        'columns: "rw*", type: brr',
        'columns: "rw*", type: jackknife',
      ].map((fields) => `    weight: pondera\n    design: { replicate_weights: { ${fields} } }`),
    ]
    expect(new Set(texts.map(print)).size).toBe(texts.length)
  })

  it('is sent as JSON with sorted keys; without one nothing is sent', () => {
    expect(sentDeclarations(declared(STRATIFIED))).toEqual({
      weightColumn: 'pondera',
      design: '{"clusters":"psu","strata":"region"}',
    })
    expect(
      sentDeclarations(declared('    weight: w\n    design: { replicate_weights: { columns: "rw*", type: brr } }')),
    ).toEqual({
      weightColumn: 'w',
      design: '{"replicate_weights":{"columns":"rw*","type":"brr"}}',
    })
    for (const none of [undefined, null, declared('    drop: [a]')]) {
      expect(sentDeclarations(none)).toEqual({ weightColumn: undefined, design: undefined })
    }
  })
})
