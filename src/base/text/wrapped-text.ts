import { escapeText } from './escape-text.ts'

/**
 * Text in lines of at most `width` characters, the later ones indented like the first word after `label`. Words are not cut.
 * Both are escaped: they may be what a stranger wrote.
 */
export function wrapped(label: string, text: string, width: number): string {
  const lines: string[] = []
  let line = escapeText(label)
  const indent = ' '.repeat([...line].length)
  let isBare = true
  for (const word of escapeText(text).split(' ')) {
    if (!isBare && [...line].length + 1 + [...word].length > width) {
      lines.push(line)
      line = indent
      isBare = true
    }
    line += isBare ? word : ` ${word}`
    isBare = false
  }
  lines.push(line)
  return `${lines.map((one) => one.trimEnd()).join('\n')}\n`
}
