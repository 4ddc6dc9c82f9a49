import { listText, plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { refuseIfThere, shownPath, writeNewFile } from '../files/new-files.ts'
import { jsonDocument } from '../output/json-document.ts'
import type { Terminal } from '../output/terminal.ts'
import { type CiFiles, hasLock } from './ci-workflow.ts'

/** Writes the workflows of studies and nothing else. */
export async function writeCi(
  ci: CiFiles,
  studies: readonly string[],
  flags: { readonly json?: boolean },
  terminal: Terminal,
): Promise<number> {
  await refuseIfThere(ci.files.map(({ path }) => path))
  for (const { path, text } of ci.files) await writeNewFile(path, text)
  const written = ci.files.map(({ path }) => shownPath(path))
  const shown = studies.map(shownPath)
  if (flags.json) {
    const data = { studies: shown, written, ...(ci.toAdd && { to_add: [toAddJson(ci.toAdd)] }) }
    terminal.stdout.write(jsonDocument({ command: 'init', data }))
    return 0
  }
  for (const path of written) terminal.stderr.write(`${path}: written\n`)
  terminal.stderr.write(`${plural(studies.length, 'study', 'studies')}: ${escapeText(listText(shown, 5))}\n`)
  if (ci.toAdd !== null) terminal.stderr.write(toAddText(ci.toAdd))
  const unlocked = studies.filter((study) => !hasLock(study)).map(shownPath)
  if (unlocked.length > 0)
    terminal.stderr.write(
      `next: the workflow needs lock files: whatif lock ${escapeText(unlocked.slice(0, 5).join(' '))}\n`,
    )
  return 0
}

export const toAddJson = (toAdd: CiFiles['toAdd']) => toAdd && { file: shownPath(toAdd.path), lines: toAdd.lines }

/** `add to .gitlab-ci.yml:` and the lines. */
export const toAddText = ({ path, lines }: NonNullable<CiFiles['toAdd']>): string =>
  `${shownPath(path)}: it is there already and stays; add to it:\n${lines.map((line) => `  ${line}\n`).join('')}`
