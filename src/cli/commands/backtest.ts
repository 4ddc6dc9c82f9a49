import * as fs from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { LANGUAGES, type Language, wordsOf } from '../../base/language/catalogues.ts'
import { inWords } from '../../base/language/language.ts'
import { packageVersion } from '../../base/package-version.ts'
import { MAX_BACKTEST_GROUPS } from '../../base/segment-limit.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import { projectRootOf } from '../../local/project-root.ts'
import type { Connection } from '../../local/service-connection.ts'
import { SetupError } from '../../local/setup-error.ts'
import type { BacktestRecord } from '../../records/backtest.ts'
import { BACKTEST_MARK, backtestPage } from '../../report/html/page/backtest-page.ts'
import { type Backtested, backtestOf } from '../../runner/backtests/backtest.ts'
import {
  type FileSource,
  type InspectedDataset,
  type InspectedSource,
  sourceOfFile,
} from '../../runner/datasets/inspect-dataset.ts'
import type { RunEnvironment } from '../../runner/interface/run-options.ts'
import type { Declarations } from '../../study/declarations.ts'
import type { Study } from '../../study/study.ts'
import { resolveConnection } from '../access/connection.ts'
import { checkReportPlace, type ReportFile, writeReportFile } from '../files/report-files.ts'
import { positiveInteger, reportLanguage } from '../options/option-values.ts'
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
import { describeTerminal, type Terminal } from '../output/terminal.ts'
import { type GeneratedFor, generateGroups } from '../steps/generate-groups.ts'
import { type BacktestNames, backtestNamed } from '../steps/named-backtest.ts'
import { findTarget, placeOf, sourceOf } from '../steps/named-data.ts'
import { reportInvalid } from '../steps/report-study.ts'
import { withoutEstimates } from '../steps/trained-dataset.ts'
import { inspectOne } from '../steps/without-generating.ts'

export type BacktestFlags = Pick<StudyFlags, 'service' | 'authUrl' | 'json' | 'color'> &
  DeadlineFlag &
  ReadingFlags &
  BacktestNames & {
    readonly all?: boolean
    readonly html?: string
    readonly language?: Language
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
    .option(
      '--on <columns>',
      'columns whose margins (of numbers, means) the others are reweighted to, between commas',
      names,
    )
    .option('--scenario <scenario>', 'in place of --on: the columns that this scenario of the study conditions')
    .requiredOption('--outcomes <figures>', 'columns, or shares such as intent.Yes, between commas', names)
    .option('--level <level>', 'only this group; can be given several times', more)
    .option('--all', 'show every figure')
    .option(
      '--rows <n>',
      'also by a model trained without the group: generate so many rows for its margins',
      positiveInteger,
    )
    .option('--yes', 'let a remote service bill the rows of --rows')
    .option('--html <file>', 'write the backtest with its pictures as an HTML file, too')
    .option('--language <language>', `of that file: ${LANGUAGES.join(', ')}; default: en`, reportLanguage)
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
  if ((flags.on === undefined) === (flags.scenario === undefined))
    throw new SetupError(
      2,
      flags.on === undefined
        ? 'which margins? name columns with --on, or a scenario of a study with --scenario'
        : '--on and --scenario name the same: give one of them',
    )
  const { language = 'en' } = flags
  if (page === null && language !== 'en')
    throw new SetupError(
      2,
      `--language ${language}: is that of the file of --html; the terminal and --json are in English`,
    )
  const catalogue = await wordsOf(language)
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
  /** Whole numbers, as years of waves are, in a file without a study that could declare them as names. */
  let isNumbered = false
  const tryWith = async (types: Pick<Declarations, 'types'> | null) =>
    await inspectOne(
      { ...options, ...(isBare && { inWords: flagAdvice }) },
      (service, environment) =>
        isBare
          ? sourceOfFile(
              target.path,
              environment,
              types === null ? declaredByFlags(flags) : { ...declaredByFlags(flags), ...types },
            )
          : sourceOf(target, service, environment),
      async (data, source, environment) => {
        isNumbered = isBare && types === null && isWhole(flags.by, data.schema)
        if (isNumbered) return 0
        const found = await backtestIn(data, { source, study, flags, connection, environment, terminal })
        const content = () => backtestPage(found, packageVersion())
        if (page !== null) await writeReportFile(fs, { ...page, content: inWords(catalogue, content) })
        return printResult(flags, { command: 'backtest', data: found }, () =>
          backtestText(found, { width: terminal.width, isAll: flags.all === true }),
        )
      },
    )
  const code = await tryWith(null)
  if (!isNumbered) return code
  terminal.stderr.write(`--by ${escapeText(flags.by)}: its whole numbers are taken as names of groups\n`)
  return await tryWith({ types: { [flags.by]: 'ordinal' } })
}

/** The backtest of a trained dataset, as the flags name it. */
async function backtestIn(
  { dataset, schema }: InspectedDataset,
  given: {
    readonly source: InspectedSource
    readonly study: Study | null
    readonly flags: BacktestFlags
    readonly connection: Connection
    readonly environment: RunEnvironment
    readonly terminal: Terminal
  },
): Promise<BacktestRecord> {
  const { source, study, flags, connection, environment, terminal } = given
  const asked = backtestNamed(flags, { study, dataset: source.name }, schema)
  const client = await environment.client()
  try {
    const { name } = source
    const call = { signal: environment.signal }
    const tested = await backtestOf({ name, study, datasetId: dataset.dataset_id, client, call }, asked)
    if (typeof tested === 'string') throw withoutEstimates(tested)
    const { rows } = flags
    if (rows === undefined) return tested.found
    // The embedded service serves one client at a time, and this one is closed below.
    const lent = { ...environment, client: async () => ({ ...client, close: async () => {} }) }
    return await withRows(
      tested,
      { source: fileOf(source), study, asked, rows, connection, environment: lent },
      terminal,
    )
  } finally {
    await client.close()
  }
}

/** Whether a column holds whole numbers that can be groups: those of a wide range are amounts, or too many to be levels. */
function isWhole(name: string, schema: readonly AnySchemaColumn[]): boolean {
  const column = schema.find((one) => one.name === name)
  return column?.integer === true && Number(column.max) - Number(column.min) < MAX_BACKTEST_GROUPS
}

/** A model that has not seen a group is trained on the rows of the others, which only a file has. */
function fileOf(source: InspectedSource): FileSource {
  if (source.kind === 'file') return source
  throw new SetupError(
    2,
    '--rows: the model of a group is trained without its rows, so that the seed file is needed',
    'Name the file, or STUDY_FILE#DATASET of a study that names it, in place of the id of a trained dataset.',
  )
}

/** Says on stderr what is trained, and which groups have no rows. */
async function withRows(
  tested: Backtested,
  given: Omit<GeneratedFor, 'onGroup'>,
  { stderr }: Terminal,
): Promise<BacktestRecord> {
  const onGroup: GeneratedFor['onGroup'] = (level, number, of) => {
    stderr.write(`${escapeText(`group ${number} of ${of}: ${level}`)}\n`)
  }
  const { found, faults } = await generateGroups(tested, { ...given, onGroup })
  for (const fault of faults) stderr.write(`${escapeText(`not generated: ${fault}`)}\n`)
  return found
}

function pagePlace({ html }: BacktestFlags): ReportFile | null {
  if (html === undefined) return null
  return { name: `--html ${escapeText(html)}`, path: resolve(html), content: '', mark: BACKTEST_MARK }
}
