import { sequenceOf } from '../../answers/counts/natural-columns.ts'
import { listText, plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import { MAX_ESTIMATE_OUTCOMES, MAX_MEANS } from '../../contract/limits.ts'
import { SetupError } from '../../local/setup-error.ts'
import { type Backtest, figuresOf } from '../../runner/backtests/group-questions.ts'
import { figureNamed, type NamedFigure } from '../../runner/estimates/named-figure.ts'
import { columnsOf } from '../../study/conditions/condition.ts'
import { suggest } from '../../study/diagnostics/did-you-mean.ts'
import { comparedName } from '../../study/replicates.ts'
import type { Study } from '../../study/study.ts'

/** What a backtest is about, as the options of the command name it. */
export interface BacktestNames {
  readonly by: string
  /** One of the two is given. */
  readonly on?: readonly string[]
  readonly scenario?: string
  readonly outcomes: readonly string[]
  readonly level?: readonly string[]
}

/** @throws SetupError with exit code 4 for what the data do not have. */
export function backtestNamed(
  { by, on, scenario, outcomes, level: wanted = [] }: BacktestNames,
  data: { readonly study: Study | null; readonly dataset: string },
  schema: readonly AnySchemaColumn[],
): Backtest {
  const group = ofLevels('--by', by, schema)
  const [option, named] =
    scenario === undefined ? ['--on', on ?? []] : ['--scenario', conditionedBy(scenario, by, data)]
  const columns = [...new Set(named)].map((name) => columnNamed(option, name, schema))
  if (columns.some(({ name }) => name === group.name))
    throw new SetupError(4, `--on ${escapeText(by)}: the groups are its levels; name other columns`)
  const date = columns.find(({ format }) => format !== undefined)
  if (date !== undefined)
    throw new SetupError(4, `${option} ${escapeText(date.name)}: holds dates; name a column of levels or numbers`)
  if (columns.filter(({ levels }) => levels === undefined).length > MAX_MEANS)
    throw new SetupError(2, `${option}: at most ${plural(MAX_MEANS, 'column')} of numbers`)
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
  return { by: group, levels: wanted.length > 0 ? wanted : sequenceOf(group), on: columns, figures }
}

/** The columns that a scenario of the study conditions, without the one of the groups. */
function conditionedBy(
  name: string,
  by: string,
  { study, dataset }: { readonly study: Study | null; readonly dataset: string },
): readonly string[] {
  const wanted = `--scenario ${escapeText(name)}`
  if (study === null)
    throw new SetupError(2, `${wanted}: scenarios are those of a study; name STUDY_FILE#DATASET, or columns with --on`)
  const of = study.scenarios.filter((one) => one.dataset === dataset)
  const scenario = of.find((one) => comparedName(one) === name)
  if (scenario === undefined) {
    const names = [...new Set(of.map(comparedName))]
    const [near] = suggest(name, names)
    const advice =
      near === undefined
        ? `its scenarios are ${listText(names.map(escapeText), 8)}`
        : `did you mean ${escapeText(near)}?`
    throw new SetupError(2, `${wanted}: the study has no such scenario of ${escapeText(dataset)}; ${advice}`)
  }
  const columns = scenario.conditions.flatMap(columnsOf).filter((column) => column !== by)
  if (columns.length > 0) return columns
  throw new SetupError(2, `${wanted}: sets no column but ${escapeText(by)}; name columns with --on`)
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
  throw new SetupError(
    4,
    `${option} ${escapeText(name)}: is no column of levels; it holds numbers`,
    `In a study, declare that its numbers are names, as those of waves and years are (\`types: { ${escapeText(name)}: categorical }\`), or \`bands\` of it. Then name the study.`,
  )
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
