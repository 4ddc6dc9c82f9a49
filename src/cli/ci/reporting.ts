import { table, worded } from '../../base/document/block.ts'
import { lines, name } from '../../base/document/text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { SetupError } from '../../local/setup-error.ts'
import { EXIT_CODES } from '../../runner/interface/exit-code.ts'
import { isForGitHub, type ReporterChoice } from '../options/option-values.ts'
import { writeCommands } from '../output/output-guard.ts'
import type { Terminal } from '../output/terminal.ts'
import { annotationCommands, inOrder, pathInRepository } from './annotations.ts'
import { headingOf } from './command-page.ts'
import type { Finding, FindingPlace } from './findings.ts'
import { appendSummary, type Summary } from './step-summary.ts'

/** The ways in which a command reports to its CI system, besides its log. */
export interface Reporting {
  /** Sets the content of the run's page. It is made only if there is a page; the last call counts. */
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
 * Does the work of a command. At the end, its findings become annotations and a summary if the chosen reporter wants them,
 * even if the command failed.
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
  const said = isKnown && error.hint !== null ? [message, error.hint] : [message]
  const heading = headingOf(command, null, exitCode)
  return {
    findings: [
      { level: 'error', title: `exit code ${exitCode}`, message: said.map(escapeText).join('\n'), place: null },
    ],
    summary: { heading, lead: [], tables: [] },
  }
}

/** What a command shows on GitHub: findings as annotations, and a summary with the same findings in a table. */
export interface PageContent {
  readonly summary: Summary
  readonly findings: readonly Finding[]
}

/** Annotations go to stderr: the runner reads both streams, and stdout carries data only. */
export async function writePage(content: PageContent, terminal: Terminal, env: NodeJS.ProcessEnv): Promise<void> {
  const { summary, findings } = content
  writeCommands(terminal.stderr, annotationCommands(findings, env))
  const path = env.GITHUB_STEP_SUMMARY
  if (!path) return
  const rowsOf = (shown: readonly Finding[]) =>
    inOrder(shown).map(({ level, title, message, place }) => [
      ...[level, name(title), place === null ? '' : name(placeText(place, env)), lines(message)],
    ])
  const findingTable = (title: string, shown: readonly Finding[]) =>
    table(title, ['Level', worded('What'), worded('Where'), worded('Message')], rowsOf(shown))
  const isFirst = ({ level, isGate }: Finding): boolean => level === 'error' || isGate === true
  const tables = [
    findingTable('What failed', findings.filter(isFirst)),
    ...summary.tables,
    findingTable(
      'Findings',
      findings.filter((finding) => !isFirst(finding)),
    ),
  ]
  try {
    await appendSummary(path, { ...summary, tables })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    terminal.stderr.write(`warning: GITHUB_STEP_SUMMARY cannot be written (${code}); everything else is unaffected\n`)
  }
}

function placeText({ file, line }: FindingPlace, env: NodeJS.ProcessEnv): string {
  const path = pathInRepository(file, env)
  return line === undefined ? path : `${path}:${line}`
}
