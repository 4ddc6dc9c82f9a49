import type { Diagnostic } from '../../spec/diagnostic.ts'
import { escapeJson } from '../../spec/escape-text.ts'
import { diagnosticToJson } from '../../spec/render-diagnostic.ts'

/** The one JSON document that `--json` writes to stdout (study language, "Output streams"). */
export function jsonDocument(result: {
  readonly command: string
  readonly exitCode: number
  readonly data: unknown
  readonly diagnostics: readonly Diagnostic[]
}): string {
  const document = {
    format_version: 1,
    command: result.command,
    ok: result.exitCode === 0,
    exit_code: result.exitCode,
    data: result.data,
    diagnostics: result.diagnostics.map(diagnosticToJson),
  }
  return `${escapeJson(JSON.stringify(document, null, 2))}\n`
}
