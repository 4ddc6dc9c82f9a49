import { describe, expect, test } from 'vitest'
import { DIAGNOSTIC_CATALOGUE, type DiagnosticCode } from '../../src/study/diagnostics/catalogue.ts'
import { diagnosticsOf, readBooks, render } from './case-book.ts'

/** Cases that a text file cannot hold safely. */
const UNPRINTABLE = [
  {
    name: 'a control character is refused and shown escaped',
    yaml: 'version: 1\nname: te\u0007st\u001B[31m\n',
    says: [
      'error S1014 control character U+0007 is not allowed',
      '  x.study.yaml:2:9',
      '    2 | name: te\\x07st\\x1b[31m',
      '                ^^^^',
      'error S1014 control character U+001B is not allowed',
      '  x.study.yaml:2:12',
      '    2 | name: te\\x07st\\x1b[31m',
      '                      ^^^^',
    ],
  },
  {
    name: 'names that differ only in their Unicode form are pointed out',
    yaml: [
      'version: 1',
      'name: test',
      'datasets: { panel: { file: panel.csv } }',
      'scenarios:',
      '  base: { rows: 1, seed: 1, shares: { caf\u00E9: { a: 1 }, cafe\u0301: { a: 1 } } }',
    ].join('\n'),
    says: [
      'warning W3102 "cafe\u0301" is written twice with different Unicode characters that look the same',
      '  x.study.yaml:5:55',
      '    5 |   base: { rows: 1, seed: 1, shares: { caf\u00E9: { a: 1 }, cafe\u0301: { a: 1 } } }',
      '                                                              ^^^^',
      '  only one of them can be the name in the data',
      '  x.study.yaml:5:39 the other one',
      '    5 |   base: { rows: 1, seed: 1, shares: { caf\u00E9: { a: 1 }, cafe\u0301: { a: 1 } } }',
      '                                              ^^^^',
    ],
  },
  {
    name: 'a file of more than 1 MiB is refused before it is parsed',
    yaml: `version: 1\n# ${'x'.repeat(1024 * 1024)}\n`,
    says: [
      'error S1007 the file has more than the 1048576 bytes that a study may have',
      '  x.study.yaml:1:1',
      '    1 | version: 1',
      '        ^',
      '  describe scenarios by a matrix, or divide them among several studies',
    ],
  },
  {
    name: 'brackets without end are refused',
    yaml: `version: 1\nx: ${'['.repeat(20_000)}\n`,
    says: ['error S1008 nested more than 64 levels deep', '  x.study.yaml:1:1', '    1 | version: 1', '        ^'],
  },
]

/** Reported about a plan; `foresee-models.test.ts` and `dense-rows.test.ts` in `test/runner/plan` show them. */
const OF_PLANS = ['N4401', 'W4402', 'N4403', 'N4404']

/**
 * Reported about files beside the study; `margins.test.ts` in `test/local`; `outcomes.test.ts` (seed files), `declared-data.long.test.ts` and `lock.test.ts` in
 * `test/runner`, and `copied-study.long.test.ts` in `test/cli`, show them.
 */
const OF_FILES = [
  'S1304',
  'S1305',
  'S1306',
  'S1308',
  'S1310',
  'S1311',
  'S1312',
  'S1320',
  'S2301',
  'S2302',
  'S2303',
  'W2304',
  'W2305',
  'N2306',
  'S3005',
  'W3103',
]

/** Reported when a study is compared with a git revision; `compare-budget.test.ts` in `test/cli/steps` shows them. */
const OF_REVISIONS = ['W4501', 'N4502']

/** Reported about result files; `exported-results.test.ts` in `test/runner` shows it. */
const OF_RESULTS = ['N2111', 'N2112']

/** Bounds, changes, cells, means, margins, nets, scores, differences, bases, filters, quantiles, sweeps. */
const NEW_WORDS = '11-richer-questions.txt'

describe('diagnostics', () => {
  test('have the place and what helps in 40 mistakes in the words of richer questions', () => {
    const mistakes = readBooks().filter(({ book }) => book === NEW_WORDS)
    expect(mistakes.length).toBeGreaterThanOrEqual(40)
    for (const { says } of mistakes) {
      expect(says).toMatch(/^error S\d{4} .+\n {2}x\.study\.yaml:\d+:\d+\n/)
      // Below the underlined line: what was expected, the nearest name, or the place that contradicts.
      expect(says).toMatch(/^ +\^+\n {2}\S/m)
    }
  })

  test.each(readBooks())('$book: $name', ({ says, ...found }) => {
    expect(render(found.yaml, diagnosticsOf(found))).toBe(says)
  })

  test.each(UNPRINTABLE)('$name', ({ yaml, says }) => {
    expect(render(yaml, diagnosticsOf({ yaml, schema: null, lock: null }))).toBe(`${says.join('\n')}\n`)
  })

  test('have a case for every code of the catalogue, and no other codes', () => {
    const cases = [...readBooks(), ...UNPRINTABLE.map((c) => ({ ...c, schema: null, lock: null }))]
    const shown = new Set(cases.flatMap((c) => diagnosticsOf(c).map((d) => d.code)))
    expect([...shown, ...OF_FILES, ...OF_PLANS, ...OF_RESULTS, ...OF_REVISIONS].sort()).toEqual(
      Object.keys(DIAGNOSTIC_CATALOGUE).sort(),
    )
  })

  test.each(Object.keys(DIAGNOSTIC_CATALOGUE) as DiagnosticCode[])('have a paragraph that explains %s', (code) => {
    const { severity, title, explanation } = DIAGNOSTIC_CATALOGUE[code]
    expect(code.charAt(0)).toBe({ error: 'S', warning: 'W', note: 'N' }[severity])
    expect(title).toMatch(/^[^.\n]{5,60}$/)
    expect(explanation).toMatch(/^[^\n]{40,}\.$/)
  })
})
