import type { Command } from 'commander'
import { readStudyFile } from '../../local/study-file.ts'
import { sensitivityOf } from '../../runner/estimates/sensitivity.ts'
import { hasErrors } from '../../study/diagnostics/diagnostic.ts'
import { namesService } from '../access/connection.ts'
import { addQuestionOptions } from '../options/study-options.ts'
import { printResult } from '../output/json-document.ts'
import { describeTerminal } from '../output/terminal.ts'
import { tornadoText } from '../output/tornado-text.ts'
import { FIGURE_FORMS, figureOf } from '../steps/figure-of.ts'
import { interruptible } from '../steps/interruption.ts'
import { reportInvalid } from '../steps/report-study.ts'
import { collected, rowsOf, WHERE_FORMS } from '../steps/rows-of.ts'
import { askTrained, chosenDataset, type QuestionFlags, withoutEstimates } from '../steps/trained-dataset.ts'

type SensitivityFlags = QuestionFlags & {
  readonly outcome: string
  /** Name of a dataset in the study. */
  readonly of?: string
  readonly all?: boolean
  readonly where?: readonly string[]
}

/** Declares `whatif sensitivity`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  addQuestionOptions(command)
    .description(
      'Show which levers move a figure: each share of the data raised by 10 points, the differences with intervals, the strongest ' +
        'first. Numbers are moved by the share of the values above their median. Nothing is trained, generated or billed.',
    )
    .argument('<file>', 'study file (*.study.yaml)')
    .option('--of <dataset>', 'which dataset of the study, if it has several')
    .requiredOption('--outcome <figure>', FIGURE_FORMS)
    .option('--where <rows>', WHERE_FORMS, collected)
    .option('--all', 'show every lever')
    .action(async (file, flags) => {
      process.exitCode = await sensitivity(file, flags, env)
    })
}

/** `whatif sensitivity`: what the seed says, from the estimates of the service. */
export async function sensitivity(path: string, flags: SensitivityFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const terminal = describeTerminal(flags, env)
  const file = await readStudyFile(path, { isSampled: namesService(flags, env) })
  const { study } = file
  if (study === null || hasErrors(file.diagnostics)) return reportInvalid('sensitivity', [file], flags, terminal)
  const interruption = interruptible()
  try {
    const { signal } = interruption
    const found = await askTrained(
      { ...file, study },
      chosenDataset(study, flags.of),
      flags,
      { env, signal, terminal },
      (schema) => ({ figure: figureOf('--outcome', flags.outcome, schema), where: rowsOf(flags.where, schema) }),
      (dataset, { figure, where }) => sensitivityOf({ ...dataset, where }, figure),
    )
    if (typeof found === 'string') throw withoutEstimates(found)
    const data = { study: study.name, ...found }
    const result = { command: 'sensitivity', data, diagnostics: file.diagnostics }
    return printResult(flags, result, () => tornadoText(data, { width: terminal.width, isAll: flags.all === true }))
  } finally {
    interruption.release()
  }
}
