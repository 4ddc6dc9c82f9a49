import { type Command, InvalidArgumentError } from 'commander'
import { DAY_MS } from '../../answers/words/difference-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import { SetupError } from '../../local/setup-error.ts'
import { readStudyFile } from '../../local/study-file.ts'
import { type SolveQuestion, solve as solveFor } from '../../runner/estimates/solve.ts'
import { hasErrors } from '../../study/diagnostics/diagnostic.ts'
import { suggest } from '../../study/diagnostics/did-you-mean.ts'
import type { Scenario, Study } from '../../study/study.ts'
import { namesService } from '../access/connection.ts'
import { addQuestionOptions } from '../options/study-options.ts'
import { printResult } from '../output/json-document.ts'
import { solutionText } from '../output/solution-text.ts'
import { describeTerminal } from '../output/terminal.ts'
import { FIGURE_FORMS, figureOf } from '../steps/figure-of.ts'
import { interruptible } from '../steps/interruption.ts'
import { reportInvalid } from '../steps/report-study.ts'
import { collected, rowsOf, WHERE_FORMS } from '../steps/rows-of.ts'
import { askTrained, type QuestionFlags, withoutEstimates } from '../steps/trained-dataset.ts'

type SolveFlags = QuestionFlags & {
  readonly lever: string
  readonly outcome: string
  readonly by: number
  readonly where?: readonly string[]
}

/** Declares `whatif solve`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  addQuestionOptions(command)
    .description(
      'Find the share of a level that moves a figure of a scenario by so much, with its interval, and the shares at which the ' +
        'difference leaves chance. Nothing is trained, generated or billed.',
    )
    .argument('<file>', 'study file (*.study.yaml)')
    .argument('<scenario>', 'id of the scenario that the lever is moved in')
    .requiredOption('--lever <share>', 'the share that is moved, such as shares.loyalty.member.Yes')
    .requiredOption('--outcome <figure>', FIGURE_FORMS)
    .option('--where <rows>', WHERE_FORMS, collected)
    .requiredOption(
      '--by <difference>',
      'how far it is to move: +0.05 is 5 points; a mean in its unit, a date in days',
      difference,
    )
    .action(async (file, scenario, flags) => {
      process.exitCode = await solve(file, scenario, flags, env)
    })
}

function difference(text: string): number {
  const value = /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : 0
  if (value === 0) throw new InvalidArgumentError('Expected a number other than 0, such as +0.05.')
  return value
}

/** `whatif solve`: what the seed says, from the estimates of the service. */
export async function solve(path: string, id: string, flags: SolveFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const terminal = describeTerminal(flags, env)
  const file = await readStudyFile(path, { isSampled: namesService(flags, env) })
  const { study } = file
  if (study === null || hasErrors(file.diagnostics)) return reportInvalid('solve', [file], flags, terminal)
  const scenario = scenarioOf(study, id)
  const interruption = interruptible()
  try {
    const { signal } = interruption
    const found = await askTrained(
      { ...file, study },
      scenario.dataset,
      flags,
      { env, signal, terminal },
      (schema) => ({ question: questionOf(scenario, flags, schema), where: rowsOf(flags.where, schema) }),
      (dataset, { question, where }) => solveFor({ ...dataset, where }, question),
    )
    if (typeof found === 'string') throw withoutEstimates(found)
    const result = { command: 'solve', data: found, diagnostics: file.diagnostics }
    return printResult(flags, result, () => solutionText(found, terminal.width))
  } finally {
    interruption.release()
  }
}

function scenarioOf(study: Study, id: string): Scenario {
  const found = study.scenarios.find((scenario) => scenario.id === id)
  if (found !== undefined) return found
  const ids = study.scenarios.map((scenario) => scenario.id)
  const [near] = suggest(id, ids)
  const hint = near === undefined ? 'whatif list shows the scenarios.' : `Did you mean ${near}?`
  throw new SetupError(2, `the study has no scenario ${escapeText(id)}`, hint)
}

function questionOf(scenario: Scenario, flags: SolveFlags, schema: readonly AnySchemaColumn[]): SolveQuestion {
  const figure = figureOf('--outcome', flags.outcome, schema)
  const { column, level } = figureOf('--lever', flags.lever, schema)
  if (level === null)
    throw new SetupError(
      2,
      `--lever ${escapeText(flags.lever)}: a number has no share that could be moved`,
      'Name a level.',
    )
  if (column.name === figure.column.name)
    throw new SetupError(
      2,
      `--lever and --outcome are both of ${escapeText(column.name)}: that is asked for, not answered`,
    )
  // Differences of dates are told in days, and estimated in milliseconds.
  const by = figure.column.format === undefined ? flags.by : flags.by * DAY_MS
  return { scenario, figure, lever: { column: column.name, level }, by }
}
