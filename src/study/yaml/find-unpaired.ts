import { CST, Lexer } from 'yaml'

/** A bracket or quote without its partner. Offsets. */
export interface Unpaired {
  readonly kind: 'unclosed' | 'unopened'
  readonly mark: string
  readonly at: number
  /** The character that would close it. */
  readonly missing: string
}

interface Opener {
  readonly mark: '{' | '['
  readonly at: number
  readonly line: Line
}

interface Line {
  /** Columns before its first token. */
  readonly indent: number
}

interface Quoted {
  readonly mark: string
  readonly at: number
  readonly end: number
  /** Its closing quote is on the line where it began. */
  readonly isWhole: boolean
}

const CLOSERS = { '{': '}', '[': ']' } as const

/**
 * The bracket or quote whose missing partner explains the first syntax error of a text. The parser reports such a fault
 * where the text stops making sense: often lines later, or at the end of the file. Null when the cause is something
 * else.
 */
export function findUnpaired(text: string, firstError: number): Unpaired | null {
  const pairs = new Pairs()
  let offset = 0
  let line: Line = { indent: 0 }
  let isLineStart = true
  let isScalar = false
  /** The lexer has found that the next line begins too far left for the open brackets. */
  let isEnding = false
  for (const source of new Lexer().lex(text)) {
    const type: string | null = isScalar ? 'scalar' : CST.tokenType(source)
    const isMark = !isScalar && (type === 'scalar' || type === 'doc-mode' || type === 'flow-error-end')
    isScalar = !isScalar && type === 'scalar'
    if (type === 'flow-error-end') isEnding = true
    // These are marks without text; a scalar's text is the next token.
    if (isMark) continue
    if (type === 'newline') isLineStart = true
    else if (type !== 'space' && type !== 'comment' && type !== 'byte-order-mark') {
      if (isLineStart) {
        line = { indent: offset - (text.lastIndexOf('\n', offset - 1) + 1) }
        pairs.beginLine(line, source)
        if (isEnding) pairs.endAll()
        isLineStart = false
        isEnding = false
      }
      if (source === '{' || source === '[') pairs.open({ mark: source, at: offset, line })
      else if (source === '}' || source === ']') pairs.close(source, offset)
      else if (type === 'double-quoted-scalar' || type === 'single-quoted-scalar') {
        const quoted = quotedScalar(source, offset)
        // A quote that spans the following lines, up to the next text, should have ended earlier.
        if (!quoted.isWhole && quoted.at <= firstError && isReached(text, quoted.end, firstError))
          return { kind: 'unclosed', mark: quoted.mark, at: quoted.at, missing: quoted.mark }
      }
    }
    offset += source.length
  }
  pairs.endAll()
  const found = pairs.found()
  if (found === null) return null
  // If a bracket closes nothing, the text before it in its line may already be invalid.
  const isFirst =
    found.at <= firstError || (found.kind === 'unopened' && !text.slice(firstError, found.at).includes('\n'))
  return isFirst ? found : null
}

function quotedScalar(source: string, at: number): Quoted {
  const mark = source.charAt(0)
  const isEnded = source.length > 1 && source.endsWith(mark)
  return { mark, at, end: at + source.length, isWhole: isEnded && !source.includes('\n') }
}

/** Whether only white space is between the end of a scalar and a later place, or the place is inside. */
const isReached = (text: string, end: number, place: number): boolean => text.slice(end, place).trim() === ''

/** Brackets as they are opened and closed. */
class Pairs {
  readonly #open: Opener[] = []
  /** Found by indentation: an opener that is still open in a line outside it. */
  #suspect: Opener | null = null
  #unclosed: Opener | null = null
  #unopened: { readonly mark: '}' | ']'; readonly at: number } | null = null

  /** A line begins with this token. */
  beginLine({ indent }: Line, token: string): void {
    if (this.#unclosed !== null) return
    const isCloser = token === '}' || token === ']'
    this.#suspect ??= this.#open.find(({ line }) => (isCloser ? line.indent > indent : line.indent >= indent)) ?? null
  }

  open(opener: Opener): void {
    this.#open.push(opener)
  }

  close(mark: '}' | ']', at: number): void {
    const last = this.#open.at(-1)
    if (last === undefined) {
      this.#unopened ??= { mark, at }
      return
    }
    if (CLOSERS[last.mark] !== mark) {
      this.#unclosed ??= last
      // The mark closes an enclosing bracket of its kind, if there is one.
      if (this.#open.some((opener) => CLOSERS[opener.mark] === mark))
        while (CLOSERS[this.#open.at(-1)!.mark] !== mark) this.#open.pop()
      else return
    }
    this.#open.pop()
  }

  /** No open bracket will be closed. */
  endAll(): void {
    this.#unclosed ??= this.#open[0] ?? null
    this.#open.length = 0
  }

  found(): Unpaired | null {
    if (this.#unclosed !== null) {
      const { mark, at } = this.#suspect ?? this.#unclosed
      return { kind: 'unclosed', mark, at, missing: CLOSERS[mark] }
    }
    if (this.#unopened === null) return null
    const { mark, at } = this.#unopened
    return { kind: 'unopened', mark, at, missing: '' }
  }
}
