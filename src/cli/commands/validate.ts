import { hasErrors } from '../../spec/diagnostic.ts'
import { plural } from '../output/event-text.ts'
import { jsonDocument } from '../output/json-document.ts'
import { describeTerminal } from '../output/terminal.ts'
import { sayDiagnostics } from './report-study.ts'
import { readStudyFile, type StudyFile } from './study-file.ts'

/** `whatif validate`: every fault of every file, without asking any service. */
export async function validate(
  paths: readonly string[],
  flags: { readonly strict?: boolean; readonly json?: boolean; readonly color?: boolean },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const terminal = describeTerminal(flags, env)
  const files: StudyFile[] = []
  for (const path of paths) files.push(await readStudyFile(path))
  const diagnostics = files.flatMap((file) => file.diagnostics)
  const isInvalid =
    hasErrors(diagnostics) || (flags.strict === true && diagnostics.some((d) => d.severity === 'warning'))
  const exitCode = isInvalid ? 3 : 0
  if (flags.json) {
    const data = Object.fromEntries(
      files.map((file) => [
        file.name,
        file.study && { study: file.study.name, scenarios: file.study.scenarios.length },
      ]),
    )
    terminal.stdout.write(jsonDocument({ command: 'validate', exitCode, data, diagnostics }))
    return exitCode
  }
  sayDiagnostics(files, diagnostics, terminal)
  for (const { name, study } of files)
    if (study) terminal.stderr.write(`${name}: valid, ${plural(study.scenarios.length, 'scenario')}\n`)
  return exitCode
}
