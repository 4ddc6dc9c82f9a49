import { codeLines, codeText } from '../../report/markdown-text.ts'
import { writeCommands } from '../output/output-guard.ts'
import type { Terminal } from '../output/terminal.ts'
import { annotationCommands, pathInRepository } from './annotate-findings.ts'
import type { Finding, FindingPlace } from './findings.ts'
import { appendSummary, type Summary } from './step-summary.ts'

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
    terminal.stderr.write(`warning: GITHUB_STEP_SUMMARY cannot be written (${code}); the rest is not touched by that\n`)
  }
}

function placeText({ file, line }: FindingPlace, env: NodeJS.ProcessEnv): string {
  const path = pathInRepository(file, env)
  return line === undefined ? path : `${path}:${line}`
}
