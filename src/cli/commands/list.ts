import type { Command } from 'commander'
import { plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { textTable } from '../../base/text/fit-text.ts'
import { SetupError } from '../../local/setup-error.ts'
import { readStudyFile } from '../../local/study-file.ts'
import { RunRefusalError } from '../../runner/interface/exit-code.ts'
import { selectOrRefuse } from '../../runner/session/check-flags.ts'
import { hasErrors } from '../../study/diagnostics/diagnostic.ts'
import { shardOf, shardText } from '../../study/shards/shards.ts'
import type { Scenario, Study } from '../../study/study.ts'
import { shardCount } from '../options/option-values.ts'
import { addOutputOptions, addSelectionOptions, type StudyFlags } from '../options/study-options.ts'
import { printResult } from '../output/json-document.ts'
import { describeTerminal } from '../output/terminal.ts'
import { reportInvalid } from '../steps/report-study.ts'

/** Declares `whatif list`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  addOutputOptions(addSelectionOptions(command))
    .option('--shards <n>', 'show to which of so many parts each scenario belongs, for whatif run --shard', shardCount)
    .description(
      'List the scenarios that a study file expands to: ids, groups, axes, rows and tags. Nothing but the file is read.',
    )
    .argument('<file>', 'study file (*.study.yaml)')
    .action(async (file, flags) => {
      process.exitCode = await list(file, flags, env)
    })
}

/** `whatif list`: the scenarios that a study file expands to, from the file alone. */
export async function list(
  path: string,
  flags: Pick<StudyFlags, 'select' | 'exclude' | 'shards' | 'json' | 'color'>,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const terminal = describeTerminal(flags, env)
  const file = await readStudyFile(path)
  const { study } = file
  if (study === null || hasErrors(file.diagnostics)) return reportInvalid('list', [file], flags, terminal)
  const scenarios = selected(study, flags)
  const rows = scenarios.reduce((sum, s) => sum + s.rows, 0)
  const { shards } = flags
  const data = {
    study: study.name,
    rows,
    scenarios: Object.fromEntries(scenarios.map((s) => [s.id, entry(s, shards)])),
    ...(shards !== undefined && { shards: shardList(scenarios, shards) }),
  }
  return printResult(flags, { command: 'list', data, diagnostics: file.diagnostics }, () => {
    const total = `${plural(scenarios.length, 'scenario')}, ${plural(rows, 'row')}`
    return `${table(scenarios, terminal.width, shards)}\n${total}\n`
  })
}

function selected(study: Study, { select = [], exclude = [] }: Pick<StudyFlags, 'select' | 'exclude'>): Scenario[] {
  if ([...select, ...exclude].some((pattern) => pattern.startsWith('status:')))
    throw new SetupError(
      2,
      'whatif list cannot select by status, because it reads only the study file',
      'Use: whatif status FILE --select status:X',
    )
  try {
    const ids = selectOrRefuse(study, { select, exclude }, () => 'not_started')
    return study.scenarios.filter((s) => ids.has(s.id))
  } catch (error) {
    if (error instanceof RunRefusalError) throw new SetupError(2, escapeText(error.message))
    throw error
  }
}

/** Longer ids have a line of their own. */
const LONGEST_ID = 40

/** Ids are never cut, because people copy them. An empty column is left out. */
function table(scenarios: readonly Scenario[], width: number, shards: number | undefined): string {
  const columns = [
    { title: 'scenario', longest: LONGEST_ID, of: (s: Scenario) => s.id },
    { title: 'group', mayShrink: true, of: (s: Scenario) => s.group ?? '' },
    { title: 'axes', mayShrink: true, of: (s: Scenario) => [...s.axes].map(([axis, v]) => `${axis}=${v}`).join(' ') },
    { title: 'rows', align: 'right' as const, of: (s: Scenario) => String(s.rows) },
    {
      title: 'part',
      align: 'right' as const,
      of: (s: Scenario) => (shards === undefined ? '' : String(shardOf(s, shards))),
    },
    { title: 'tags', mayShrink: true, of: (s: Scenario) => s.tags.join(' ') },
  ].filter(({ of }) => scenarios.some((s) => of(s) !== ''))
  return textTable(
    columns,
    scenarios.map((s) => columns.map(({ of }) => of(s))),
    width,
  )
}

function entry(scenario: Scenario, shards: number | undefined): object {
  const { group, axes, dataset, rows, seed, format, tags } = scenario
  const part = shards === undefined ? {} : { shard: shardOf(scenario, shards) }
  return { group, axes: Object.fromEntries(axes), dataset, rows, seed, format, tags, ...part }
}

/** Every part, also one without a scenario, in the form that other schedulers make their jobs of. */
function shardList(scenarios: readonly Scenario[], of: number): object[] {
  const parts = Array.from({ length: of }, (_, i) => ({
    shard: shardText({ index: i + 1, of }),
    index: i + 1,
    rows: 0,
    scenarios: [] as string[],
  }))
  for (const scenario of scenarios) {
    const part = parts[shardOf(scenario, of) - 1]!
    part.rows += scenario.rows
    part.scenarios.push(scenario.id)
  }
  return parts
}
