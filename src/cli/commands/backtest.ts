import * as fs from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { packageVersion } from '../../base/package-version.ts'
import { listText, plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import { MAX_ESTIMATE_OUTCOMES, MAX_MEANS } from '../../contract/limits.ts'
import { projectRootOf } from '../../local/project-root.ts'
import { SetupError } from '../../local/setup-error.ts'
import { BACKTEST_MARK, backtestPage } from '../../report/html/page/backtest-page.ts'
import { backtestOf } from '../../runner/backtests/backtest.ts'
import { type Backtest, figuresOf } from '../../runner/backtests/group-questions.ts'
import { sourceOfFile } from '../../runner/datasets/inspect-dataset.ts'
import { figureNamed, type NamedFigure } from '../../runner/estimates/named-figure.ts'
import { suggest } from '../../study/diagnostics/did-you-mean.ts'
import { resolveConnection } from '../access/connection.ts'
import { checkReportPlace, type ReportFile, writeReportFile } from '../files/report-files.ts'
import { positiveInteger } from '../options/option-values.ts'
import { addReadingOptions, declaredByFlags, type ReadingFlags } from '../options/reading-options.ts'
import {
  addDeadlineOption,
  addOutputOptions,
  addServiceOptions,
  type DeadlineFlag,
  type StudyFlags,
} from '../options/study-options.ts'
import { backtestText } from '../output/backtest-text.ts'
import { flagAdvice } from '../output/flag-advice.ts'
import { printResult } from '../output/json-document.ts'
import { describeTerminal } from '../output/terminal.ts'
import { generateGroups } from '../steps/generate-groups.ts'
import { findTarget, placeOf, sourceOf } from '../steps/named-data.ts'
import { reportInvalid } from '../steps/report-study.ts'
import { withoutEstimates } from '../steps/trained-dataset.ts'
import { inspectOne } from '../steps/without-generating.ts'

export type BacktestFlags = Pick<StudyFlags, 'service' | 'authUrl' | 'json' | 'color'> &
  DeadlineFlag &
  ReadingFlags & {
    readonly by: string
    readonly on: readonly string[]
    readonly outcomes: readonly string[]
    readonly level?: readonly string[]
    readonly all?: boolean
    readonly html?: string
    readonly overwrite?: boolean
    readonly rows?: number
    readonly yes?: boolean
  }

/** Names between commas, of one or several options. */
const names = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
]
const more = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/** Declares `whatif backtest`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  addOutputOptions(addServiceOptions(addDeadlineOption(addReadingOptions(command))))
    .description(
      'Ask whether reweighting was ever right: leave out each group of a column, such as a wave or a region, reweight the others to ' +
        'its margins, and hold what they say against what the group answered. A seed file without a trained model is uploaded and ' +
        'trained first; nothing is generated or billed.',
    )
    .argument('<what>', 'seed file, id of a trained dataset, or STUDY_FILE#DATASET')
    .requiredOption('--by <column>', 'the column whose levels are the groups')
    .requiredOption(
      '--on <columns>',
      'columns whose margins (of numbers, means) the others are reweighted to, between commas',
      names,
    )
    .requiredOption('--outcomes <figures>', 'columns, or shares such as intent.Yes, between commas', names)
    .option('--level <level>', 'only this group; can be given several times', more)
    .option('--all', 'show every figure')
    .option('--rows <n>', 'also by the model: generate so many rows for the margins of each group', positiveInteger)
    .option('--yes', 'let a remote service bill the rows of --rows')
    .option('--html <file>', 'write the backtest with its pictures as an HTML file, too')
    .option('--overwrite', 'replace a file of --html that is not a backtest')
    .action(async (what: string, flags: BacktestFlags) => {
      process.exitCode = await backtest(what, flags, env)
    })
}

/** `whatif backtest`: what the others say of a group, against what it answered. */
export async function backtest(named: string, flags: BacktestFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const terminal = describeTerminal(flags, env)
  const page = pagePlace(flags)
  if (page !== null) await checkReportPlace(fs, page, flags.overwrite === true)
  const { rows } = flags
  const connection = await resolveConnection(flags, env)
  if (rows !== undefined && connection.kind !== 'embedded' && flags.yes !== true)
    throw new SetupError(
      2,
      `--rows ${rows}: the service bills the rows of each group; pass --yes to agree, or leave --rows out, which bills nothing`,
    )
  const target = await findTarget(named)
  if (target.kind === 'study' && target.file.study === null)
    return reportInvalid('backtest', [target.file], flags, terminal)
  const isBare = target.kind === 'file'
  const study = target.kind === 'study' ? target.file.study : null
  const options = { command: 'backtest', projectRoot: projectRootOf(placeOf(target)), flags, terminal, env }
  return await inspectOne(
    { ...options, ...(isBare && { inWords: flagAdvice }) },
    (service, environment) =>
      isBare ? sourceOfFile(target.path, environment, declaredByFlags(flags)) : sourceOf(target, service, environment),
    async ({ dataset, schema }, { name }, environment) => {
      const asked = backtestNamed(flags, schema)
      const client = await environment.client()
      try {
        const call = { signal: environment.signal }
        const tested = await backtestOf({ name, study, datasetId: dataset.dataset_id, client, call }, asked)
        if (typeof tested === 'string') throw withoutEstimates(tested)
        const found =
          rows === undefined
            ? tested.found
            : await generateGroups(tested, { datasetId: dataset.dataset_id, rows, connection, environment })
        if (page !== null) await writeReportFile(fs, { ...page, content: backtestPage(found, packageVersion()) })
        return printResult(flags, { command: 'backtest', data: found }, () =>
          backtestText(found, { width: terminal.width, isAll: flags.all === true }),
        )
      } finally {
        await client.close()
      }
    },
  )
}

