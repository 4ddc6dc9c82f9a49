import { escapeText } from '../../base/text/escape-text.ts'
import { wrappedLines } from '../../base/text/fit-text.ts'
import { textWidth } from '../../base/text/text-width.ts'
import type { Diagnostic, Severity, SourceRange } from './diagnostic.ts'
import { withOneRemainderNote } from './one-remainder-note.ts'
import { excerptLine } from './source-excerpt.ts'

export interface RenderOptions {
  /** Texts of the files by the name that diagnostics use. A file that is not here is shown without an excerpt. */
  readonly sources: ReadonlyMap<string, string>
  /** ANSI colours. */
  readonly color: boolean
  /** Columns of the terminal, between whose words lines are broken; absent: lines are as long as they are. */
  readonly width?: number
}

/** Findings of one code that are shown; further ones are only counted. */
const MOST_SHOWN = 50

/** UTF-16 units of a line before it is cut: a name in it may be as long as its file. */
const MOST_IN_LINE = 500

const SEVERITY_COLORS: Readonly<Record<Severity, string>> = { error: '31;1', warning: '33;1', note: '36;1' }

/**
 * Diagnostics as text for people. They stand one after the other, without a final line feed (study language, section 2):
 *
 *     error S2103 unknown level "Nrth" in column "region"
 *       brand.study.yaml:27:42
 *        27 |             north: { shares: { region: { Nrth: 1.0 } } }
 *                                                      ^^^^
 *       did you mean "North"?  retained levels: North, South, East, West
 *       schema: study.lock.json (panel, 4f2a90c1)
 *
 * Of each code the first 50 are shown and the rest is counted. Nothing of a file or schema reaches the text unescaped.
 */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], options: RenderOptions): string {
  const lines = new SourceLines(options.sources)
  const paint = options.color ? (code: string, text: string) => `\u001B[${code}m${text}\u001B[0m` : withoutColor
  const { shown, omitted } = capDiagnostics(withOneRemainderNote(diagnostics), MOST_SHOWN)
  return [
    ...shown.map((diagnostic) => renderOne(diagnostic, lines, paint, options.width).join('\n')),
    ...[...omitted].map(([code, count]) => `and ${count} more ${code}`),
  ].join('\n')
}

/**
 * A diagnostic as data, in the form of Terraform's diagnostics. Texts are not escaped: the caller escapes them when it
 * prints them.
 */
export function diagnosticToJson(diagnostic: Diagnostic): JsonDiagnostic {
  const { severity, code, summary, detail, range, suggestions, related } = diagnostic
  return {
    severity,
    code,
    summary,
    detail,
    range: range && copyRange(range),
    suggestions: [...suggestions],
    related: related.map((place) => ({ message: place.message, range: copyRange(place.range) })),
  }
}

export interface JsonDiagnostic {
  severity: Severity
  code: string
  summary: string
  detail: string
  range: SourceRange | null
  suggestions: string[]
  related: { message: string; range: SourceRange }[]
}

type Paint = (code: string, text: string) => string

function withoutColor(_code: string, text: string): string {
  return text
}

function renderOne(
  diagnostic: Diagnostic,
  sources: SourceLines,
  paint: Paint,
  width = Number.POSITIVE_INFINITY,
): string[] {
  const color = SEVERITY_COLORS[diagnostic.severity]
  const label = `${diagnostic.severity} ${diagnostic.code} `
  const lines = wrappedLines(label, cut(diagnostic.summary), width).map((line, i) =>
    i === 0 ? `${paint(color, label.trimEnd())} ${paint('1', line.slice(label.length))}` : paint('1', line),
  )
  if (diagnostic.range !== null) lines.push(...renderPlace(diagnostic.range, '', color, sources, paint))
  const detail = diagnostic.detail === '' ? [] : diagnostic.detail.split('\n').map(cut)
  const names = diagnostic.suggestions.map((name) => `"${escapeText(cut(name))}"`).join(' or ')
  if (names !== '') {
    const [first] = detail
    const fits = first !== undefined && textWidth(`  did you mean ${names}?  ${escapeText(first)}`) <= width
    if (fits) detail.shift()
    lines.push(`  did you mean ${paint('32', names)}?${fits ? `  ${escapeText(first)}` : ''}`)
  }
  lines.push(...detail.flatMap((line) => wrappedLines('  ', line, width)))
  for (const { range, message } of diagnostic.related) {
    lines.push(...renderPlace(range, escapeText(message), '36', sources, paint))
  }
  return lines
}

const cut = (text: string): string => (text.length > MOST_IN_LINE ? `${text.slice(0, MOST_IN_LINE)}…` : text)

function renderPlace(range: SourceRange, message: string, color: string, sources: SourceLines, paint: Paint): string[] {
  const { filename, start, end } = range
  const place = `  ${paint('2', `${escapeText(filename)}:${start.line}:${start.column}`)}${message && ` ${message}`}`
  const line = sources.line(filename, start.line)
  if (line === null || line === '') return [place]
  const lineEnd = end.line === start.line ? end.column - 1 : line.length
  const { text, offset, width } = excerptLine(line, start.column - 1, lineEnd)
  const gutter = `${String(start.line).padStart(5)} | `
  return [
    place,
    `${paint('2', gutter)}${text}`.trimEnd(),
    `${' '.repeat(gutter.length + offset)}${paint(color, '^'.repeat(width))}`,
  ]
}

/** Lines of the sources, split once. */
class SourceLines {
  readonly #sources: ReadonlyMap<string, string>
  readonly #lines = new Map<string, readonly string[]>()

  constructor(sources: ReadonlyMap<string, string>) {
    this.#sources = sources
  }

  line(filename: string, number: number): string | null {
    const text = this.#sources.get(filename)
    if (text === undefined) return null
    const lines = this.#lines.get(filename) ?? text.replace(/^\uFEFF/, '').split(/\r?\n/)
    this.#lines.set(filename, lines)
    return lines[number - 1] ?? null
  }
}

function copyRange({ filename, start, end }: SourceRange): SourceRange {
  return { filename, start: { ...start }, end: { ...end } }
}

export interface CappedDiagnostics {
  readonly shown: readonly Diagnostic[]
  /** How many of each code are left out; codes that are shown in full are absent. */
  readonly omitted: ReadonlyMap<string, number>
}

/**
 * The first `most` of each code: one slip repeated 45,000 times must not hide the others or cost 45,000 excerpts. Codes
 * are few, so the total is bounded.
 */
export function capDiagnostics(diagnostics: readonly Diagnostic[], most: number): CappedDiagnostics {
  const seen = new Map<string, number>()
  const shown: Diagnostic[] = []
  for (const diagnostic of diagnostics) {
    const before = seen.get(diagnostic.code) ?? 0
    seen.set(diagnostic.code, before + 1)
    if (before < most) shown.push(diagnostic)
  }
  const omitted = [...seen].flatMap(([code, count]): [string, number][] => (count > most ? [[code, count - most]] : []))
  return { shown, omitted: new Map(omitted) }
}
