import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  Lexer,
  type Node,
  parseDocument,
  Scalar,
  type ScalarTag,
  type Tags,
  visit,
  YAMLMap,
  YAMLSeq,
} from 'yaml'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { MAX_STUDY_BYTES } from '../diagnostics/limits.ts'
import { checkShape } from '../shape/check-shape.ts'
import { type LocatedNode, nameText } from '../yaml/located-node.ts'
import { parseYaml } from '../yaml/parse-yaml.ts'
import { SourceText } from '../yaml/source-text.ts'
import { quoteNames } from './quote-names.ts'

/** Columns that a line should keep to. Only collections are broken, never text. */
const WIDTH = 100

const INDENT = 2

export type FormattedStudy =
  | { readonly kind: 'formatted'; readonly text: string }
  | { readonly kind: 'invalid'; readonly diagnostics: readonly Diagnostic[] }
  /** Its canonical form has more bytes than a study may have. */
  | { readonly kind: 'too-large' }

/**
 * A study in canonical form. A study with faults of syntax or shape has none: formatting must not make a decimal comma
 * that became two entries look intended.
 */
export function formatStudy(text: string, options: { readonly filename: string }): FormattedStudy {
  const { root, diagnostics } = parseYaml(new SourceText(text, options.filename))
  if (root === null) return { kind: 'invalid', diagnostics }
  const faults = checkShape(root).filter((d) => d.severity === 'error')
  if (faults.length > 0) return { kind: 'invalid', diagnostics: faults }
  const formatted = formatText(quoteNames(text, root))
  return formatted === null ? { kind: 'too-large' } : { kind: 'formatted', text: formatted }
}

/**
 * YAML as studies are written: two spaces of indentation, LF, no trailing space, single blank lines, double quotes, `{
 * a: 1 }` and `[a, b]` on one line where they fit 100 columns and as blocks where they do not. Names that other YAML
 * readers would change get quotes. Sequence, comments, anchors and the spelling of numbers stay. The result has the
 * same data and comments, which is checked, and formatting it again changes nothing. Null when it would be larger than
 * a study may be. `text` has passed `parseYaml`.
 */
export function formatText(text: string): string | null {
  const source = new SourceText(text, '')
  const { root } = parseYaml(source)
  // A name that was given quotes may take its line past the width, so a second pass is needed.
  const formatted = render(render(source.text))
  if (Buffer.byteLength(formatted) > MAX_STUDY_BYTES) return null
  const { root: again } = parseYaml(new SourceText(formatted, ''))
  const isSame = root !== null && again !== null && sameData(root, again)
  if (!isSame || commentsOf(formatted) !== commentsOf(source.text))
    throw new Error('formatting would change the meaning of the study; nothing was written')
  return formatted
}

function render(text: string): string {
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    stringKeys: true,
    uniqueKeys: false,
    merge: false,
    // Text that YAML 1.1 would not read as text is quoted.
    compat: 'yaml-1.1',
    customTags: (tags) => tags.map(asWritten),
  })
  arrange(document)
  return document.toString({ indent: INDENT, lineWidth: 0, minContentWidth: 0 })
}

/** Numbers come out as they were spelled. */
function asWritten(tag: Tags[number]): Tags[number] {
  if (typeof tag === 'string' || !/:(?:int|float)$/.test(tag.tag)) return tag
  return { ...(tag as ScalarTag), stringify: (item) => item.source ?? String(item.value) }
}

/** Decides the form of each node: its quotes, and which collections are on one line. */
function arrange(document: Document.Parsed): void {
  // A document start marker has no meaning here.
  if (document.directives !== undefined) document.directives.docStart = null
  const blocks = new Set<unknown>()
  visit(document, {
    Scalar: (_, node) => {
      if (node.type === Scalar.QUOTE_SINGLE && !/["\\]/.test(String(node.value))) node.type = Scalar.QUOTE_DOUBLE
    },
    Collection: (key, node, path) => {
      const parent = path.findLast(isCollection)
      const isBlock = parent === undefined || blocks.has(parent)
      if (isBlock && node.items.length > 0) {
        const depth = path.filter(isCollection).length
        const pair = path.at(-1)
        const lead = key === 'value' && isPair(pair) ? widthOf(pair.key as Node) + 2 : 2
        const fits = INDENT * Math.max(0, depth - 1) + lead + widthOf(node) <= WIDTH
        if (node.flow !== true || hasComments(node) || !fits) {
          node.flow = false
          blocks.add(node)
        }
      }
      pad(node)
    },
  })
}

/** `{ a: 1 }` with spaces inside, `[a, b]` without: the library has one setting for both. */
function pad(node: YAMLMap | YAMLSeq): void {
  const Kind = isMap(node) ? YAMLMap : YAMLSeq
  const flowCollectionPadding = isMap(node) ? ' ' : ''
  node.toString = function (this: YAMLMap & YAMLSeq, ctx, ...rest) {
    return Kind.prototype.toString.call(this, ctx === undefined ? ctx : { ...ctx, flowCollectionPadding }, ...rest)
  }
}

/** Columns on one line; approximate for quoted text. */
function widthOf(node: unknown): number {
  if (isScalar(node)) {
    const written = node.type === Scalar.PLAIN ? (node.source ?? '') : JSON.stringify(node.value)
    return written.length + (node.anchor === undefined ? 0 : node.anchor.length + 2)
  }
  if (isAlias(node)) return node.source.length + 1
  if (isPair(node)) return widthOf(node.key) + 2 + widthOf(node.value)
  if (!isCollection(node)) return 0
  const items = node.items.reduce<number>((sum, item) => sum + widthOf(item) + 2, 0)
  return items + (isMap(node) ? 2 : 0) + (node.anchor === undefined ? 0 : node.anchor.length + 2)
}

function hasComments(node: YAMLMap | YAMLSeq): boolean {
  let found = false
  visit(node, {
    Node: (_, inner) => {
      found ||= Boolean(inner.commentBefore) || Boolean(inner.comment && inner !== node)
    },
  })
  return found
}

/** The same keys in the same sequence, and values that every later phase reads alike. */
function sameData(a: LocatedNode, b: LocatedNode): boolean {
  if (a.kind === 'scalar')
    return b.kind === 'scalar' && Object.is(a.value, b.value) && (a.value === null || nameText(a) === nameText(b))
  if (a.kind === 'list')
    return (
      b.kind === 'list' && a.items.length === b.items.length && a.items.every((item, i) => sameData(item, b.items[i]!))
    )
  if (b.kind !== 'map' || a.entries.size !== b.entries.size) return false
  const others = [...b.entries.values()]
  return [...a.entries.values()].every((entry, i) => {
    const other = others[i]!
    return entry.key === other.key && sameData(entry.value, other.value)
  })
}

/** Marks in the lexer's tokens that the next token is the text of a scalar, which may begin with `#`. */
const SCALAR_MARK = '\u001F'

function commentsOf(text: string): string {
  const found: string[] = []
  let isText = false
  for (const token of new Lexer().lex(text)) {
    if (!isText && token.startsWith('#')) found.push(token.trim())
    isText = token === SCALAR_MARK
  }
  return found.sort().join('\n')
}
