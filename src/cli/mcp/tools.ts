/** The tools: each rides on the functions of a command. Their words never repeat a text of a file. */

import { z } from 'zod'
import { Conditions } from '../../contract/conditions.ts'
import { MAX_ESTIMATE_OUTCOMES } from '../../contract/limits.ts'
import { ask } from '../../explore/ask.ts'
import { whatIsNeeded, whatMatters } from '../../explore/ask-backwards.ts'
import { baseShape, figureShape, outcomeShape, whereShape } from '../../explore/wire/asked-shapes.ts'
import type { Refused } from '../../explore/wire/messages.ts'
import { SetupError } from '../../local/setup-error.ts'
import { planJson } from '../../runner/plan/plan-json.ts'
import { diagnosticToJson } from '../../study/diagnostics/render-diagnostic.ts'
import { inspectedData } from '../output/inspected-data.ts'
import { askedOutcomes, columnPage, knownColumns, knownFigure } from './columns.ts'
import { filesOfProject } from './project-files.ts'
import type { ProjectSession } from './project-session.ts'
import { runForRows } from './run-tool.ts'

export interface Tool {
  readonly name: string
  readonly description: string
  readonly shape: z.ZodType
  /** Whether it may be billed. */
  readonly spends: boolean
  readonly answer: (session: ProjectSession, args: never, signal: AbortSignal) => Promise<object>
}

/** The compiler infers what a tool is given from its shape. */
const tool = <Shape extends z.ZodType>(one: {
  readonly name: string
  readonly description: string
  readonly shape: Shape
  readonly spends?: boolean
  readonly answer: (session: ProjectSession, args: z.infer<Shape>, signal: AbortSignal) => Promise<object>
}): Tool => ({ spends: false, ...one })

/** @throws SetupError for what the service, or the data, do not answer. */
function answered<Reply extends { readonly kind: string }>(reply: Reply | Refused): Exclude<Reply, Refused> {
  if (reply.kind === 'refused') throw new SetupError(4, (reply as Refused).message)
  return reply as Exclude<Reply, Refused>
}

const file = z
  .string()
  .describe('A seed file (CSV, Excel, SPSS, Parquet …) or a study file (.study.yaml), by its path inside the project.')
const study = z.string().describe('A study file (.study.yaml), by its path inside the project.')
const dataset = z.string().optional().describe('Of a study with several datasets: which one.')
const about = { file, dataset }
const counted = { where: whereShape.optional(), base: baseShape }
const conditions = Conditions.describe(
  'The scenario: `categorical` shares (column → level → share of 1), `numeric` ranges, `means`, `cells`, `bounds`. {} is the data as they are.',
)
const select = z.array(z.string()).optional().describe('Only these scenarios: ids with *, tag:X, axis=value.')

