import { escapeText } from '../text/escape-text.ts'
import { type Block, paragraph, type Row, type Section, type Table } from './block.ts'
import { Markup } from './markup.ts'
import { isEmpty, type Part, strong, type Text } from './text.ts'

/** Sections as GitHub Flavored Markdown, line by line; one that shows nothing is left out. */
export const markdownSections = (sections: readonly Section[]): string[] =>
  sections.flatMap(({ title, blocks }) => {
    const lines = markdownBlocks(blocks)
    return lines.length === 0 ? [] : [`## ${title}`, '', ...lines]
  })

/** Blocks as GitHub Flavored Markdown, line by line. Names and messages are code, so none becomes markup, a link or a mention. */
const markdownBlocks = (blocks: readonly Block[]): string[] => blocks.flatMap(linesOf)

function linesOf(block: Block): string[] {
  if (block === null || block === false || block instanceof Markup) return []
  if (block.only === 'page') return []
  switch (block.kind) {
    case 'heading':
      return headingLines(block.text)
    case 'paragraph':
      return isEmpty(block.text) ? [] : [markdownText(block.text).trim(), '']
    case 'alerts':
      return block.items.flatMap(({ text }) => [`> ${markdownText(text)}`, ''])
    case 'list':
      return [...block.items.map((item, i) => `${block.isOrdered ? `${i + 1}.` : '-'} ${markdownText(item)}`), '']
    case 'code':
      return [`\`\`\`${block.language}`, ...block.code.split('\n'), '```', '']
    case 'terms':
      return [
        ...block.entries.flatMap(([term, of]) => (isEmpty(of) ? [] : [`- ${markdownText(term)}: ${markdownText(of)}`])),
        '',
      ]
    case 'table':
      return block.rows.length === 0 ? [] : tableLines(block)
    case 'fold':
      return markdownBlocks(block.blocks)
    case 'figure':
      return tableLines({ ...block.table, notes: [paragraph(block.caption), ...(block.table.notes ?? [])] })
  }
}

function tableLines(of: Table): string[] {
  const { head, rows } = markdownTable(of)
  const title = of.isBare ? [] : headingLines(of.title)
  return [...title, ...markdownBlocks(of.notes ?? []), ...head, ...rows, '']
}

const headingLines = (of: Text): string[] => [`### ${markdownText(of)}`, '']

/** The lines of a table: its head, and its rows. */
export function markdownTable({ columns, rows }: Pick<Table, 'columns' | 'rows'>): {
  readonly head: readonly string[]
  readonly rows: readonly string[]
} {
  const heads = columns.map((column, i) =>
    typeof column === 'object' && column !== null && 'words' in column
      ? { text: column.words, isNumber: false }
      : { text: column, isNumber: i > 0 },
  )
  return {
    head: [line(heads.map(({ text }) => text)), line(heads.map(({ isNumber }) => (isNumber ? '---:' : '---')))],
    rows: rows.map((row) => line(cellsOf(row))),
  }
}

const line = (cells: readonly Text[]): string => `| ${cells.map(markdownText).join(' | ')} |`

function cellsOf(row: Row): readonly Text[] {
  if ('heading' in row) return [strong(row.heading)]
  return 'outstanding' in row ? row.outstanding : row
}

/** What begins or ends markup. An underscore inside a word does neither (GitHub Flavored Markdown, section 6.4). */
const MARKS = /[\\`*[\]<>|]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu

/** A text as Markdown that a cell of a table can hold. */
export function markdownText(of: Text): string {
  if (of === null || of === undefined || of === false) return ''
  if (Array.isArray(of)) return of.map(markdownText).join('')
  if (typeof of === 'object') return partText(of as Part)
  return String(of).replaceAll(MARKS, String.raw`\$&`)
}

function partText(one: Part): string {
  const { part, of } = one
  switch (part) {
    case 'link':
      return `[${markdownText(of)}](${one.href})`
    case 'name':
    case 'code':
      return codeText(String(of))
    case 'verbatim':
      return `\`${String(of).replaceAll('|', String.raw`\|`)}\``
    case 'markdown':
      return String(of)
    case 'asked':
    case 'lines':
      return isEmpty(of) ? '' : String(of).split('\n').map(codeText).join('<br>')
    case 'strong':
    case 'bad':
      return `**${markdownText(of)}**`
    case 'muted':
      return markdownText(of)
  }
}

/** Characters that could end a code span or a table cell; a code span reads no other Markdown. */
const ENDS_CODE = /[`|\\]|^ | $|^$/

/**
 * Text of unknown origin, as code: it cannot become markup, a link, a mention or HTML. Text that a code span cannot
 * hold in a table cell becomes an element with every mark as a character reference, which no reader of Markdown takes
 * for markup.
 */
export function codeText(text: string): string {
  const shown = escapeText(text)
  if (!ENDS_CODE.test(shown)) return `\`${shown}\``
  return `<code>${shown.replaceAll(/[^\p{L}\p{N} ]/gu, (mark) => `&#${mark.codePointAt(0)};`)}</code>`
}
