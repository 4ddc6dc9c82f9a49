/**
 * How pages and text guides are written: words in, blocks of `base/document` out. Words may contain `code` in backticks and
 * [links](/docs); addresses that begin with a slash are the service's own.
 */
import {
  type Block,
  type Code,
  type Heading,
  heading as headingOf,
  type List,
  type Paragraph,
  paragraph,
  type Section,
  type Table,
  table as tableOf,
  worded,
} from '../../base/document/block.ts'
import { type Text, verbatim } from '../../base/document/text.ts'

export interface Document {
  readonly title: string
  /** One or two sentences under the title. */
  readonly lead: string
  readonly sections: readonly Section[]
}

export type { Block, Section }

export const text = (words: string): Paragraph => paragraph(written(words))
export const list = (...items: string[]): List => ({ kind: 'list', items: items.map(written) })
export const steps = (...items: string[]): List => ({ ...list(...items), isOrdered: true })
export const code = (language: string, lines: string): Code => ({ kind: 'code', language, code: lines.trim() })
export const heading = (words: string): Heading => headingOf(written(words))
/** A heading or a sentence before it says what it is. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): Table =>
  tableOf(
    head.join(', '),
    head.map((words) => worded(written(words))),
    rows.map((row) => row.map(written)),
    { isBare: true, stacks: true },
  )

/** Words with their code and links. */
export function written(words: string): Text {
  const parts: Text[] = []
  let end = 0
  for (const match of words.matchAll(/`([^`]+)`|\[([^\]]+)\]\(([^()\s]+)\)/g)) {
    const [all, codeText, label = '', href = ''] = match
    parts.push(words.slice(end, match.index))
    parts.push(codeText === undefined ? { part: 'link', of: written(label), href } : verbatim(codeText))
    end = match.index + all.length
  }
  return [...parts, words.slice(end)]
}

/** A document whose own addresses have a root, such as `/synthetic` or `https://data.example`. */
export const under = (
  root: string,
  { title, lead, sections }: Document,
): Omit<Document, 'lead'> & { readonly lead: Text } => rooted({ title, lead: written(lead), sections }, root)

/** Words and blocks are plain records. */
function rooted<T>(value: T, root: string): T {
  if (Array.isArray(value)) return value.map((one) => rooted(one, root)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, one]) => [
    key,
    key === 'href' && String(one).startsWith('/') ? `${root}${one}` : rooted(one, root),
  ])
  return Object.fromEntries(entries) as T
}