export const TOOLS: readonly Tool[] = [
  tool({
    name: 'list_files',
    description: 'Names the files of data and the studies of the project.',
    shape: z.strictObject({}),
    answer: async ({ root }) => {
      const { files, left } = await filesOfProject(root)
      return { files, more: left }
    },
  }),
  tool({
    name: 'inspect',
    description:
      'Tells what cleaning and training made of a file: rows, what was renamed, dropped and split and why, and how good the model is. Trains it first where needed. Bills nothing. list_columns has the columns.',
    shape: z.strictObject(about),
    answer: async (session, { file: named, dataset: of }, signal) => {
      const { found } = await session.inspect(named, of, signal)
      return { ...inspectedData(found), schema: undefined, columns: found.schema.length }
    },
  }),
  tool({
    name: 'list_columns',
    description:
      'Lists the cleaned columns of a file with their levels and shares, or their bounds and quantiles. Conditions and outcomes name these. Bills nothing.',
    shape: z.strictObject({
      ...about,
      from: z.int().min(0).optional().describe('Columns to pass over; default 0.'),
      levels_of: z.string().optional().describe('Only this column, with up to 500 levels.'),
    }),
    answer: async (session, { file: named, dataset: of, from = 0, levels_of: only }, signal) => {
      const { found, explored } = await session.inspect(named, of, signal)
      return columnPage(found, explored, from, only)
    },
  }),
  tool({
    name: 'estimate',
    description:
      'What the data say about a scenario against the data as they are: each figure before and after, the difference, its 95 % interval, whether it is beyond chance, and the rows of the seed behind it (base). Generates and bills nothing. Report the interval with every difference; a difference that is not beyond chance is no finding.',
    shape: z.strictObject({
      ...about,
      conditions,
      outcomes: z
        .array(z.union([z.string(), outcomeShape]))
        .min(1)
        .max(MAX_ESTIMATE_OUTCOMES)
        .describe('What is told: columns, for the shares of their levels or their mean, or one statistic of a column.'),
      ...counted,
      by: z.string().optional().describe('A column: the same inside each of its levels.'),
    }),
    answer: async (
      session,
      { file: named, dataset: of, conditions: asked, outcomes, where = [], base, by },
      signal,
    ) => {
      const { explored } = await session.inspect(named, of, signal)
      knownColumns(explored.schema, [...where.map(({ column }) => column), ...(by === undefined ? [] : [by])])
      const wanted = askedOutcomes(explored.schema, outcomes)
      return answered(await ask(explored, { conditions: asked, outcomes: wanted, where, base, by }))
    },
  }),
  tool({
    name: 'sensitivity',
    description:
      'Which levers move a figure: each share raised by 10 points, the differences with 95 % intervals, those beyond chance first. Bills nothing.',
    shape: z.strictObject({ ...about, figure: figureShape, ...counted }),
    answer: async (session, { file: named, dataset: of, figure, where = [], base }, signal) => {
      const { explored } = await session.inspect(named, of, signal)
      knownColumns(explored.schema, [figure.column, ...where.map(({ column }) => column)])
      knownFigure(explored.schema, figure)
      return answered(await whatMatters(explored, { figure, where, base }))
    },
  }),
  tool({
    name: 'solve',
    description:
      'The share of a level that moves a figure of a scenario by so much, with its 95 % interval. Bills nothing.',
    shape: z.strictObject({
      ...about,
      conditions,
      lever: z.strictObject({ column: z.string(), level: z.string() }).describe('The share that is moved.'),
      figure: figureShape,
      ...counted,
      by: z.number().describe('How far the figure is to move: 0.05 is 5 points of a share; a mean in its unit.'),
    }),
    answer: async (
      session,
      { file: named, dataset: of, conditions: asked, lever, figure, where = [], base, by },
      signal,
    ) => {
      const { explored } = await session.inspect(named, of, signal)
      knownColumns(explored.schema, [lever.column, figure.column, ...where.map(({ column }) => column)])
      knownFigure(explored.schema, figure)
      return answered(await whatIsNeeded(explored, { conditions: asked, lever, figure, where, base, by }))
    },
  }),
  tool({
    name: 'plan',
    description:
      'What a run of a study would do and why, scenario by scenario, and the most rows that it can be billed for (totals.rows_bound). Bills nothing. With estimates, also what its comparisons will answer, as the study states them, with intervals, and how many rows its scenarios can have.',
    shape: z.strictObject({
      study,
      select,
      estimates: z.boolean().optional().describe('Trains datasets where needed.'),
    }),
    answer: async (session, { study: named, select: of, estimates = false }, signal) => {
      const { plan, diagnostics, expected } = await session.plan(named, { select: of }, { estimates, signal })
      return {
        plan: planJson(plan),
        ...(expected !== null && { estimates: expected.comparisons, feasible_rows: expected.rows }),
        diagnostics: diagnostics.map(diagnosticToJson),
        rows_left: session.budget.left,
      }
    },
  }),
  tool({
    name: 'run',
    description:
      'Runs a study: generates the rows of its scenarios, writes results, manifest and report into the project. It spends rows of a budget that only the person who started this server can give; without one, it is refused. Plan first.',
    shape: z.strictObject({
      study,
      select,
      trial_rows: z.int().min(1).optional().describe('A trial with at most so many rows a scenario.'),
    }),
    spends: true,
    answer: async (session, { study: named, select: of, trial_rows: trialRows }, signal) =>
      await runForRows(session, named, { select: of, trialRows }, signal),
  }),
]
