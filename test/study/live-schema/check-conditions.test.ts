import { describe, expect, test } from 'vitest'
import { renderDiagnostics } from '../../../src/study/diagnostics/render-diagnostic.ts'
import { checkConditions } from '../../../src/study/live-schema/check-conditions.ts'
import type { CleanedColumn, CleanedSchema } from '../../../src/study/live-schema/cleaned-schema.ts'
import { loadStudy } from '../../../src/study/load/load-study.ts'
import type { Study } from '../../../src/study/study.ts'
import { MATRIX } from '../study-texts.ts'

/** The texts are in `diagnostics/8-live-schema.txt`; here is what they do not show. */

function schema(...columns: CleanedColumn[]): CleanedSchema {
  return { columns, dropped: [], renamed: [], schemaLabel: 'live (panel)' }
}

function load(text: string): Study {
  return loadStudy(text, { filename: 'x' }).study!
}

function study(conditions: string): Study {
  return load(
    `version: 1\nname: a\ndatasets: { panel: { file: x } }\nscenarios: { a: { rows: 1, seed: 1, ${conditions} } }\n`,
  )
}

const REGION: CleanedColumn = { name: 'region', kind: 'categorical', levels: ['North', 'South'], missingShare: 0 }

describe('the check against the cleaned schema', () => {
  test('passes a study whose conditions fit', () => {
    const fitting = schema(
      { name: 'region', kind: 'categorical', levels: ['North', 'South'] },
      { name: 'purchase.intent', kind: 'categorical', levels: ['Yes', 'No'] },
      { name: 'age', kind: 'numeric', min: 18, max: 90 },
    )
    expect(checkConditions(load(MATRIX), 'panel', fitting).map((d) => d.severity)).not.toContain('error')
  })

  test('reports a place once, even if many scenarios share it', () => {
    const diagnostics = checkConditions(load(MATRIX), 'panel', schema())
    expect(diagnostics.map((d) => [d.code, d.range?.start.line, d.detail.split('\n').at(-1)])).toEqual([
      ['S2102', 24, 'in 6 scenarios: switch--north--high, switch--north--low, switch--north--mid and 3 more'],
      ['S2102', 29, 'in 3 scenarios: switch--north--high, switch--north--low, switch--north--mid'],
      ['S2102', 30, 'in 2 scenarios: switch--south--low, switch--south--mid'],
      ['S2102', 32, 'in 5 scenarios: switch--north--high, switch--north--low, switch--north--mid and 2 more'],
      ['S2102', 44, 'in scenario switch--stress'],
      ['S2102', 45, 'in scenario switch--stress'],
    ])
  })

  test('names the sheet of an unknown column where the workbook has others', () => {
    const asked = study('shares: { sector: { A: 1 } }')
    const sheetLines = (others: readonly string[], othersOmitted: number) =>
      checkConditions(asked, 'panel', { ...schema(REGION), sheet: { name: 'Data', others, othersOmitted } })[0]!
        .detail.split('\n')
        .filter((line) => line.startsWith('sheet'))
    expect(sheetLines(['Codes', 'Old'], 3)).toEqual([
      'sheet: "Data" was read; the workbook also has Codes, Old and 3 more ("sheet: NAME" in the dataset chooses)',
    ])
    expect(sheetLines([], 0)).toEqual([])
  })

  test('names the columns into which a header was split', () => {
    const options = ['Tea', 'Coffee', 'Water', 'Juice'].map((option): CleanedColumn => {
      return { name: `drinks.${option}`, kind: 'categorical', levels: ['0', '1'], sourceName: 'drinks' }
    })
    const [fault, ...more] = checkConditions(study('shares: { drinks: { Tea: 1 } }'), 'panel', schema(...options))
    expect(more).toEqual([])
    expect(fault).toMatchObject({ code: 'S2102', suggestions: ['drinks.Tea', 'drinks.Coffee', 'drinks.Water'] })
    expect(fault!.detail).toContain(
      '(cleaning split it into several columns: drinks.Tea, drinks.Coffee, drinks.Water, drinks.Juice)',
    )
  })

  test('covers only scenarios of the dataset', () => {
    const two = load(
      'version: 1\nname: a\ndatasets: { p: { file: x }, q: { file: y } }\ndefaults: { rows: 1, seed: 1, shares: { region: { North: 1 } } }\nscenarios: { a: { dataset: p }, b: { dataset: q } }\n',
    )
    expect(checkConditions(two, 'p', schema()).map((d) => d.detail)).toEqual([
      'columns: \nschema: live (panel)\nin scenario a',
    ])
  })

  test('cuts long lists of levels and escapes their names', () => {
    const levels = [
      'evil\nerror S0000 forged',
      '\u001B[31mred',
      ...Array.from({ length: 5000 }, (_, i) => `level ${i}`),
    ]
    const found = checkConditions(study('shares: { region: { Nowhere: 1 } }'), 'panel', schema({ ...REGION, levels }))
    const text = renderDiagnostics(found, { sources: new Map(), color: false })
    expect(text.split('\n')).toEqual([
      'error S2103 unknown level "Nowhere" in column "region"',
      '  x:4:57',
      '  retained levels: evil\\nerror S0000 forged, \\x1b[31mred, level 0, level 1, level 2, level 3, level 4, level 5 and 4994 more',
      '  schema: live (panel)',
    ])
  })

  test('says when a name differs in its Unicode form only', () => {
    const found = checkConditions(
      study('shares: { "cafe\u0301": { x: 0.5 } }'),
      'panel',
      schema({ name: 'caf\u00E9', kind: 'categorical', levels: ['x', 'y'] }),
    )
    expect(found[0]).toMatchObject({ code: 'S2102', suggestions: ['caf\u00E9'] })
    expect(found[0]?.detail).toContain('another Unicode form')
  })

  test.each<[string, string, CleanedColumn, string[]]>([
    ['shares of a column of unknown kind', 'shares: { region: { X: 0.5 } }', { name: 'region', kind: 'unknown' }, []],
    [
      'a range of a column of unknown kind',
      'ranges: { age: { min: 1, max: 2 } }',
      { name: 'age', kind: 'unknown' },
      [],
    ],
    ['a range without trained bounds', 'ranges: { age: { min: 1, max: 2 } }', { name: 'age', kind: 'numeric' }, []],
    [
      'a range that equals the trained one',
      'ranges: { age: { min: 1, max: 2 } }',
      { name: 'age', kind: 'numeric', min: 1, max: 2 },
      [],
    ],
    [
      'a range that touches the trained one',
      'ranges: { age: { min: 2, max: 3 } }',
      { name: 'age', kind: 'numeric', min: 1, max: 2 },
      ['W2108'],
    ],
    [
      'a range below a lower bound alone',
      'ranges: { age: { min: 2, max: 3 } }',
      { name: 'age', kind: 'numeric', min: 4 },
      ['S2107'],
    ],
    ['all levels with a sum of 1', 'shares: { region: { North: 0.3, South: 0.7 } }', REGION, []],
    ['all levels with a sum within 1e-9 of 1', 'shares: { region: { North: 0.3, South: 0.6999999999 } }', REGION, []],
    ['all levels with a rest', 'shares: { region: { North: 0.3, South: 0.6 } }', REGION, ['S2106']],
    [
      'all levels with a rest and unknown missing values',
      'shares: { region: { North: 0.3, South: 0.6 } }',
      { name: 'region', kind: 'categorical', levels: ['North', 'South'] },
      ['S2106'],
    ],
    [
      'all levels with a rest and missing values',
      'shares: { region: { North: 0.3, South: 0.6 } }',
      { ...REGION, missingShare: 0.01 },
      ['N2109'],
    ],
    ['a rest for one level, which is certain', 'shares: { region: { North: 0.3 } }', REGION, []],
    [
      'a remainder for one level, if missing values are unknown',
      'shares: { region: { North: 0.3 } }',
      { ...REGION, missingShare: 'unknown' as const },
      [],
    ],
    [
      'a rest for one level and missing values',
      'shares: { region: { North: 0.3 } }',
      { ...REGION, missingShare: 0.01 },
      ['N2109'],
    ],
    ['nothing for one level', 'shares: { region: { North: 1 } }', REGION, ['N2110']],
  ])('answers %s', (_, conditions, column, codes) => {
    expect(checkConditions(study(conditions), 'panel', schema(column)).map((d) => d.code)).toEqual(codes)
  })

  test('finds the header of a column even if only the column itself states it', () => {
    const columns = schema({ name: 'purchase.intent', kind: 'categorical', levels: ['a'], sourceName: 'Kaufabsicht' })
    expect(checkConditions(study('shares: { Kaufabsicht: { a: 0.5 } }'), 'panel', columns)[0]).toMatchObject({
      code: 'S2102',
      suggestions: ['purchase.intent'],
    })
    expect(checkConditions(study('shares: { Kaufabsich: { a: 0.5 } }'), 'panel', columns)[0]).toMatchObject({
      suggestions: ['purchase.intent'],
      detail: '(cleaning renamed "Kaufabsicht")\nschema: live (panel)',
    })
  })

  test('mentions rare levels that became missing if a level is unknown and similar to no other', () => {
    const rare = { ...schema(REGION), rareLevels: [{ column: 'region', count: 3 }] }
    expect(checkConditions(study('shares: { region: { Atlantis: 0.5 } }'), 'panel', rare)[0]).toMatchObject({
      code: 'S2103',
      summary: 'unknown level "Atlantis" in column "region"',
      detail: expect.stringContaining('\n(cleaning made 3 rare levels of this column missing)\n'),
      suggestions: [],
    })
  })

  test('recognizes a dropped column by its header and by its cleaned name', () => {
    const dropped: CleanedSchema = {
      ...schema(),
      dropped: [{ name: 'post.code', reason: 'mostly_missing' }],
      renamed: [{ from: 'post_code', to: 'post.code' }],
    }
    for (const name of ['post.code', 'post_code']) {
      const [found] = checkConditions(study(`shares: { ${name}: { a: 0.5 } }`), 'panel', dropped)
      expect(found?.summary).toBe(`column "${name}" was dropped by cleaning: mostly missing`)
    }
  })
})
