import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { labelText, MAX_LABEL_BYTES } from '../../../src/base/text/label-text.ts'

describe('a label of a column', () => {
  it.each([
    ['stays as it is', 'How satisfied are you?', 'How satisfied are you?'],
    ['becomes one line without outer blanks', '  How\r\n\tsatisfied\u2028are\u00a0you?\n', 'How satisfied are you?'],
    ['loses what a terminal would obey', 'a\u001b[31mb\0c', 'a [31mb c'],
    ['keeps nothing of half a character', 'a\ud800b', 'a\ufffdb'],
    ['is none when nothing is left of it', ' \0\n', undefined],
  ])('%s', (_, raw, kept) => {
    expect(labelText(raw)).toBe(kept)
  })

  it('is cut to 1 KiB of whole characters', () => {
    expect(labelText('x'.repeat(1_024))).toBe('x'.repeat(1_024))
    expect(labelText('x'.repeat(1_025))).toBe(`${'x'.repeat(1_021)}…`)
    expect(labelText('日'.repeat(1_000_000))).toBe(`${'日'.repeat(340)}…`)
  })

  it('is within its bound, well-formed and on one line for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3_000, size: 'max' }), (raw) => {
        const label = labelText(raw)
        if (label === undefined) return
        expect(Buffer.byteLength(label)).toBeLessThanOrEqual(MAX_LABEL_BYTES)
        expect(label).not.toMatch(/[\p{Control}\p{Surrogate}\n]/u)
        expect(labelText(label)).toBe(label)
      }),
    )
  })
})
