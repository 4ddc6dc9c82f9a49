import { escapeText } from '../../base/text/escape-text.ts'
import { wrapped } from '../../base/text/fit-text.ts'

/** A terminal that does not know its width says 0. */
const DEFAULT_WIDTH = 80

/**
 * The error that ends a command, with its line feed: in lines of the terminal's width, and in a log on one line, where it is
 * searched for.
 */
export function errorText(message: string, { isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>): string {
  return isTTY ? wrapped('error: ', message, columns || DEFAULT_WIDTH) : `error: ${escapeText(message)}\n`
}
