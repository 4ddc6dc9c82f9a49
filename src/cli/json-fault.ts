import type { Command } from 'commander'
import { SetupError } from '../local/setup-error.ts'
import { jsonDocument } from './output/json-document.ts'

/** What `serve --json` prints is a line of addresses, and no line says that there are none. */
const NO_DOCUMENT: ReadonlySet<string> = new Set(['serve'])

/**
 * The document of a command that was asked for JSON and could not begin, or broke off: there is one on stdout however a
 * command ends (study language, "Output streams"). Null where it was not asked for.
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
  return jsonDocument({ command, exitCode, data: { message, hint }, diagnostics: [] })
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
