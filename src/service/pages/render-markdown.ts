import { markdownSections, markdownText } from '../../base/document/markdown-blocks.ts'
import { type Document, under } from './document.ts'

/** A document as Markdown: title, lead as a quotation, sections. Own addresses become absolute under `baseUrl`. */
export function renderMarkdown(document: Document, baseUrl: string): string {
  const { title, lead, sections } = under(baseUrl, document)
  return [`# ${title}`, '', `> ${markdownText(lead)}`, '', ...markdownSections(sections)].join('\n')
}
