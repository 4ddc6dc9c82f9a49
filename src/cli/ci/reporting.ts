import { escapeText } from '../../base/text/escape-text.ts'
import { SetupError } from '../../local/setup-error.ts'
import { codeLines, codeText } from '../../report/markdown-text.ts'
import { EXIT_CODES } from '../../run/exit-code.ts'
import { isForGitHub, type ReporterChoice } from '../options/option-values.ts'
import { writeCommands } from '../output/output-guard.ts'
import type { Terminal } from '../output/terminal.ts'
import { annotationCommands, pathInRepository } from './annotations.ts'
import { headingOf } from './command-page.ts'
import type { Finding, FindingPlace } from './findings.ts'
import { appendSummary, type Summary } from './step-summary.ts'

/** How a command speaks to the CI system that it runs in, beside its log. */
export interface Reporting {
  /** What the page of the run should say, made only where there is one; the last one counts. */
  show(makeContent: () => PageContent): void
}

export interface ReportingOptions {
  /** As it was typed: `run`. */
  readonly command: string
  readonly flags: { readonly reporter?: ReporterChoice }
  readonly env: NodeJS.ProcessEnv
  readonly terminal: Terminal
}

/**
 * Does a command's `work` with whatever the reporter of its choice needs around it: what was found becomes annotations and a
 * summary at the end, also of a command that cannot go on.
 */
export async function withReporting(
  { command, flags, env, terminal }: ReportingOptions,
  work: (reporting: Reporting) => Promise<number>,
): Promise<number> {
  const isGitHub = isForGitHub(flags.reporter, env)
  let makePage: (() => PageContent) | null = null
  try {
    return await work({
      show: (makeContent) => {
        makePage = makeContent
      },
    })
  } catch (error) {
    makePage = () => pageOf(command, error)
    throw error
  } finally {
    if (isGitHub && makePage !== null) await writePage((makePage as () => PageContent)(), terminal, env)
  }
}

function pageOf(command: string, error: unknown): PageContent {
  const isKnown = error instanceof SetupError
  const exitCode = isKnown ? error.exitCode : EXIT_CODES.unexpected_error
  const message = isKnown
    ? error.message
    : `unexpected error: ${error instanceof Error ? error.message : String(error)}`
  const lines = isKnown && error.hint !== null ? [message, error.hint] : [message]
  const heading = headingOf(command, null, exitCode)
  return {
    findings: [
      { level: 'error', title: `exit code ${exitCode}`, message: lines.map(escapeText).join('\n'), place: null },
    ],
    summary: { heading, lead: [], tables: [] },
  }
}

/** What a command tells on the pages of GitHub: findings as annotations, and a summary with the same findings as a table. */
export interface PageContent {
  readonly summary: Summary
  readonly findings: readonly Finding[]
}

/** Annotations go to stderr, whose lines the runner reads as it does those of stdout, which carries data only. */
export async function writePage(content: PageContent, terminal: Terminal, env: NodeJS.ProcessEnv): Promise<void> {
  const { summary, findings } = content
  writeCommands(terminal.stderr, annotationCommands(findings, env))
  const path = env.GITHUB_STEP_SUMMARY
  if (!path) return
  const told = findings.map(({ level, title, message, place }) => [
    level,
    codeText(title),
    place === null ? '' : codeText(placeText(place, env)),
    codeLines(message),
  ])
  const table = { heading: 'Findings', columns: ['Level', 'What', 'Where', 'Message'], rows: told }
  try {
    await appendSummary(path, { ...summary, tables: [...summary.tables, table] })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    terminal.stderr.write(`warning: GITHUB_STEP_SUMMARY cannot be written (${code}); everything else is unaffected\n`)
  }
}

function placeText({ file, line }: FindingPlace, env: NodeJS.ProcessEnv): string {
  const path = pathInRepository(file, env)
  return line === undefined ? path : `${path}:${line}`
}
