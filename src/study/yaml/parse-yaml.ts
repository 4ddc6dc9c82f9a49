import { parseDocument, type YAMLError } from 'yaml'
import { conflictLines, lineListText } from '../../base/conflict-marks.ts'
import { diagnose } from '../diagnostics/diagnose.ts'
import { byPlace, type Diagnostic, type SourceRange } from '../diagnostics/diagnostic.ts'
import { MAX_DEPTH, MAX_STUDY_BYTES } from '../diagnostics/limits.ts'
import { findUnpaired } from './find-unpaired.ts'
import { locateNodes } from './locate-nodes.ts'
import { type LocatedMap, mergeKeyFault } from './located-node.ts'
import type { SourceText } from './source-text.ts'

/** The first slip often breaks everything after it; more messages than this help nobody. */
const MOST_SYNTAX_ERRORS = 10

/** Characters that YAML 1.2 section 5.1 does not count as printable; tab, line feed and carriage return are allowed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters looked for
const UNPRINTABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFFFE\uFFFF]/g

/**
 * The parse phase: turns text into located nodes, or into the reasons why it is not YAML that studies may use (study
 * language, section 2). `root` is null exactly when there is an error.
 */
export function parseYaml(source: SourceText): { root: LocatedMap | null; diagnostics: readonly Diagnostic[] } {
  const refused = refuseText(source)
  if (refused.length > 0) return { root: null, diagnostics: refused }

  const document = parseDocument(source.text, {
    version: '1.2',
    schema: 'core',
    stringKeys: true,
    // `locateNodes` finds duplicates: the library compares each key with every other, which takes minutes for the
    // largest file allowed, and does not report where the first one is.
    uniqueKeys: false,
    merge: false,
    prettyErrors: false,
  })
  const faults = [...document.errors, ...document.warnings]
  const diagnostics = directives(source)
  // Unknown tags and directives are warnings to the library; this program reports both itself.
  const found = faults.filter((f) => f.code !== 'TAG_RESOLVE_FAILED' && f.code !== 'BAD_DIRECTIVE')
  const exhausted = found.find((f) => f.code === 'RESOURCE_EXHAUSTION')
  const broken = found.filter((f) => f.code !== 'NON_STRING_KEY' && f.code !== 'MULTIPLE_DOCS')
  const unpaired = exhausted === undefined ? unpairedMark(broken, source) : null
  // All other faults follow from it.
  if (unpaired !== null) return { root: null, diagnostics: [...diagnostics, unpaired] }
  for (const fault of exhausted === undefined ? found.slice(0, MOST_SYNTAX_ERRORS) : [exhausted]) {
    diagnostics.push(syntaxError(fault, source))
  }
  if (broken.length > 0) return { root: null, diagnostics }

  const located = locateNodes(document, source)
  diagnostics.push(...located.diagnostics)
  if (diagnostics.length > 0) {
    diagnostics.push(...located.mergeKeys.slice(0, MOST_SYNTAX_ERRORS).map(mergeKeyFault))
    return { root: null, diagnostics: byPlace(diagnostics) }
  }
  if (located.node?.kind !== 'map') {
    const isEmpty = located.node === null || (located.node.kind === 'scalar' && located.node.value === null)
    return { root: null, diagnostics: [notAStudy(isEmpty, located.node?.range ?? source.range(0, 0))] }
  }
  return { root: located.node, diagnostics }
}

function refuseText(source: SourceText): Diagnostic[] {
  const bytes = Buffer.byteLength(source.text, 'utf8')
  if (bytes > MAX_STUDY_BYTES) {
    return [
      diagnose('S1007', {
        // Without the size: a reader of the file may stop as soon as it is too large.
        summary: `the file has more than the ${MAX_STUDY_BYTES} bytes that a study may have`,
        range: source.range(0, 0),
        detail: 'describe scenarios by a matrix, or divide them among several studies',
      }),
    ]
  }
  const marks = conflictLines(source.text)
  if (marks.length > 0) return [conflict(marks, source)]
  return [...source.text.matchAll(UNPRINTABLE)].slice(0, MOST_SYNTAX_ERRORS).map((match) =>
    diagnose('S1014', {
      summary: `control character U+${hexadecimal(match[0])} is not allowed`,
      range: source.range(match.index, match.index + 1),
    }),
  )
}

