import { escapeJson } from '../../base/text/escape-text.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import { capDiagnostics, diagnosticToJson } from '../../study/diagnostics/render-diagnostic.ts'

/** The most diagnostics of one code in a document: enough for a program to list, and a bound for hostile files. */
const MOST_OF_A_CODE = 1000

/** The result of a command. */
export interface CommandResult {
  /** As it was typed: `operator tenants`. */
  readonly command: string
  /** Default 0. */
  readonly exitCode?: number
  readonly data: unknown
  readonly diagnostics?: readonly Diagnostic[]
}

/** Prints a result on stdout, as one JSON document or as text. Returns the exit code. */
export function printResult(flags: { readonly json?: boolean }, result: CommandResult, text: () => string): number {
  process.stdout.write(flags.json ? jsonDocument(result) : text())
  return result.exitCode ?? 0
}

/**
 * The one JSON document that `--json` writes to stdout (study language, "Output streams"). If diagnostics are left out,
 * `diagnostics_omitted` has their number by code.
 */
export function jsonDocument({ command, exitCode = 0, data, diagnostics = [] }: CommandResult): string {
  made += 1
  const { shown, omitted } = capDiagnostics(diagnostics, MOST_OF_A_CODE)
  const document = {
    format_version: 1,
    command,
    ok: exitCode === 0,
    exit_code: exitCode,
    data,
    diagnostics: shown.map(diagnosticToJson),
    ...(omitted.size === 0 ? {} : { diagnostics_omitted: Object.fromEntries(omitted) }),
  }
  return `${escapeJson(JSON.stringify(document, null, 2))}\n`
}

let made = 0

/** JSON documents made by this process so far. A command prints one, and an error after it prints none. */
export const documentsMade = (): number => made
