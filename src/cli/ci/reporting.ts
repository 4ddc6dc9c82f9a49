import { escapeText } from '../../base/text/escape-text.ts'
import { SetupError } from '../../local/setup-error.ts'
import { EXIT_CODES } from '../../run/exit-code.ts'
import { isForGitHub, type ReporterChoice } from '../options/reporter-option.ts'
import type { Terminal } from '../output/terminal.ts'
import { headingOf } from './command-page.ts'
import type { PageContent } from './github-page.ts'

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
    if (isGitHub && makePage !== null) await writePageOf(makePage, terminal, env)
  }
}

async function writePageOf(makePage: () => PageContent, terminal: Terminal, env: NodeJS.ProcessEnv): Promise<void> {
  const { writePage } = await import('./github-page.ts')
  await writePage(makePage(), terminal, env)
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
