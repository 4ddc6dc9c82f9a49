import { escapeJson } from '../../base/text/escape-text.ts'
import { capDiagnostics } from '../../study/diagnostics/cap-diagnostics.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import { diagnosticToJson } from '../../study/diagnostics/render-diagnostic.ts'

/** Diagnostics of one code in a document: what a program lists, and no more than a hostile file should be able to print. */
const MOST_OF_A_CODE = 1000

/**
 * The one JSON document that `--json` writes to stdout (study language, "Output streams"). Where diagnostics were left out,
 * `diagnostics_omitted` says how many of each code.
 */
export function jsonDocument(result: {
  readonly command: string
  readonly exitCode: number
  readonly data: unknown
  readonly diagnostics: readonly Diagnostic[]
}): string {
  countDocument()
  const { shown, omitted } = capDiagnostics(result.diagnostics, MOST_OF_A_CODE)
  const document = {
    format_version: 1,
    command: result.command,
    ok: result.exitCode === 0,
    exit_code: result.exitCode,
    data: result.data,
    diagnostics: shown.map(diagnosticToJson),
    ...(omitted.size === 0 ? {} : { diagnostics_omitted: Object.fromEntries(omitted) }),
  }
  return `${escapeJson(JSON.stringify(document, null, 2))}\n`
}

let made = 0

/** JSON documents made by this process so far: a command prints one, and a fault that comes after it none. */
export const documentsMade = (): number => made

export function countDocument(): void {
  made += 1
}
