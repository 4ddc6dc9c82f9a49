export interface XmlElement {
  readonly tag: string
  readonly attributes: Record<string, string>
  /** Tag of the first element inside; null when there is none. */
  child: string | null
}

/** What XML 1.0 allows in a document (section 2.2), outside of the two planes' surrogates. */
const CHARACTERS = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u
const TOKEN = /<\?xml [^?]*\?>|<!--(?:(?!--)[\s\S])*-->|<\/?[\w:-]+(?:\s+[\w:-]+="[^"<]*")*\s*\/?>|[^<]+/gy
const REFERENCES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Reads a document of elements, attributes and text, and throws where it is not well-formed. */
export function readXml(text: string): { root: Record<string, string>; elements: XmlElement[] } {
  if (!CHARACTERS.test(text)) throw new Error('a character that XML does not allow')
  const elements: XmlElement[] = []
  const open: XmlElement[] = []
  let at = 0
  for (const [token] of text.matchAll(TOKEN)) {
    at += token.length
    if (token.startsWith('<?') || token.startsWith('<!--')) continue
    if (!token.startsWith('<')) unescaped(token)
    else if (token.startsWith('</')) {
      if (open.pop()?.tag !== token.slice(2, -1)) throw new Error(`${token} closes another element`)
    } else {
      const element = elementOf(token)
      if (open.length === 0 && elements.length > 0) throw new Error('a second root')
      if (open.length > 0) open.at(-1)!.child ??= element.tag
      elements.push(element)
      if (!token.endsWith('/>')) open.push(element)
    }
  }
  if (at < text.length) throw new Error(`not XML: ${text.slice(at, at + 80)}`)
  if (open.length > 0) throw new Error(`${open.at(-1)!.tag} is not closed`)
  return { root: { ...elements[0]!.attributes, name: elements[0]!.tag }, elements }
}

function elementOf(token: string): XmlElement {
  const attributes: Record<string, string> = {}
  for (const [, name, value] of token.matchAll(/([\w:-]+)="([^"]*)"/g)) {
    if (name! in attributes) throw new Error(`${name} stands twice`)
    attributes[name!] = unescaped(value!)
  }
  return { tag: /^<([\w:-]+)/.exec(token)![1]!, attributes, child: null }
}

function unescaped(text: string): string {
  return text.replaceAll(/&([^;]*);?/g, (reference, name: string) => {
    const character = reference.endsWith(';') ? REFERENCES[name] : undefined
    if (character === undefined) throw new Error(`${reference} is no reference`)
    return character
  })
}
