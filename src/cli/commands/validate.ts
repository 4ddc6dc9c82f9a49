import { lstatSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Diagnostic } from '../../spec/diagnostic.ts'
import { hasErrors } from '../../spec/diagnostic.ts'
import { escapeText } from '../../spec/escape-text.ts'
import { applyFixes, type SpellingFix, spellingFixes } from '../../spec/fix-spellings.ts'
import { lockFileName } from '../../spec/lock-file-name.ts'
import { plural } from '../output/event-text.ts'
import { jsonDocument } from '../output/json-document.ts'
import { describeTerminal, type Terminal } from '../output/terminal.ts'
import type { ValidateFlags } from '../study-options.ts'
import { sayDiagnostics } from './report-study.ts'
import { readStudyFile, replaceStudyFile, type StudyFile, withText } from './study-file.ts'

/** Correcting a name can show the next one: phases with errors hide those after them. */
const MOST_ROUNDS = 8

interface Checked {
  /** Name of the lock that the study was held against; null = none. */
  readonly lockFile: string | null
  readonly file: StudyFile
  readonly diagnostics: readonly Diagnostic[]
  readonly exitCode: number
  readonly message: string | null
  /** With --fix: what was corrected in the file. */
  readonly fixes: readonly SpellingFix[]
}

/**
 * `whatif validate`: every fault of every file; and, unless offline, every condition against the cleaned schema of its
 * dataset. A seed file that was never trained is uploaded and trained for that; no rows are generated or billed.
 */
export async function validate(
  paths: readonly string[],
  flags: ValidateFlags,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const terminal = describeTerminal(flags, env)
  const checked: Checked[] = []
  for (const path of paths) checked.push(await checkPath(path, flags, env, terminal))
  // Precedence as in a run: of several causes the first in the table of exit codes wins.
  const codes = checked.map((c) => c.exitCode)
  const exitCode = [130, 143, 10, 1, 2, 3, 4, 5, 6, 11, 7].find((code) => codes.includes(code)) ?? 0
  if (flags.json) {
    const diagnostics = checked.flatMap((c) => c.diagnostics)
    const data = Object.fromEntries(
      checked.map(({ file, exitCode: code, message, lockFile, fixes }) => [
        file.name,
        {
          study: file.study?.name ?? null,
          scenarios: file.study?.scenarios.length ?? null,
          exit_code: code,
          message,
          lock_file: lockFile,
          ...(flags.fix ? { fixed: fixes.map(fixData) } : {}),
        },
      ]),
    )
    terminal.stdout.write(jsonDocument({ command: 'validate', exitCode, data, diagnostics }))
    return exitCode
  }
  for (const { file, diagnostics, exitCode: code, message, lockFile, fixes } of checked) {
    for (const fix of fixes) terminal.stderr.write(`${fixText(file, fix)}\n`)
    sayDiagnostics([file], diagnostics, terminal)
    // A message that only repeats a finding is left out.
    const isTold = diagnostics.some((d) => d.severity === 'error' && message?.includes(d.summary))
    if (message !== null && !isTold) terminal.stderr.write(`error: ${escapeText(message)}\n`)
    if (code === 0 && file.study !== null)
      terminal.stderr.write(
        `${file.name}: valid, ${plural(file.study.scenarios.length, 'scenario')}${flags.offline ? heldAgainst(lockFile) : ''}\n`,
      )
  }
  return exitCode
}

async function checkPath(
  path: string,
  flags: ValidateFlags,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<Checked> {
  const file = await readStudyFile(path)
  let checked = await checkFile(file, flags, env, terminal)
  if (!flags.fix) return { ...checked, fixes: [] }
  const fixes: SpellingFix[] = []
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { text, made } = withSpellings(checked.file, checked.diagnostics)
    if (made.length === 0) break
    fixes.push(...made)
    checked = await checkFile(withText(file, text), flags, env, terminal)
  }
  if (fixes.length > 0) await replaceStudyFile(file, checked.file.text)
  return { ...checked, fixes }
}

/** The text with every correction that leaves it readable: one that makes a key stand twice is left to the author. */
function withSpellings(
  file: StudyFile,
  diagnostics: readonly Diagnostic[],
): { readonly text: string; readonly made: readonly SpellingFix[] } {
  const isReadable = (text: string) => !withText(file, text).diagnostics.some((d) => d.code.startsWith('S10'))
  const all = spellingFixes(file.text, diagnostics)
  const whole = applyFixes(file.text, all)
  if (all.length === 0 || isReadable(whole)) return { text: whole, made: all }
  const made = all.filter((fix) => isReadable(applyFixes(file.text, [fix])))
  const text = applyFixes(file.text, made)
  return isReadable(text) ? { text, made } : { text: file.text, made: [] }
}

function fixText(file: StudyFile, { code, range, from, to }: SpellingFix): string {
  const { line, column } = range.start
  return `${escapeText(file.name)}:${line}:${column}: corrected "${escapeText(from)}" to "${escapeText(to)}" (${code})`
}

function fixData({ code, range, from, to }: SpellingFix): object {
  return { code, line: range.start.line, column: range.start.column, from, to }
}

async function checkFile(
  file: StudyFile,
  flags: ValidateFlags,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<Omit<Checked, 'fixes'>> {
  const { study } = file
  const fails = (found: readonly Diagnostic[]) =>
    hasErrors(found) || (flags.strict === true && found.some((d) => d.severity === 'warning'))
  if (study === null || fails(file.diagnostics))
    return { file, diagnostics: file.diagnostics, exitCode: 3, message: null, lockFile: null }

  // Most of what an offline check loads is for the lock.
  if (flags.offline && !flags.locked && !hasLockFile(file.path))
    return { file, diagnostics: file.diagnostics, exitCode: 0, message: null, lockFile: null }
  const held = { ...file, study }
  const live = flags.offline
    ? await (await import('./check-with-lock.ts')).checkWithLock(held, flags)
    : { ...(await (await import('./check-live.ts')).checkLive(held, flags, env, terminal)), lockFile: null }
  const diagnostics = [...file.diagnostics, ...live.diagnostics]
  const exitCode = live.exitCode === 0 && fails(live.diagnostics) ? 4 : live.exitCode
  return { file, diagnostics, exitCode, message: live.message, lockFile: live.lockFile }
}

/** A link that leads nowhere counts: it is told as a fault. */
function hasLockFile(studyFile: string): boolean {
  const path = join(dirname(studyFile), lockFileName(basename(studyFile)))
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function heldAgainst(lockFile: string | null): string {
  return lockFile === null
    ? ' (not held against the cleaned data: there is no lock file, see whatif lock)'
    : ` (held against ${escapeText(lockFile)})`
}