/** Both sides are in the file, so every other fault would be about a text that nobody wrote. */
function conflict(lines: readonly number[], source: SourceText): Diagnostic {
  const start = source.text.split('\n', lines[0]! - 1).reduce((sum, line) => sum + line.length + 1, 0)
  return diagnose('S1001', {
    summary: `the file has marks of an unresolved merge in ${lineListText(lines)}`,
    range: source.range(start, start + 7),
    detail: 'keep one side of each conflict, or join both, and remove the marks',
  })
}

/** Directives precede the document's first content, one per line. */
function directives(source: SourceText): Diagnostic[] {
  const found: Diagnostic[] = []
  let start = 0
  for (const line of source.text.split('\n')) {
    const text = line.trimEnd()
    if (text.startsWith('%')) {
      found.push(
        diagnose('S1005', {
          summary: `YAML directive "${text.split(/\s/)[0]}" is not allowed`,
          range: source.range(start, start + text.length),
          detail: 'studies are always read as YAML 1.2; remove the line',
        }),
      )
    } else if (text !== '' && !text.startsWith('#')) {
      break
    }
    start += line.length + 1
  }
  return found
}

/** The bracket or quote without a partner, if that is the fault. */
function unpairedMark(faults: readonly YAMLError[], source: SourceText): Diagnostic | null {
  if (faults.length === 0) return null
  // For a key over several lines the parser reports the beginning, however far after it the cause is.
  const placed = faults.filter(({ code }) => code !== 'MULTILINE_IMPLICIT_KEY')
  const noticedAt = Math.min(...(placed.length > 0 ? placed : faults).map(({ pos }) => pos[0]))
  const found = findUnpaired(source.text, noticedAt)
  if (found === null) return null
  const range = source.range(found.at, found.at + 1)
  if (found.kind === 'unopened') {
    const summary = `YAML syntax: this ${found.mark} closes nothing`
    return diagnose('S1001', { summary, range, detail: 'remove it, or add the bracket that it should close' })
  }
  const noticed = source.range(noticedAt, noticedAt).start
  const isLater = noticed.line > range.start.line
  return diagnose('S1001', {
    summary: `YAML syntax: this ${isQuote(found.mark) ? 'quote' : found.mark} is not closed`,
    range,
    detail: `add the missing ${found.missing}${isLater ? `; the text up to line ${noticed.line} was read as part of it` : ''}`,
  })
}

const isQuote = (mark: string): boolean => mark === '"' || mark === "'"

function syntaxError(fault: YAMLError, source: SourceText): Diagnostic {
  const range = source.range(fault.pos[0], Math.max(fault.pos[1], fault.pos[0] + 1))
  const colon = colonWithoutSpace(fault, source)
  if (colon !== null)
    return diagnose('S1001', { summary: 'YAML syntax: a space is missing after this colon', range: colon })
  switch (fault.code) {
    case 'TAB_AS_INDENT':
      return diagnose('S1002', { summary: 'tab used for indentation', range, detail: 'use spaces' })
    case 'MULTIPLE_DOCS':
      return diagnose('S1006', {
        summary: 'a second document starts here',
        range: source.range(fault.pos[0], fault.pos[0] + 3),
        detail: 'a study file holds one document; put the other one into a file of its own',
      })
    case 'NON_STRING_KEY':
      return diagnose('S1010', {
        summary: 'this key is not text',
        range,
        detail: 'put a name that starts with [, { or * in quotes',
      })
    case 'RESOURCE_EXHAUSTION':
      return diagnose('S1008', {
        // The library reports a stack overflow, whose depth depends on the machine.
        summary: `nested more than ${MAX_DEPTH} levels deep`,
        range: source.range(0, 0),
      })
  }
  return diagnose('S1001', { summary: `YAML syntax: ${lowerFirst(fault.message)}`, range })
}

/** In `name:demo` there is no key. The parser notices that where the next line begins, and reports lines or values. */
function colonWithoutSpace({ code, pos }: YAMLError, source: SourceText): SourceRange | null {
  if (code !== 'MULTILINE_IMPLICIT_KEY' && code !== 'MISSING_CHAR') return null
  const start = source.text.lastIndexOf('\n', pos[0] - 1) + 1
  const before = /^[ \t]*(?:- +)?[\w.-]+:(?![\s/])/.exec(source.text.slice(start))?.[0]
  return before === undefined ? null : source.range(start + before.length - 1, start + before.length)
}

function notAStudy(isEmpty: boolean, range: SourceRange): Diagnostic {
  return diagnose('S1013', {
    summary: isEmpty ? 'the file is empty' : 'the file does not hold a map of keys and values',
    range,
    detail: 'a study starts with "version: 1", with a space after the colon',
  })
}

function hexadecimal(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
