import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { type CanonicalValue, canonicalFigures, canonicalJson } from '../../src/base/canonical-json.ts'
import { type BodySource, canonicalBody } from '../../src/study/hashing/canonical-body.ts'
import { scenarioFingerprint, studyDigest } from '../../src/study/hashing/fingerprint.ts'
import { loadStudy } from '../../src/study/load/load-study.ts'
import { MATRIX, MINIMAL } from './study-texts.ts'

const DATASET = '0'.repeat(64)
const NOWHERE = { filename: 'x', start: { line: 1, column: 1, offset: 0 }, end: { line: 1, column: 1, offset: 0 } }

describe('canonical JSON', () => {
  test('equals the example in RFC 8785, section 3.2.2', () => {
    const value = {
      numbers: [Number('333333333.33333329'), 1e30 / 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    }
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  test('sorts keys by UTF-16 code units, as in RFC 8785, section 3.2.3', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6']
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33']
    expect([...canonicalJson(new Map(keys.map((key) => [key, 0]))).matchAll(/"(.+?)":/g)].map((m) => m[1])).toEqual(
      sorted.map((key) => JSON.stringify(key).slice(1, -1)),
    )
  })

  test.each([
    [-0, '0'],
    [1.0, '1'],
    [0.7, '0.7'],
    [1e21 / 1e21, '1'],
    [1e-7, '1e-7'],
    [9007199254740991, '9007199254740991'],
  ])('writes %d as %s', (number, text) => {
    expect(canonicalJson(number)).toBe(text)
  })

  test.each([
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['an unsafe integer', 2 ** 53],
    ['a huge integer', 1e300],
    ['a lone surrogate', '\ud800'],
    ['a lone surrogate in a key', { '\udc00': 1 }],
  ])('refuses %s', (_, value) => {
    expect(() => canonicalJson(value as CanonicalValue)).toThrow(TypeError)
  })

  test('leaves out undefined members, and reads a Map as an object', () => {
    expect(canonicalJson({ b: undefined, a: new Map([['__proto__', [new Map()]]]) })).toBe('{"a":{"__proto__":[{}]}}')
  })

  test('has the same value in any JSON reader', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false } as object), (value) => {
        const hasUnsafe = JSON.stringify(value, (_, v) =>
          typeof v === 'number' && Number.isInteger(v) && !Number.isSafeInteger(v) ? 'unsafe' : v,
        ).includes('"unsafe"')
        fc.pre(!hasUnsafe && !/\p{Surrogate}/u.test(JSON.stringify(value)))
        expect(JSON.parse(canonicalJson(value as CanonicalValue))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

describe('canonical JSON of figures', () => {
  test('equals the form of requests wherever a request has a form', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        let sent: string
        try {
          sent = canonicalJson(value as CanonicalValue)
        } catch {
          return
        }
        expect(canonicalFigures(value as CanonicalValue)).toBe(sent)
      }),
    )
  })

  test.each([
    [2 ** 53, '9007199254740992'],
    [25025000000000000000, '25025000000000000000'],
    [1e300, '1e+300'],
    ['\ud800', '"\\ud800"'],
    [{ '\udc00': -0 }, '{"\\udc00":0}'],
  ])('has a form for %j, which gives the same value again', (value, text) => {
    expect(canonicalFigures(value)).toBe(text)
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
  })

  test.each([Number.NaN, Number.NEGATIVE_INFINITY])('refuses %d', (value) => {
    expect(() => canonicalFigures(value)).toThrow(TypeError)
  })
})

describe('the body of a request', () => {
  const AGE = { kind: 'range', column: 'age', min: -0, max: 1, place: NOWHERE } as const
  const SCENARIO: BodySource = { rows: 5, seed: 1, format: 'csv', conditions: [] }

  test('leaves out empty conditions', () => {
    expect(canonicalBody(SCENARIO)).toBe('{"output_format":"csv","row_count":5,"seed":1}')
    expect(canonicalBody({ ...SCENARIO, conditions: [AGE] })).toBe(
      '{"conditions":{"numeric":{"age":{"max":1,"min":0}}},"output_format":"csv","row_count":5,"seed":1}',
    )
  })

  test('needs the drawn seed of a random one, and then equals the form with that seed', () => {
    const random = { ...SCENARIO, seed: 'random' } as const
    expect(() => canonicalBody(random)).toThrow(TypeError)
    expect(() => scenarioFingerprint(DATASET, random)).toThrow(TypeError)
    expect(canonicalBody(random, 1)).toBe(canonicalBody(SCENARIO))
    expect(scenarioFingerprint(DATASET, random, 1)).toBe(scenarioFingerprint(DATASET, SCENARIO))
    expect(canonicalBody(SCENARIO, 99)).toBe(canonicalBody(SCENARIO))
  })
})

function fingerprints(text: string): [string, string][] {
  const { study, diagnostics } = loadStudy(text, { filename: 'x.study.yaml' })
  expect(diagnostics.filter((d) => d.severity === 'error')).toEqual([])
  return study!.scenarios.map((s): [string, string] => [s.id, scenarioFingerprint(DATASET, s)]).sort()
}

/** Changes and which of the seven scenarios of section 4.3 get another fingerprint by it. */
const EDITS = [
  { edit: 'the description', from: 'How far does', to: 'By how much does', changed: 0 },
  { edit: 'tags', from: '[q4, switching]', to: '[q1]', changed: 0 },
  { edit: 'the display name', from: 'Panel 2026 Q3', to: 'Panel', changed: 0 },
  { edit: 'the name of the study', from: 'name: brand-switching', to: 'name: other', changed: 0 },
  { edit: 'the baseline', from: 'baseline: status-quo', to: 'baseline: switch--stress', changed: 0 },
  { edit: 'gates', from: '  seed: 20261120\n', to: '  seed: 20261120\n  warn: { fill: { min: 1 } }\n', changed: 0 },
  { edit: 'one share', from: 'high: 0.50', to: 'high: 0.55', changed: 1 },
  { edit: 'a range of the group', from: 'max: 65', to: 'max: 66', changed: 6 },
  {
    edit: 'the format of one',
    from: '            rows: 500',
    to: '            format: csv\n            rows: 500',
    changed: 1,
  },
  { edit: 'the seed', from: 'seed: 20261120', to: 'seed: 20261121', changed: 7 },
]

describe('fingerprints', () => {
  test.each(EDITS)('of $changed scenarios change with $edit', ({ from, to, changed }) => {
    expect(MATRIX).toContain(from)
    const before = new Map(fingerprints(MATRIX))
    const after = fingerprints(MATRIX.replace(from, to))
    expect(after.filter(([id, fingerprint]) => before.get(id) !== fingerprint).length).toBe(changed)
  })

  test('stay when a group is renamed, though the names of its scenarios change', () => {
    const renamed = fingerprints(MATRIX.replace('  switch:', '  change:'))
    expect(renamed.map(([, fingerprint]) => fingerprint).sort()).toEqual(
      fingerprints(MATRIX)
        .map(([, fingerprint]) => fingerprint)
        .sort(),
    )
    expect(renamed.map(([id]) => id)).toContain('change--north--low')
  })

  test('do not depend on how a share is spelled', () => {
    const expected = fingerprints(MINIMAL)
    for (const spelling of ['.7', '0.7', '0.700', '7e-1', '7.0E-1', '70e-2', '+0.7', '00.7']) {
      expect(fingerprints(MINIMAL.replace('0.70', spelling)), spelling).toEqual(expected)
    }
  })

  test('do not depend on the order of keys, quotes, style, line ends, byte order mark or anchors', () => {
    const name = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 8 })
      .filter((n) => !/[\p{Control}\uFFFE\uFFFF]/u.test(n))
    const columns = fc.dictionary(
      name,
      fc.dictionary(name, fc.double({ min: 0, max: 0.1, noNaN: true }), { minKeys: 1, maxKeys: 4 }),
      { maxKeys: 4, noNullPrototype: false },
    )
    const style = fc.record({
      defaultKeyType: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE'),
      collectionStyle: fc.constantFrom('block', 'flow'),
      indent: fc.integer({ min: 1, max: 6 }),
      lineWidth: fc.constant(0),
    })
    fc.assert(
      fc.property(columns, style, style, fc.boolean(), fc.boolean(), (shares, one, other, crlf, mark) => {
        const scenario = { rows: 1000, seed: 1, shares }
        const study = (base: unknown) => ({
          version: 1,
          name: 'x',
          datasets: { p: { file: 'x.csv' } },
          scenarios: base,
        })
        const plain = stringify(study({ base: scenario }), one as object)
        // The second scenario is an alias of the first, so both must come out alike.
        const shuffled = stringify(reversed(study({ base: scenario, twin: scenario })), other as object)
        const respelled = `${mark ? '\uFEFF' : ''}${crlf ? shuffled.replaceAll('\n', '\r\n') : shuffled}`
        const [[, expected]] = fingerprints(plain) as [[string, string]]
        expect(fingerprints(respelled).map(([, fingerprint]) => fingerprint)).toEqual([expected, expected])
      }),
      { numRuns: 150 },
    )
  })
})

