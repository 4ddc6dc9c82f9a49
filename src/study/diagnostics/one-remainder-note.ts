import type { Diagnostic } from './diagnostic.ts'

/** Shares that leave a remainder to the model: most studies have one such column after another. */
const REMAINDER = 'N2109'

/** Columns that are listed; further ones are only counted. */
const LISTED = 10

/** For people: the notes about remainders as one with a list, at the place of the first. A single note stays as it is. */
export function withOneRemainderNote(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const notes = diagnostics.filter(({ code }) => code === REMAINDER)
  const [first] = notes
  if (first === undefined || notes.length === 1) return diagnostics
  const lines = notes.map(({ summary, range, detail }) => {
    const place = range === null ? '' : `${range.filename}:${range.start.line}: `
    const unlisted = detail.split('\n').find((line) => line.startsWith('unlisted: '))
    return `${place}${summary.replace(/^shares of /, '')}${unlisted === undefined ? '' : `; ${unlisted}`}`
  })
  const more = lines.length - LISTED
  const joined: Diagnostic = {
    ...first,
    summary: `shares leave a remainder to the model in ${notes.length} places`,
    detail: [...lines.slice(0, LISTED), ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    // Its line of the file would show one of them only.
    range: null,
  }
  return diagnostics.flatMap((one) => (one === first ? [joined] : one.code === REMAINDER ? [] : [one]))
}
