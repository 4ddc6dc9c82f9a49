import { isScalar, parseDocument, Scalar } from 'yaml'
import type { Diagnostic, SourceRange } from '../diagnostics/diagnostic.ts'
import { sameSpelling } from '../diagnostics/did-you-mean.ts'
import { quotedName, writtenName } from './written-name.ts'

/** A name that was corrected; its place is where it was before. */
export interface SpellingFix {
  readonly code: string
  readonly range: SourceRange
  readonly from: string
  readonly to: string
}

/**
 * The corrections that may be made without asking: a misspelt name with exactly one known name that is the same after
 * Unicode NFC, trimming and case folding, where `_`, `.`, `-` and space count as one character (`sameSpelling`). In
 * file sequence, each place once.
 */
export function spellingFixes(text: string, diagnostics: readonly Diagnostic[]): readonly SpellingFix[] {
  const fixes = new Map<number, SpellingFix>()
  for (const { code, severity, range, suggestions } of diagnostics) {
    if (severity !== 'error' || range === null || suggestions.length === 0) continue
    const from = wordIn(text.slice(range.start.offset, range.end.offset))
    if (from === null) continue
    const [to, ...others] = sameSpelling(from, suggestions)
    if (to === undefined || others.length > 0 || fixes.has(range.start.offset)) continue
    fixes.set(range.start.offset, { code, range, from, to })
  }
  return [...fixes.values()].sort((a, b) => a.range.start.offset - b.range.start.offset)
}

/** The content of a piece of a study if it is one name on one line, else null. */
function wordIn(written: string): string | null {
  if (/[\r\n]/.test(written)) return null
  const { contents, errors } = parseDocument(written, { version: '1.2', schema: 'failsafe' })
  const isWord = isScalar(contents) && contents.type !== Scalar.BLOCK_FOLDED && contents.type !== Scalar.BLOCK_LITERAL
  if (!isWord || errors.length > 0 || contents.anchor !== undefined || contents.tag !== undefined) return null
  return typeof contents.value === 'string' ? contents.value : null
}

/** The text with the names corrected in place, in their own quotes; everything else stays as it is. */
export function applyFixes(text: string, fixes: readonly SpellingFix[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { range, to } of fixes) {
    const { start, end } = range
    const isQuoted = /^["']/.test(text.slice(start.offset, end.offset))
    pieces.push(text.slice(at, start.offset), isQuoted ? quotedName(to) : writtenName(to))
    at = end.offset
  }
  return pieces.join('') + text.slice(at)
}
