import { escapeText } from '../../base/text/escape-text.ts'
import { replaceStudyFile, type StudyFile, withText } from '../../local/study-file.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import { applyFixes, type SpellingFix, spellingFixes } from '../../study/writing/fix-spellings.ts'

/** Correcting one name can reveal the next, because errors of one phase hide those of later phases. */
const MOST_ROUNDS = 8

/**
 * Corrects spellings in a file (`spellingFixes`) and checks it again until nothing more can be corrected. Then writes the file
 * once. Resolves with the result of the last check.
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

/** The text with every correction that keeps it readable. One that would duplicate a key is left to the author. */
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

/** How many corrections are tried one by one; each try reads the whole file. */
const MOST_TRIED = 50

export function fixText(file: StudyFile, { code, range, from, to }: SpellingFix): string {
  const { line, column } = range.start
  return `${escapeText(file.name)}:${line}:${column}: corrected "${escapeText(from)}" to "${escapeText(to)}" (${code})`
}

export function fixData({ code, range, from, to }: SpellingFix): object {
  return { code, line: range.start.line, column: range.start.column, from, to }
}
