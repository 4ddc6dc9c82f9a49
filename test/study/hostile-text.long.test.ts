import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diagnosticToJson, renderDiagnostics } from '../../src/study/diagnostics/render-diagnostic.ts'
import { loadStudy } from '../../src/study/load/load-study.ts'
import { readBooks } from './case-book.ts'
import { MATRIX } from './study-texts.ts'

/** Loads, renders and looks at what comes out; the file may be anything. */
function inspect(text: string): void {
  const { study, diagnostics } = loadStudy(text, { filename: 'x.study.yaml' })
  expect(study === null).toBe(diagnostics.some((d) => d.severity === 'error'))
  for (const { range } of diagnostics) {
    if (range === null) continue
    expect(range.start.offset).toBeGreaterThanOrEqual(0)
    expect(range.end.offset).toBeGreaterThanOrEqual(range.start.offset)
    expect(range.end.offset).toBeLessThanOrEqual(text.length + 1)
  }
  const rendered = renderDiagnostics(diagnostics, { sources: new Map([['x.study.yaml', text]]), color: false })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
  expect(rendered).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/)
  expect(() => JSON.stringify(diagnostics.map(diagnosticToJson))).not.toThrow()
}

/** Pieces that mean something in YAML or in studies. */
const PIECES = ['{', '}', '[', ']', ':', ': ', '- ', '\n', '\n  ', '"', "'", '&a ', '*a', '<<: ', '!!int ', '~', '# ', '|', '>', '? ', '1e400', '.nan', '0x', '\t', '\r', '\uFEFF', '\u202E', '\uD800', '\u0000', 'x-', 'matrix', 'shares', 'null', '__proto__', '---\n', '%YAML 1.1\n', '@'] // biome-ignore format: one list

describe('hostile text', () => {
  test('of any characters gives diagnostics, never an exception', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 30 }),
        (pieces) => {
          inspect(pieces.join(''))
        },
      ),
      { numRuns: 150 },
    )
  })

  test('made of pieces of a study gives diagnostics, never an exception', () => {
    fc.assert(
      fc.property(fc.nat(MATRIX.length), fc.nat(40), fc.constantFrom(...PIECES), (at, cut, piece) => {
        inspect(MATRIX.slice(0, at) + piece + MATRIX.slice(at + cut))
      }),
      { numRuns: 150 },
    )
  })

  test('in every case of the diagnostics is rendered safely', () => {
    for (const { yaml } of readBooks()) inspect(yaml)
  })

  test.each([
    ['a map of 20,000 keys', Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join('\n')],
    ['20,000 syntax errors', 'a: b: c\n'.repeat(20_000)],
    ['20,000 unknown tags', '- !x y\n'.repeat(20_000)],
    ['20,000 aliases', '- &a x\n- *a\n'.repeat(20_000)],
  ])('with %s gives a bounded number of messages', (_, text) => {
    const { study, diagnostics } = loadStudy(text, { filename: 'x' })
    expect(study).toBeNull()
    expect(diagnostics.length).toBeGreaterThan(0)
    expect(diagnostics.length).toBeLessThanOrEqual(200)
  })
})
