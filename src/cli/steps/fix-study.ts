import { escapeText } from '../../base/text/escape-text.ts'
import { replaceStudyFile, type StudyFile, withText } from '../../local/study-file.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import { applyFixes, type SpellingFix, spellingFixes } from '../../study/writing/fix-spellings.ts'

/** Correcting a name can show the next one: phases with errors hide those after them. */
const MOST_ROUNDS = 8

/**
 * Corrects a file's spellings (`spellingFixes`), checks it again, and so on until nothing more can be corrected; then writes it,
 * once. Resolves with what the last check said.
 */
export async function fixStudy<C extends { readonly file: StudyFile; readonly diagnostics: readonly Diagnostic[] }>(
  file: StudyFile,
  check: (file: StudyFile) => Promise<C>,
): Promise<{ readonly checked: C; readonly fixes: readonly SpellingFix[] }> {
  const fixes: SpellingFix[] = []
  let checked = await check(file)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { text, made } = withSpellings(checked.file, checked.diagnostics)
    if (made.length === 0) break
    fixes.push(...made)
    checked = await check(withText(file, text))
  }
  if (fixes.length > 0) await replaceStudyFile(file, checked.file.text)
  return { checked, fixes }
}

/** The text with every correction that leaves it readable: one that makes a key stand twice is left to the author. */
function withSpellings(
  file: StudyFile,
  diagnostics: readonly Diagnostic[],
): { readonly text: string; readonly made: readonly SpellingFix[] } {
  const isReadable = (text: string) => !withText(file, text).diagnostics.some((d) => d.code.startsWith('S10'))
  const all = spellingFixes(file.text, diagnostics)
  const whole = applyFixes(file.text, all)
  if (all.length === 0 || isReadable(whole)) return { text: whole, made: all }
  const made = all.slice(0, MOST_TRIED).filter((fix) => isReadable(applyFixes(file.text, [fix])))
  const text = applyFixes(file.text, made)
  return isReadable(text) ? { text, made } : { text: file.text, made: [] }
}

/** Corrections that are tried one by one, each of which reads the whole file. */
const MOST_TRIED = 50

export function fixText(file: StudyFile, { code, range, from, to }: SpellingFix): string {
  const { line, column } = range.start
  return `${escapeText(file.name)}:${line}:${column}: corrected "${escapeText(from)}" to "${escapeText(to)}" (${code})`
}

export function fixData({ code, range, from, to }: SpellingFix): object {
  return { code, line: range.start.line, column: range.start.column, from, to }
}
