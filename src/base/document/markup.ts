import { showMisleading } from '../text/escape-text.ts'
import type { Part, StyledPart, Text } from './text.ts'

/** HTML or SVG. Only `html` makes it, so a text of a study or a service cannot become markup without its escape. */
export class Markup {
  readonly text: string
  private constructor(text: string) {
    this.text = text
  }
  /** The values are escaped, those that are markup are not; null, undefined and false leave nothing. */
  static of(strings: readonly string[], values: readonly MarkupValue[]): Markup {
    return new Markup(strings.map((part, i) => (i === 0 ? part : `${escaped(values[i - 1])}${part}`)).join(''))
  }
}

export type MarkupValue = Markup | Text | readonly MarkupValue[]

/** Markup from a template. Every attribute stands in double quotes. No value belongs into a script, a style or a URL. */
export const html = (strings: TemplateStringsArray, ...values: MarkupValue[]): Markup => Markup.of(strings, values)

function escaped(value: MarkupValue): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Markup) return value.text
  if (Array.isArray(value)) return value.map(escaped).join('')
  if (typeof value === 'object') return ofPart(value as Part)
  return escapeHtml(String(value))
}

function ofPart(one: Part): string {
  if (one.part === 'link') return `<a href="${escapeHtml(one.href)}">${escaped(one.of)}</a>`
  const [open, close] = PARTS[one.part]
  return `${open}${escaped(one.of)}${close}`
}

const PARTS: { readonly [P in StyledPart['part']]: readonly [open: string, close: string] } = {
  name: ['<bdi>', '</bdi>'],
  code: ['<code>', '</code>'],
  verbatim: ['<code>', '</code>'],
  lines: ['<span dir="auto">', '</span>'],
  asked: ['<span class="asked" dir="auto">', '</span>'],
  markdown: ['', ''],
  strong: ['<strong>', '</strong>'],
  bad: ['<strong class="bad">', '</strong>'],
  muted: ['<span class="muted">', '</span>'],
}

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Characters that HTML does not allow, and lone surrogates, become U+FFFD; those that reorder or hide text become visible. */
export function escapeHtml(text: string): string {
  return showMisleading(text)
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => NAMED[character] as string)
}
