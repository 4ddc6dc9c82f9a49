import { describe, expect, test } from 'vitest'
import { jsonDocument } from '../../../src/cli/output/json-document.ts'
import type { Diagnostic } from '../../../src/study/diagnostics/diagnostic.ts'
import { diagnosticToJson, renderDiagnostics } from '../../../src/study/diagnostics/render-diagnostic.ts'
import { excerptLine } from '../../../src/study/diagnostics/source-excerpt.ts'
import { checkConditions } from '../../../src/study/live-schema/check-conditions.ts'
import { loadStudy } from '../../../src/study/load/load-study.ts'

const REGION = { name: 'region', kind: 'categorical', levels: ['North', 'South'] } as const

function rendered(text: string, color = false): string {
  const { diagnostics } = loadStudy(text, { filename: 'a.study.yaml' })
  return renderDiagnostics(diagnostics, { sources: new Map([['a.study.yaml', text]]), color })
}

function at(line: number, column: number, end: number): Diagnostic['range'] {
  return {
    filename: 'a.study.yaml',
    start: { line, column, offset: 0 },
    end: { line, column: end, offset: 0 },
  }
}

const BARE: Diagnostic = {
  severity: 'error',
  code: 'S2102',
  summary: 'summary',
  detail: '',
  range: null,
  suggestions: [],
  related: [],
}

describe('a rendered diagnostic', () => {
  test('has a place and no excerpt if the file is not given', () => {
    const text = renderDiagnostics([{ ...BARE, range: at(3, 7, 9), detail: 'one\ntwo' }], {
      sources: new Map(),
      color: false,
    })
    expect(text).toBe('error S2102 summary\n  a.study.yaml:3:7\n  one\n  two')
  })

  test('is nothing for no diagnostics', () => {
    expect(renderDiagnostics([], { sources: new Map(), color: true })).toBe('')
  })

  test('lists several suggestions before the first line of detail', () => {
    const text = renderDiagnostics([{ ...BARE, suggestions: ['a', 'b'], detail: 'c\nd' }], {
      sources: new Map(),
      color: false,
    })
    expect(text).toBe('error S2102 summary\n  did you mean "a" or "b"?  c\n  d')
  })

  test('has lines of the width of the terminal, broken between words; the suggestion stays beside its mark', () => {
    const wide = {
      ...BARE,
      summary: 'column "loyalty.member" is gone since tracker.study.lock.json',
      suggestions: ['loyalty'],
      detail: `columns: ${Array.from({ length: 9 }, (_, i) => `column${i}`).join(', ')}\nshort`,
    }
    const text = renderDiagnostics([wide], { sources: new Map(), color: false, width: 40 })
    expect(text).toBe(`error S2102 column "loyalty.member" is
            gone since
            tracker.study.lock.json
  did you mean "loyalty"?
  columns: column0, column1, column2,
  column3, column4, column5, column6,
  column7, column8
  short`)
    const colored = renderDiagnostics([wide], { sources: new Map(), color: true, width: 40 })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is removed
    expect(colored.replaceAll(/\u001B\[[0-9;]*m/g, '')).toBe(text)
  })

  test('has colours on request, with the same text', () => {
    const source = 'version: 1\nname: A\n'
    const colored = rendered(source, true)
    expect(colored).toContain('\u001B[31;1merror S3001\u001B[0m')
    expect(colored).toContain('\u001B[31;1m^\u001B[0m')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is removed
    expect(colored.replaceAll(/\u001B\[[0-9;]*m/g, '')).toBe(rendered(source))
  })

  test('marks the place in files with Windows line ends and byte order mark', () => {
    expect(rendered('\uFEFFversion: 2\r\nname: a\r\n')).toBe(
      [
        'error S1101 this file has version 2 and needs a newer runner',
        '  a.study.yaml:1:10',
        '    1 | version: 2',
        '                 ^',
        '  this runner reads version 1',
      ].join('\n'),
    )
  })

  test.each([
    ['wide characters', '日本: x', '    2 | 日本: x', '              ^'],
    ['an emoji', '😀: x', '    2 | 😀: x', '            ^'],
    ['combining marks', 'e\u0301: x', '    2 | e\u0301: x', '           ^'],
    ['right-to-left overrides', '"\u202E": x', '    2 | "\\u{202e}": x', '                    ^'],
    ['a tab', '"\t": x', '    2 | "\\t": x', '              ^'],
  ])('marks the place after %s', (_, line, shown, marks) => {
    const column = line.indexOf('x') + 1
    const text = renderDiagnostics([{ ...BARE, range: at(2, column, column + 1) }], {
      sources: new Map([['a.study.yaml', `version: 1\n${line}\n`]]),
      color: false,
    })
    expect(text.split('\n').slice(2)).toEqual([shown, marks])
  })

  test.each([
    ['in the middle', 500, 500, /^ {4}1 \| …a+HEREb+…$/, 80],
    ['at the start', 0, 500, /^ {4}1 \| HEREb+…$/, 79],
    ['near the end', 500, 3, /^ {4}1 \| …a+HEREb{3}$/, 79],
    ['where line and window end together', 500, 284, /^ {4}1 \| …a+HEREb+…$/, 80],
  ])('cuts long lines around a place %s, to 80 columns', (_, before, after, shape, columns) => {
    const line = `${'a'.repeat(before)}HERE${'b'.repeat(after)}`
    const text = renderDiagnostics([{ ...BARE, range: at(1, before + 1, before + 5) }], {
      sources: new Map([['a.study.yaml', line]]),
      color: false,
    })
    const [, , excerpt, marks] = text.split('\n')
    expect(excerpt).toMatch(shape)
    expect(excerpt).toHaveLength(columns)
    expect(excerpt?.slice(marks?.indexOf('^'), (marks?.lastIndexOf('^') ?? 0) + 1)).toBe('HERE')
  })

  test('keeps both units of a character together where a long line is cut', () => {
    const line = `x${'😀'.repeat(500)}`
    const text = renderDiagnostics([{ ...BARE, range: at(1, 502, 504) }], {
      sources: new Map([['a.study.yaml', line]]),
      color: false,
    })
    expect(text).toMatch(/\| …(?:😀)+…\n/u)
  })

  test('reads only the neighbourhood of its place, however long the line is', () => {
    const line = 'e\u0301'.repeat(100_000)
    let read = 0
    const counting = new Proxy(new String(line), {
      get: (target, key) => {
        const value = Reflect.get(target, key)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          const found = value.apply(target, args)
          if (typeof found === 'string') read += found.length
          return found
        }
      },
    })
    expect(excerptLine(counting as unknown as string, 100_000, 100_001).text).toMatch(/^….+…$/u)
    expect(read).toBeLessThan(1000)
  })

  test('prints no control characters and no lines of others', () => {
    const evil = '\u001B[2J\u0007\u009B31m\r\n::error::forged\u2028\u202E'
    const all: Diagnostic = {
      ...BARE,
      summary: evil,
      suggestions: [evil],
      range: { ...at(1, 1, 2)!, filename: evil },
      related: [{ message: evil, range: { ...at(1, 1, 2)!, filename: evil } }],
    }
    const text = renderDiagnostics([all], { sources: new Map([[evil, evil]]), color: false })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028\u202E]/)
    expect(text.split('\n').filter((line) => line.startsWith('::'))).toEqual([])
    expect(text.split('\n')).toHaveLength(8)
  })

  test('cuts names that are as long as a file', () => {
    const name = 'n'.repeat(500_000)
    const text = renderDiagnostics([{ ...BARE, summary: name, suggestions: [name], detail: `${name}\nshort` }], {
      sources: new Map(),
      color: false,
    })
    expect(text.length).toBeLessThan(2000)
    expect(text.endsWith('…\n  short')).toBe(true)
  })

  test('escapes a hostile name in the data', () => {
    expect(rendered('version: 1\nname: "a\\e[31m\\u202e"\n')).toContain(
      'error S3001 "a\\x1b[31m\\u{202e}" cannot be a name',
    )
  })
})

