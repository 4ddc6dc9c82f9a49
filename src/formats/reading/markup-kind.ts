/** Text with tags: web pages, XML, and what is saved under the name of a workbook but is one of these. */

/** Letters in which the first rows of a page are looked for. */
const MOST_LETTERS = 16_384

const BEGINS_WITH_TAG = /^<([a-z][\w:.-]*)(?:\s[^<>]*)?>/i
const BEFORE_TAGS = /^(?:<\?xml\b[^>]*\?>|<!doctype[^>]*>|<!--[\s\S]*?-->|\s)+/i
const DECLARES = /<\?xml\b|<!doctype\b/i
const EXCEL_XML = 'urn:schemas-microsoft-com:office:spreadsheet'
const SAVED = 'Open it in Excel and save it as .xlsx.'

/**
 * What a text with tags is, as the rest of a sentence that begins "The file is"; null: it may be a table. A header such as
 * `<b>town</b>,age` has a tag as well, so a text without a declaration needs a tag behind the first one, and no text with
 * separators between the tags of that line.
 */
export function markupKind(head: string): string | null {
  const text = head.slice(0, MOST_LETTERS).trimStart()
  const before = BEFORE_TAGS.exec(text)?.[0] ?? ''
  if (!DECLARES.test(before) && !isTagged(text.slice(before.length))) return null
  if (text.includes(EXCEL_XML) && /<(?:\w+:)?Workbook\b/.test(text)) {
    return `a spreadsheet in XML, as Excel 2003 wrote it, which cannot be read. ${SAVED}`
  }
  if (/<table\b/i.test(text) && /<tr\b/i.test(text)) {
    return `a web page with a table, which some programs save under the name of a workbook. ${SAVED}`
  }
  return 'a web page or XML, not a table (perhaps a login page saved instead of a download).'
}

function isTagged(body: string): boolean {
  const tag = BEGINS_WITH_TAG.exec(body)
  if (tag === null) return false
  if (/^html$/i.test(tag[1]!)) return true
  if (!body.slice(tag[0].length).trimStart().startsWith('<')) return false
  const [line = ''] = body.split(/[\r\n]/, 1)
  return !/[,;\t|]/.test(line.replace(/<[^<>]*>/g, ''))
}
