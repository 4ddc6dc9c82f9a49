import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = join(import.meta.dirname, '../../../src/service')

/** A statement as it stands in a source file. */
export interface WrittenStatement {
  /** Below `src/service`. */
  readonly file: string
  readonly text: string
  /** Whether a statement that was sent can be this one: any text may be at the places where it is composed. */
  isSent(sql: string): boolean
}

/** All statements that the service hands to `query`, from its sources. Only literals count. */
export function writtenStatements(): readonly WrittenStatement[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  return files.sort().flatMap((file) => {
    const source = readFileSync(join(SOURCES, file), 'utf8')
    const calls = [...source.matchAll(/\.query(<[^(]*>)?\(\s*(?=['"`])/g)]
    return calls.map(({ index, 0: { length } }) => statementAt(file, source, index + length))
  })
}

function statementAt(file: string, source: string, start: number): WrittenStatement {
  const quote = source[start]
  const parts: string[] = []
  let part = ''
  let at = start + 1
  for (; source[at] !== quote; at++) {
    if (quote === '`' && source.startsWith('${', at)) {
      at = endOfValue(source, at)
      parts.push(part)
      part = ''
    } else part += source[at]
  }
  const escaped = [...parts, part].map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`^${escaped.join('[^]*')}$`)
  return { file, text: source.slice(start + 1, at), isSent: (sql) => pattern.test(sql) }
}

/** Index of the brace that ends a value in a template. */
function endOfValue(source: string, start: number): number {
  let depth = 0
  for (let at = start; at < source.length; at++) {
    if (source[at] === '{') depth++
    else if (source[at] === '}' && --depth === 0) return at
  }
  return source.length
}