describe('a large number of findings', () => {
  const many = (code: string, count: number): Diagnostic[] =>
    Array.from({ length: count }, () => ({ ...BARE, code, range: at(1, 1, 2) }))
  const source = { sources: new Map([['a.study.yaml', 'x']]), color: false }

  test('is shown up to fifty of each code, and the rest is counted', () => {
    const text = renderDiagnostics([...many('S2103', 45_000), ...many('S2102', 1), ...many('S2105', 51)], source)
    expect(text.match(/\| x$/gm)).toHaveLength(50 + 1 + 50)
    expect(text.split('\n').slice(-2)).toEqual(['and 44950 more S2103', 'and 1 more S2105'])
  })

  test('is shown as a whole if it is exactly fifty', () => {
    const text = renderDiagnostics(many('S2103', 50), source)
    expect(text.match(/\| x$/gm)).toHaveLength(50)
    expect(text).not.toContain('more')
  })

  test('is also cut in a JSON document, which states how many are missing', () => {
    const document = (diagnostics: Diagnostic[]) =>
      JSON.parse(jsonDocument({ command: 'validate', exitCode: 4, data: null, diagnostics }))
    const cut = document([...many('S2103', 45_000), ...many('S2102', 1)])
    expect(cut.diagnostics).toHaveLength(1001)
    expect(cut.diagnostics_omitted).toEqual({ S2103: 44_000 })
    expect(document(many('S2103', 1000))).not.toHaveProperty('diagnostics_omitted')
  })

  test('in one line of a megabyte is checked and shown with bounded work', () => {
    const levels = Array.from({ length: 45_000 }, (_, i) => `no-such-level${i}: 0`).join(',')
    const head = 'version: 1\nname: a\ndatasets: {p: {file: p.csv}}\n'
    const text = `${head}scenarios: {a: {rows: 1, seed: 1, shares: {region: {${levels}}}}}\n`
    const { study } = loadStudy(text, { filename: 'a.study.yaml' })
    const schema = { columns: [REGION], dropped: [], renamed: [], schemaLabel: 'p' }
    const found = checkConditions(study!, 'p', schema).filter((d) => d.code === 'S2103')
    expect(found).toHaveLength(45_000)
    const rendered = renderDiagnostics(found, { sources: new Map([['a.study.yaml', text]]), color: false })
    expect(rendered.match(/^ +4 \| /gm)).toHaveLength(50)
    expect(rendered.length).toBeLessThan(20_000)
  })
})

describe('a diagnostic as JSON', () => {
  test('has the fields of Terraform’s, and offsets', () => {
    const { diagnostics } = loadStudy('version: 1\nname: A\ndatasets: { p: { file: x } }\nscenarios: { a: {} }\n', {
      filename: 'a.study.yaml',
    })
    expect(JSON.parse(JSON.stringify(diagnostics.map(diagnosticToJson)))).toEqual([
      {
        severity: 'error',
        code: 'S3001',
        summary: '"A" cannot be a name here',
        detail: 'use lower-case letters and digits, parts joined by single ".", "-" or "_"',
        range: {
          filename: 'a.study.yaml',
          start: { line: 2, column: 7, offset: 17 },
          end: { line: 2, column: 8, offset: 18 },
        },
        suggestions: ['a'],
        related: [],
      },
    ])
  })

  test('has no range if there is none', () => {
    expect(diagnosticToJson(BARE).range).toBeNull()
  })
})
