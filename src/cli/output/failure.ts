import type { Command } from 'commander'
import { escapeText } from '../../base/text/escape-text.ts'
import { SetupError } from '../../local/setup-error.ts'
import { EXIT_CODES } from '../../runner/interface/exit-code.ts'
import { documentsMade, jsonDocument } from './json-document.ts'
import { writePast } from './output-guard.ts'

/** What to do after an unexpected error. The journal is forced to disk before each request that costs anything. */
export const RUN_AGAIN = 'Run the same command again. What was paid for is kept and not bought twice.'
const START_AGAIN = 'Start the service again. It continues with the unfinished jobs.'

/** A longer message is somebody's data. */
const MOST_MESSAGE = 500

/** An unexpected error as it is printed: what happened and what to do, in a sentence each. */
export interface Unexpected {
  readonly error: SetupError
  /** The stack follows with --verbose, and in the log of a service, which its operator reads. */
  readonly text: string
}

export function unexpected(thrown: unknown, argv: readonly string[]): Unexpected {
  const isService = argv[2] === 'serve'
  const message = `whatif ended on an unexpected error: ${messageOf(thrown)}`
  const error = new SetupError(EXIT_CODES.unexpected_error, message, isService ? START_AGAIN : RUN_AGAIN)
  const stack = isService || argv.includes('--verbose') || argv.includes('-v') ? stackOf(thrown) : ''
  return { error, text: `error: ${message}\n${error.hint}\n${stack}` }
}

/**
 * From here on, an uncaught exception or rejection is reported and ends the process with exit code 1, because the state of
 * the process cannot be relied on. A command with --json prints its document first.
 */
export function endOnUncaught(argv: readonly string[], programOf: () => Command | null): void {
  // Later exceptions, while the first is being written, say less.
  process.once('uncaughtException', (thrown) => {
    process.on('uncaughtException', () => {})
    const { error, text } = unexpected(thrown, argv)
    const { exitCode } = error
    const whatif = documentsMade() === 0 ? programOf() : null
    const document = whatif === null ? '' : (faultDocument(whatif, argv, { exitCode, error }) ?? '')
    // The live list hides the cursor.
    const shown = process.stderr.isTTY ? `\u001b[?25h\n${text}` : text
    writePast(process.stdout, document, () => writePast(process.stderr, shown, () => process.exit(exitCode)))
  })
}

/** Name and message in one line, as in `TypeError: x is not a function.` */
function messageOf(thrown: unknown): string {
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)
  const line = escapeText(text.replace(/\s+/g, ' ').trim())
  if (line.length > MOST_MESSAGE) return `${line.slice(0, MOST_MESSAGE)}...`
  return /[.!?]$/.test(line) ? line : `${line}.`
}

function stackOf(thrown: unknown): string {
  const lines = thrown instanceof Error ? (thrown.stack ?? '').split('\n') : []
  return lines
    .filter((line) => /^\s+at /.test(line))
    .map((line) => `${escapeText(line)}\n`)
    .join('')
}

/** `serve --json` prints a line of addresses, and nothing if there are none. */
const NO_DOCUMENT: ReadonlySet<string> = new Set(['serve'])

/**
 * The JSON document of a command that could not begin or broke off: with --json there is one on stdout however a command ends
 * (study language, "Output streams"). Null without --json.
 */
export function faultDocument(
  whatif: Command,
  argv: readonly string[],
  fault: { readonly exitCode: number; readonly error: unknown },
): string | null {
  const command = askedAsJson(whatif, argv)
  if (command === null) return null
  const { exitCode, error } = fault
  const message = (error instanceof Error ? error.message : String(error)).replace(/^error: /, '')
  const hint = error instanceof SetupError ? error.hint : null
  return jsonDocument({ command, exitCode, data: { message, hint } })
}

/** The command of a line that has `--json` and knows it, by its whole name: `operator tenants`. */
function askedAsJson(whatif: Command, argv: readonly string[]): string | null {
  const end = argv.indexOf('--')
  const words = argv.slice(2, end < 0 ? argv.length : end)
  if (!words.includes('--json')) return null
  const names: string[] = []
  let command = whatif
  for (const word of words) {
    const next = command.commands.find((known) => known.name() === word)
    if (next === undefined) break
    names.push(word)
    command = next
  }
  const name = names.join(' ')
  if (NO_DOCUMENT.has(name)) return null
  return command.options.some((option) => option.long === '--json') ? name : null
}
