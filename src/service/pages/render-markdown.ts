import { type Block, type Document, type Section, spansOf } from './document.ts'

/** A document as Markdown: title, lead as a quotation, sections. Own addresses become absolute under `baseUrl`. */
export function renderMarkdown({ title, lead, sections }: Document, baseUrl: string): string {
  const parts = [`# ${title}`, `> ${inline(lead, baseUrl)}`, ...sections.map((section) => sectionOf(section, baseUrl))]
  return `${parts.join('\n\n')}\n`
}

function sectionOf({ title, blocks }: Section, baseUrl: string): string {
  return [`## ${title}`, ...blocks.map((block) => blockOf(block, baseUrl))].join('\n\n')
}

function blockOf(block: Block, baseUrl: string): string {
  switch (block.kind) {
    case 'text':
      return inline(block.text, baseUrl)
    case 'heading':
      return `### ${inline(block.text, baseUrl)}`
    case 'code':
      return `\`\`\`${block.language}\n${block.code}\n\`\`\``
    case 'list':
      return block.items
        .map((item, index) => `${block.isOrdered ? `${index + 1}.` : '-'} ${inline(item, baseUrl)}`)
        .join('\n')
    case 'table':
      return [block.head, block.head.map(() => '---'), ...block.rows]
        .map((cells) => `| ${cells.map((cell) => inline(cell, baseUrl).replaceAll('|', '\\|')).join(' | ')} |`)
        .join('\n')
  }
}

function inline(words: string, baseUrl: string): string {
  return spansOf(words)
    .map((span) => {
      if (span.kind === 'code') return `\`${span.text}\``
      if (span.kind === 'link') return `[${span.text}](${span.href.startsWith('/') ? baseUrl : ''}${span.href})`
      return span.text
    })
    .join('')
}
