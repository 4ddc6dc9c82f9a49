import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { type ArtifactRows, artifactRows, UNKNOWN_COLUMN, UNUSABLE_ARTIFACT } from '../../answers/counts/first-rows.ts'
import { isOutputFormat } from '../../base/result-formats.ts'
import { countText, listText, plural } from '../../base/text/amount-text.ts'
import { csvField } from '../../base/text/csv-field.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { WhatifError } from '../../base/whatif-error.ts'
import { readManifestFile } from '../../local/manifest-file.ts'
import { SetupError } from '../../local/setup-error.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { ManifestArtifact } from '../../records/manifest/scenarios.ts'
import { positiveInteger } from '../options/option-values.ts'
import { JSON_HELP } from '../options/study-options.ts'
import { jsonDocument } from '../output/json-document.ts'
import { rowsTable } from '../output/rows-table.ts'
import { describeTerminal } from '../output/terminal.ts'

export interface HeadFlags {
  readonly rows: number
  readonly columns?: readonly string[]
  readonly csv?: boolean
  readonly json?: boolean
  readonly color?: boolean
}

/** A person reads these rows; the file itself holds all of them. */
const MOST_ROWS = 10_000
/** The number of scenarios that are shown when the command names none. */
const MOST_SCENARIOS = 10

/** Declares `whatif head`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  command
    .description(
      'Show the first generated rows of a run, of one scenario or of each. Columns that do not fit the terminal are named below ' +
        'the table. Needs no service.',
    )
    .argument('<manifest>', 'manifest.json of a run')
    .argument('[scenario]', 'id of a scenario; without one, all')
    .option('--rows <n>', 'how many rows', rowsToShow, 10)
    .option('--columns <names>', 'only these columns, separated by commas (repeatable)', columnNames)
    .option('--csv', 'print CSV, for other programs')
    .option('--json', JSON_HELP)
    .action(async (manifest, scenario, flags) => {
      process.exitCode = await head(manifest, scenario ?? null, flags, env)
    })
}

function rowsToShow(text: string): number {
  const value = positiveInteger(text)
  if (value > MOST_ROWS) throw new InvalidArgumentError(`Expected a whole number of at most ${countText(MOST_ROWS)}.`)
  return value
}

/** A name with a comma is written in an option of its own, with `\,` for its comma. */
const columnNames = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text
    .split(/(?<!\\),/)
    .map((name) => name.replaceAll('\\,', ','))
    .filter((name) => name !== ''),
]

/** `whatif head`: the first rows of artifacts, read again from their files. */
export async function head(
  file: string,
  scenario: string | null,
  flags: HeadFlags,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { stdout, stderr, width } = describeTerminal(flags, env)
  if (flags.csv && flags.json) throw new SetupError(2, '--csv and --json are two forms of the same; choose one')
  const { manifest } = await readManifestFile(file)
  const all = scenario === null ? withArtifact(manifest, file) : [artifactOf(manifest, scenario)]
  if (flags.csv && all.length > 1)
    throw new SetupError(
      2,
      `--csv prints one table, and ${plural(all.length, 'scenario')} have rows`,
      `Name one of them: ${listText(
        all.map(([id]) => escapeText(id)),
        5,
      )}.`,
    )
  const shown = all.slice(0, MOST_SCENARIOS)
  const found: Record<string, object> = {}
  for (const [i, [id, artifact]] of shown.entries()) {
    const rows = await rowsOf(resolve(file), id, artifact, flags)
    if (rows.isChanged)
      stderr.write(`warning: ${escapeText(artifact.path)} was changed since the manifest was written\n`)
    found[id] = { path: artifact.path, changed: rows.isChanged, columns: rows.shown, rows: rows.rows }
    if (flags.csv) stdout.write(csvText(rows))
    else if (!flags.json)
      stdout.write(`${i === 0 ? '' : '\n'}${headingOf(manifest, id, rows)}\n${rowsTable(rows.shown, rows.rows, width)}`)
  }
  const left = all.length - shown.length
  if (flags.json) stdout.write(jsonDocument({ command: 'head', data: { scenarios: found, scenarios_left_out: left } }))
  else if (left > 0) stdout.write(`\n${plural(left, 'more scenario')}: name one to see its rows\n`)
  return 0
}

type ReadableFile = Pick<ManifestArtifact, 'path' | 'format' | 'sha256'>
type Artifact = readonly [id: string, artifact: ReadableFile]

/** Rows of a file that no service makes are read from the file that it was made of. */
const readableOf = (artifact: ManifestArtifact): ReadableFile =>
  isOutputFormat(artifact.format) ? artifact : (artifact.received ?? artifact)

function withArtifact(manifest: Manifest, file: string): Artifact[] {
  const found = inSequence(manifest).flatMap((id): Artifact[] => {
    const artifact = manifest.scenarios[id]?.artifact
    return artifact == null ? [] : [[id, readableOf(artifact)]]
  })
  if (found.length === 0) throw new SetupError(2, `manifest ${escapeText(file)}: no scenario has rows`)
  return found
}

/** Ids in the sequence of the study, as far as the manifest has it. */
function inSequence({ study, scenarios }: Manifest): string[] {
  const known = (study.scenario_order ?? []).filter((id) => Object.hasOwn(scenarios, id))
  return [...new Set([...known, ...Object.keys(scenarios)])]
}

function artifactOf(manifest: Manifest, id: string): Artifact {
  const scenario = Object.hasOwn(manifest.scenarios, id) ? manifest.scenarios[id] : undefined
  if (scenario === undefined) {
    const names = inSequence(manifest).map(escapeText)
    throw new SetupError(2, `the manifest has no scenario "${escapeText(id)}"`, `It has: ${listText(names, 20)}.`)
  }
  if (scenario.artifact === null) {
    const why = scenario.error === undefined ? '' : `: ${escapeText(scenario.error.detail)}`
    throw new SetupError(2, `scenario ${escapeText(id)} has no rows (${scenario.status.replace('_', ' ')})${why}`)
  }
  return [id, readableOf(scenario.artifact)]
}

async function rowsOf(
  manifestPath: string,
  id: string,
  artifact: ReadableFile,
  { rows, columns }: HeadFlags,
): Promise<ArtifactRows> {
  try {
    return await artifactRows(manifestPath, artifact, { rows, columns: columns ?? null, tempDir: tmpdir() })
  } catch (error) {
    if (!(error instanceof WhatifError) || ![UNKNOWN_COLUMN, UNUSABLE_ARTIFACT].includes(error.code)) throw error
    const message = `${escapeText(artifact.path)} of scenario ${escapeText(id)}: ${escapeText(error.message)}`
    if (error.code === UNKNOWN_COLUMN) throw new SetupError(2, message)
    throw new SetupError(
      2,
      message,
      'A run of the study makes a missing file again, and replaces a damaged one with --overwrite.',
    )
  }
}

function headingOf({ scenarios }: Manifest, id: string, { rows, columns }: ArtifactRows): string {
  const counted = scenarios[id]?.rows.counted ?? null
  const of = counted === null ? '' : ` of ${countText(counted)}`
  return `${escapeText(id)}: ${countText(rows.length)}${of} rows, ${plural(columns.length, 'column')}`
}

/** As in the artifact: RFC 4180 with line feeds, and nothing where a value is missing. */
function csvText({ shown, rows }: ArtifactRows): string {
  return [shown, ...rows]
    .map((row) => `${row.map((cell) => (cell === null ? missing(shown) : csvField(cell))).join(',')}\n`)
    .join('')
}

/** Readers skip empty lines. */
const missing = (columns: readonly string[]): string => (columns.length === 1 ? '""' : '')
