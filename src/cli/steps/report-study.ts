import type { StudyFile } from '../../local/study-file.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import { renderDiagnostics } from '../../study/diagnostics/render-diagnostic.ts'
import { filesSummaryPage } from '../ci/command-page.ts'
import { findingsOf } from '../ci/findings.ts'
import type { Reporting } from '../ci/reporting.ts'
import { jsonDocument } from '../output/json-document.ts'
import type { Terminal } from '../output/terminal.ts'

/** Reports study files with faults and returns exit code 3. No service was asked. */
export function reportInvalid(
  command: string,
  files: readonly StudyFile[],
  flags: { readonly json?: boolean },
  terminal: Terminal,
  reporting: Pick<Reporting, 'show'> | null = null,
): number {
  const diagnostics = files.flatMap((file) => file.diagnostics)
  if (flags.json) terminal.stdout.write(jsonDocument({ command, exitCode: 3, data: null, diagnostics }))
  else sayDiagnostics(files, diagnostics, terminal)
  reporting?.show(() => {
    const pages = files.map((file) => ({
      name: file.name,
      exitCode: 3,
      findings: findingsOf(file.diagnostics, file.projectRoot),
    }))
    return { summary: filesSummaryPage(command, pages, 3), findings: pages.flatMap(({ findings }) => findings) }
  })
  return 3
}

/** Diagnostics with their excerpts, on stderr. */
export function sayDiagnostics(
  files: readonly StudyFile[],
  diagnostics: readonly Diagnostic[],
  terminal: Terminal,
): void {
  if (diagnostics.length === 0) return
  const sources = new Map(files.map((file) => [file.name, file.text]))
  // A log keeps its lines whole, so that they can be searched.
  const lines = terminal.interactive ? { width: terminal.width } : {}
  terminal.stderr.write(`${renderDiagnostics(diagnostics, { sources, color: terminal.color, ...lines })}\n`)
}