function pagePlace({ html }: BacktestFlags): ReportFile | null {
  if (html === undefined) return null
  return { name: `--html ${escapeText(html)}`, path: resolve(html), content: '', mark: BACKTEST_MARK }
}

/** @throws SetupError with exit code 4 for what the data do not have. */
function backtestNamed(
  { by, on, outcomes, level: wanted = [] }: BacktestFlags,
  schema: readonly AnySchemaColumn[],
): Backtest {
  const group = ofLevels('--by', by, schema)
  const columns = [...new Set(on)].map((name) => columnNamed('--on', name, schema))
  if (columns.some(({ name }) => name === group.name))
    throw new SetupError(4, `--on ${escapeText(by)}: the groups are its levels; name other columns`)
  const date = columns.find(({ format }) => format !== undefined)
  if (date !== undefined)
    throw new SetupError(4, `--on ${escapeText(date.name)}: holds dates; name a column of levels or numbers`)
  if (columns.filter(({ levels }) => levels === undefined).length > MAX_MEANS)
    throw new SetupError(2, `--on: at most ${plural(MAX_MEANS, 'column')} of numbers`)
  const { levels = [] } = group
  for (const level of wanted) {
    if (levels.includes(level)) continue
    const [near] = suggest(level, levels)
    const hint =
      near === undefined
        ? `it has: ${listText(
            levels.map((one) => escapeText(one)),
            8,
          )}`
        : `did you mean ${escapeText(near)}?`
    throw new SetupError(4, `--level ${escapeText(level)}: ${escapeText(by)} has no such level; ${hint}`)
  }
  const figures = outcomes.flatMap((name) => figuresNamed(name, schema))
  const taken = figures.find(({ column }) => column.name === group.name || columns.includes(column))
  if (taken !== undefined)
    throw new SetupError(
      4,
      `--outcomes ${escapeText(taken.column.name)}: both sides have its shares or mean, so that there is nothing to predict`,
    )
  if (new Set(figures.map(({ column }) => column.name)).size > MAX_ESTIMATE_OUTCOMES)
    throw new SetupError(2, `--outcomes: at most ${plural(MAX_ESTIMATE_OUTCOMES, 'column')}`)
  return { by: group, levels: wanted.length > 0 ? wanted : levels, on: columns, figures }
}

/** The figure of this name, or those of the column of this name. */
function figuresNamed(name: string, schema: readonly AnySchemaColumn[]): readonly NamedFigure[] {
  const column = schema.find((one) => one.name === name)
  if (column !== undefined) return figuresOf(column)
  const figure = figureNamed(name, schema)
  if (typeof figure === 'string') throw new SetupError(4, `--outcomes ${escapeText(figure)}`)
  return [figure]
}

/** @throws SetupError with exit code 4 where the data do not have it, or it holds numbers. */
function ofLevels(option: string, name: string, schema: readonly AnySchemaColumn[]): AnySchemaColumn {
  const of = schema.filter(({ levels }) => levels !== undefined)
  const column = columnNamed(option, name, schema, of)
  if (column.levels !== undefined) return column
  const advice = 'it holds numbers; declare `bands` of it in a study, and name the study and the bands'
  throw new SetupError(4, `${option} ${escapeText(name)}: is no column of levels; ${advice}`)
}

/** @throws SetupError with exit code 4 where the data do not have it; `likely` are those it may have meant. */
function columnNamed(
  option: string,
  name: string,
  schema: readonly AnySchemaColumn[],
  likely: readonly AnySchemaColumn[] = schema,
): AnySchemaColumn {
  const column = schema.find((one) => one.name === name)
  if (column !== undefined) return column
  const names = likely.map((one) => one.name)
  const [near] = suggest(name, names)
  const listed = listText(names.map(escapeText), 8)
  const advice = near !== undefined ? `did you mean ${escapeText(near)}?` : `the columns are ${listed}`
  throw new SetupError(4, `${option} ${escapeText(name)}: the data have no such column; ${advice}`)
}
