import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalBody } from '../../../src/study/hashing/canonical-body.ts'
import { scenarioFingerprint, studyDigest } from '../../../src/study/hashing/fingerprint.ts'
import { loadStudy } from '../../../src/study/load/load-study.ts'
import { formatStudy, formatText } from '../../../src/study/writing/format-study.ts'
import { parseYaml } from '../../../src/study/yaml/parse-yaml.ts'
import { SourceText } from '../../../src/study/yaml/source-text.ts'
import { STUDIES } from '../../schemas/study-table.ts'
import { readBooks } from '../case-book.ts'
import { MATRIX, MATRIX_RESPELLED, MINIMAL } from '../study-texts.ts'

const FILE = { filename: 'x.study.yaml' }

const coffee = readFileSync(new URL('../../../examples/coffee/coffee.study.yaml', import.meta.url), 'utf8')

describe('a formatted study', () => {
  test.each([
    ['indentation', 'a:\n    b:\n        - c\n', 'a:\n  b:\n    - c\n'],
    ['lists that are not indented', 'a:\n- b\n- c\n', 'a:\n  - b\n  - c\n'],
    ['line ends of Windows and a byte order mark', '\uFEFFa: 1\r\nb: 2\r\n', 'a: 1\nb: 2\n'],
    ['a missing last line end', 'a: 1', 'a: 1\n'],
    ['spaces', 'a:   1   \nb:  {c:  1,d: 2}\n', 'a: 1\nb: { c: 1, d: 2 }\n'],
    ['brackets', 'a: [ b , c,{d: 1} ]\n', 'a: [b, c, { d: 1 }]\n'],
    ['blank lines', 'a: 1\n\n\n\nb: 2\n', 'a: 1\n\nb: 2\n'],
    ['single quotes', "a: 'b'\nc: 'it''s'\nd: 'say \"x\"'\n", 'a: "b"\nc: "it\'s"\nd: \'say "x"\'\n'],
    ['a marker of the start', '---\na: 1\n', 'a: 1\n'],
    [
      'names that other readers change',
      'shares: { on: { No: 0.1, yes: 0.2, 01: .3, 2024-01-01: 4e-1, 1_0: 0, ~: 0, 18-24: 0, 1: 0 } }\n',
      'shares:\n  "on": { "No": 0.1, "yes": 0.2, "01": .3, "2024-01-01": 4e-1, "1_0": 0, "~": 0, 18-24: 0, "1": 0 }\n',
    ],
  ])('has the standard form of %s', (_, text, formatted) => {
    expect(formatText(text)).toBe(formatted)
  })

  test.each([
    [
      'tags: [01, 2024-01-01, yes, 1_000, 0x1F, 12:30, 1.0, "5", a]',
      'tags: ["01", "2024-01-01", "yes", "1_000", "0x1F", "12:30", "1.0", "5", a]',
    ],
    ['description: 2026', 'description: "2026"'],
    ['x-own: [01, 2026, true]', 'x-own: [01, 2026, true]'],
    [
      'comparisons: [{ id: c, scenarios: [more-yes], against: 1, shares: [01, ~], expect: [{ scenario: more-yes, column: 01, level: 1e3, delta_min: 0.1 }] }]',
      'comparisons:\n  - id: c\n    scenarios: [more-yes]\n    against: "1"\n    shares: ["01", "~"]\n    expect: [{ scenario: more-yes, column: "01", level: "1e3", delta_min: 0.1 }]',
    ],
    ['x-n: &n 01\ntags: [*n, &m 02, *m]', 'x-n: &n 01\ntags: [*n, &m "02", *m]'],
  ])('has quotes where other readers would not see text: %s', (text, formatted) => {
    const found = formatStudy(`${MINIMAL}${text}\n`, FILE)
    expect(found).toMatchObject({ kind: 'formatted', text: expect.stringMatching(/\n$/) })
    expect(found.kind === 'formatted' && found.text.slice(-formatted.length - 1)).toBe(`${formatted}\n`)
  })

  test('has quotes around names in the paths and rows of a matrix, but not around its values', () => {
    const matrix = (path: string, row: string) =>
      `version: 1\nname: a\ndatasets: { p: { file: p.csv } }\nscenarios:\n  g:\n    rows: 10\n    seed: 1\n    matrix:\n      axes:\n        - name: kids\n          set: [shares, children, ${path}]\n          values: { 1: 0.1, b: 0.20 }\n      exclude:\n        - { kids: ${row} }\n`
    expect(formatStudy(matrix('01', '1'), FILE)).toEqual({
      kind: 'formatted',
      text: matrix('"01"', '"1"').replace('{ 1:', '{ "1":'),
    })
  })

  test('keeps the spelling of numbers', () => {
    const text = 'a: [0.70, .7, 7e-1, 1.0, 0x12, 1E3, +1, -0, 0755, 12345678901234567890, .inf]\n'
    expect(formatText(text)).toBe(text)
  })

  test('keeps comments, anchors, order and words', () => {
    const text = `# first\n\n# of b\nb: &b { x: 1 } # behind\na:\n  # inside\n  - *b # alias\n  - |\n    # no comment\n  - "ü"\n\n# last\n`
    expect(formatText(text)).toBe(text)
  })

  test('has a block if one line would be too long, or if there are comments', () => {
    const long = Array.from({ length: 12 }, (_, i) => `level-${i}: 0.01`).join(', ')
    expect(formatText(`shares: { region: { ${long} }, b: { c: 1 } }\n`)).toMatch(
      /^shares:\n {2}region:\n(?: {4}level-\d+: 0\.01\n){12} {2}b: \{ c: 1 \}\n$/,
    )
    expect(formatText('a: { # why\n  b: 1, c: 2 # what\n}\n')).toBe('a:\n  # why\n  b: 1\n  c: 2 # what\n')
  })

  test('keeps a comment in every possible place', () => {
    const pieces = [
      ...['? a', '\n', ': b\n', 'c: ', '{ a: 1, ', 'b: [ x, ', 'y ] }', '\nd:', ' |\n  text\n', 'e: &x', ' >-\n  t\n'],
      ...['f:\n', '  - ', 'g\n', '  -\n', '    h: 1\n', 'i: *x', '\n', 'j: "k', ' l"', '\n', 'm: ', '[]', '\n'],
    ]
    let places = 0
    for (let at = 0; at < pieces.length; at++) {
      for (const comment of [' # C\n', '# C\n', ' # C\n  ', '\n# C\n', '\n  # C\n  ']) {
        const text = pieces.toSpliced(at, 0, comment).join('')
        if (parseYaml(new SourceText(text, 'x')).root === null) continue
        places++
        expect(formatText(text)).toContain('# C')
      }
    }
    expect(places).toBeGreaterThan(50)
  })

  test('is not made if it would be larger than a study may be', () => {
    // Every item gets a line of its own below 55 names, which indent it.
    const study = (items: number) =>
      `${MINIMAL}x-own: ${'{ a: '.repeat(55)}[${'b, '.repeat(items)}b]${' }'.repeat(55)}\n`
    expect(formatStudy(study(10_000), FILE)).toEqual({ kind: 'too-large' })
    expect(formatStudy(study(900), FILE).kind).toBe('formatted')
  })

  test('keeps texts intact', () => {
    const text = `description: ${'word '.repeat(40)}end\n`
    expect(formatText(text)).toBe(text)
  })

  test.each<readonly [string, string]>([
    ['the minimal study', MINIMAL],
    ['the matrix', MATRIX],
    ['the matrix spelled otherwise', MATRIX_RESPELLED],
    ['the example', coffee],
    ...STUDIES.map(({ name, yaml }) => [name, yaml] as const),
    ...readBooks().map(({ book, name, yaml }) => [`${book}: ${name}`, yaml] as const),
  ])('of %s is the same study, and formats to itself', (_, text) => {
    const formatted = formatStudy(text, FILE)
    const before = loadStudy(text, FILE)
    if (formatted.kind !== 'formatted') {
      expect(formatted.kind).toBe('invalid')
      expect(before.study).toBeNull()
      return
    }
    expect(formatText(formatted.text)).toBe(formatted.text)
    const after = loadStudy(formatted.text, FILE)
    // Values that other readers would change have quotes now, so there are no more warnings about them.
    const codes = ({ diagnostics }: typeof before) => diagnostics.map((d) => d.code).filter((code) => code !== 'W3101')
    expect(codes(after)).toEqual(codes(before))
    expect(after.diagnostics.filter((d) => d.code === 'W3101')).toEqual([])
    if (before.study === null) return
    const dataset = 'd'.repeat(64)
    const datasets = new Map([...before.study.datasets.keys()].map((name) => [name, dataset]))
    const promises = ({ study }: typeof before) => [
      studyDigest(study!, datasets),
      ...study!.scenarios
        .map((s) => ({ ...s, seed: s.seed === 'random' ? 7 : s.seed }))
        .map((s) => [s.id, canonicalBody(s), scenarioFingerprint(dataset, s)]),
    ]
    expect(promises(after)).toEqual(promises(before))
  })

  test('means the same as its source, or is refused', () => {
    const word = fc.constantFrom(
      'a',
      'No',
      '01',
      '"x y"',
      "'z'",
      '1.50',
      '~',
      '2024-01-01',
      '*a',
      '&a b',
      '[c, d]',
      '{e: 1}',
      '[]',
      '# c\n',
    )
    const separator = fc.constantFrom(': ', ', ', '\n', '\n  ', '\n- ', ' ', '{', '}', '[', ']', ' # x\n', '\n\n\n')
    let made = 0
    fc.assert(
      fc.property(fc.array(fc.tuple(word, separator), { maxLength: 12 }), (parts) => {
        const text = `x:\n  ${parts.map((part) => part.join('')).join('')}\n`
        const isYaml = parseYaml(new SourceText(text, 'x')).root !== null
        const once = isYaml ? formatText(text) : null
        if (once === null) return
        made++
        expect(formatText(once)).toBe(once)
      }),
      { numRuns: 400 },
    )
    expect(made, 'not only what cannot be read').toBeGreaterThan(50)
  })

  test('is not made from text that is not YAML for studies', () => {
    expect(formatStudy('a: !env HOME\n', FILE)).toMatchObject({ kind: 'invalid', diagnostics: [{ code: 'S1004' }] })
    expect(formatStudy(MINIMAL.replace('0.70', '70%'), FILE)).toMatchObject({ diagnostics: [{ code: 'S1201' }] })
    expect(formatStudy(MINIMAL, FILE).kind).toBe('formatted')
  })
})
