/**
 * The content of pages and text guides, before it becomes HTML or Markdown. Text may contain `code` in backticks and
 * [links](/docs); addresses that begin with a slash are the service's own.
 */
export interface Document {
  readonly title: string
  /** One or two sentences under the title. */
  readonly lead: string
  readonly sections: readonly Section[]
}

export interface Section {
  /** For links into the document. */
  readonly id: string
  readonly title: string
  readonly blocks: readonly Block[]
}

export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[]; readonly isOrdered?: boolean }
  | { readonly kind: 'code'; readonly language: string; readonly code: string }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'heading'; readonly text: string }

export const text = (words: string): Block => ({ kind: 'text', text: words })
export const list = (...items: string[]): Block => ({ kind: 'list', items })
export const steps = (...items: string[]): Block => ({ kind: 'list', items, isOrdered: true })
export const code = (language: string, lines: string): Block => ({ kind: 'code', language, code: lines.trim() })
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): Block => ({
  kind: 'table',
  head,
  rows,
})
export const heading = (words: string): Block => ({ kind: 'heading', text: words })

/** A run of characters of one kind. */
export type Span =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }

/** Splits text at its code and links. */
export function spansOf(words: string): Span[] {
  const spans: Span[] = []
  let end = 0
  for (const match of words.matchAll(/`([^`]+)`|\[([^\]]+)\]\(([^()\s]+)\)/g)) {
    if (match.index > end) spans.push({ kind: 'text', text: words.slice(end, match.index) })
    const [all, code, label, href] = match
    spans.push(
      code !== undefined ? { kind: 'code', text: code } : { kind: 'link', text: label ?? '', href: href ?? '' },
    )
    end = match.index + all.length
  }
  if (end < words.length) spans.push({ kind: 'text', text: words.slice(end) })
  return spans
}