describe('the digest of a study', () => {
  const digest = (text: string) => studyDigest(loadStudy(text, { filename: 'x' }).study!, new Map([['panel', DATASET]]))

  test.each([
    ['a gate', '  seed: 20261120', '  seed: 20261120\n  expect: { fill: { min: 0.5 } }'],
    ['a partial policy', '  seed: 20261120', '  seed: 20261120\n  partial: warn'],
    ['the budget', 'baseline:', 'budget: { rows_per_run: 1 }\nbaseline:'],
    ['a policy', 'baseline:', 'policy: { on_failure: stop }\nbaseline:'],
    ['a comparison', 'baseline:', 'comparisons: [{ id: c, scenarios: ["*"], shares: [region] }]\nbaseline:'],
    ['the name of a scenario', '  switch:', '  change:'],
    ['a seed', '20261120', 'random'],
  ])('changes with %s', (_, from, to) => {
    expect(digest(MATRIX.replace(from, to))).not.toBe(digest(MATRIX))
  })

  test('does not change with descriptions, display names or the output folder', () => {
    const edited = MATRIX.replace('How far', 'So far').replace('Panel 2026', 'P').concat('output: { dir: elsewhere }\n')
    expect(digest(edited)).toBe(digest(MATRIX))
  })

  test('changes with the confidence of a check, and is unchanged without one', () => {
    const checked = (confidence: string) => `version: 1
name: a
datasets: { panel: { file: p.csv } }
scenarios: { a: { rows: 10, seed: 1 }, b: { rows: 10, seed: 2 } }
baseline: a
comparisons: [{ id: c, scenarios: [b], shares: [region], expect: [{ scenario: b, column: region, level: North, delta_min: 0.1${confidence} }] }]
`
    expect(digest(checked(''))).toBe('d6e600c577afaf058a752ab639f527ed0e4b771703a3bcc29811d7efd2aac1ab')
    const digests = ['', ', confidence: 0.9', ', confidence: 0.95'].map((confidence) => digest(checked(confidence)))
    expect(new Set(digests).size).toBe(3)
  })

  test('needs the fingerprint of every dataset', () => {
    expect(() => studyDigest(loadStudy(MATRIX, { filename: 'x' }).study!, new Map())).toThrow(RangeError)
  })
})

/** The same value with the keys of every map in opposite order; shared parts stay shared. */
function reversed(value: unknown, done = new Map<unknown, unknown>()): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (!done.has(value)) {
    const entries = Object.entries(value).reverse()
    done.set(value, Object.fromEntries(entries.map(([key, child]) => [key, reversed(child, done)])))
  }
  return done.get(value)
}
