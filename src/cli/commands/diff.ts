import type { Command } from 'commander'
import {
  compareManifests,
  compareWithStudy,
  type DifferenceKind,
  type ManifestDifference,
} from '../../answers/manifest/compare-manifests.ts'
import { intervalText } from '../../answers/words/difference-text.ts'
import { type CanonicalValue, canonicalFigures } from '../../base/canonical-json.ts'
import { countText } from '../../base/text/amount-text.ts'
import { textTable, wrapped } from '../../base/text/fit-text.ts'
import { textWidth } from '../../base/text/text-width.ts'
import { readManifestFile } from '../../local/manifest-file.ts'
import { SetupError } from '../../local/setup-error.ts'
import { readStudyFile, type StudyFile } from '../../local/study-file.ts'
import { compareWaves } from '../../report/waves/compare-waves.ts'
import { compareStudies } from '../../study/differences/compare-studies.ts'
import type { Difference } from '../../study/differences/tree-differences.ts'
import { loadStudy } from '../../study/load/load-study.ts'
import type { Study } from '../../study/study.ts'
import { JSON_HELP } from '../options/study-options.ts'
import { jsonDocument } from '../output/json-document.ts'
import { describeTerminal, type Terminal } from '../output/terminal.ts'
import { wavesJson, wavesText } from '../output/waves-text.ts'
import { marginsAtRevision, readAtRevision } from '../steps/git-revision.ts'
import { reportInvalid } from '../steps/report-study.ts'

export interface DiffFlags {
  readonly json?: boolean
  /** Every difference, field by field. */
  readonly all?: boolean
  readonly color?: boolean
}

/** What was compared, and how it differs; `data` is what `--json` says besides. */
interface Compared {
  readonly data: object
  readonly renamed: ReadonlyMap<string, string>
  readonly differences: readonly Difference[]
  readonly tables: readonly { readonly title: string; readonly differences: readonly Difference[] }[]
}

const TITLES: Readonly<Record<DifferenceKind, string>> = {
  input: 'Asked for',
  share: 'Shares',
  result: 'Results',
  gate: 'Gates',
}

/** Declares `whatif diff`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  command
    .description(
      'Show how two manifests differ: first what a reader of two waves asks (data, answers beyond the chance of both samples, ' +
        'gates), with --all every field. Or show how a study differs from a git revision of it or from what a run of it ' +
        'asked for. Studies are expanded first and then compared field by field. Needs no ' +
        'network. The exit code is 0 whether or not there are differences.',
    )
    .argument('<before>', 'manifest.json of a run, or a study file (*.study.yaml)')
    .argument('[after]', 'another manifest; for a study, a git revision (default: HEAD) or a manifest')
    .option('--all', 'list every difference of two manifests: requests, shares, other results, gates')
    .option('--json', JSON_HELP)
    .action(async (before, after, flags) => {
      process.exitCode = await diff(before, after, flags, env)
    })
}

/** `whatif diff`: two manifests, or a study and a manifest or git revision of it. Differences are no failure: the exit code is 0. */
export async function diff(
  first: string,
  second: string | undefined,
  flags: DiffFlags,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const terminal = describeTerminal(flags, env)
  if (!first.endsWith('.json')) return diffStudy(first, second ?? 'HEAD', flags, terminal)
  if (second === undefined) throw new SetupError(2, 'name two manifests to compare')
  const [before, after] = [await readManifestFile(first), await readManifestFile(second)]
  const { nameOf, ...compared } = compareManifests(before.manifest, after.manifest)
  const waves = compareWaves(before.manifest, after.manifest, nameOf)
  const ofKind = (kind: DifferenceKind): readonly ManifestDifference[] =>
    compared.differences.filter((difference) => difference.kind === kind)
  const tables = (Object.keys(TITLES) as DifferenceKind[]).map((kind) => ({
    title: TITLES[kind],
    differences: ofKind(kind),
  }))
  const data = { before: before.digest, after: after.digest, waves: wavesJson(waves) }
  if (!flags.json && compared.differences.length > 0) terminal.stdout.write(wavesText(waves, terminal.width))
  const isShort = compared.differences.length <= MOST_ON_FIRST_SCREEN
  if (flags.json || flags.all || isShort) return printDifferences({ ...compared, data, tables }, flags, terminal)
  terminal.stdout.write(`${wrapped('', restText(tables), terminal.width)}`)
  return 0
}

/** So few differences follow the first screen at once. */
const MOST_ON_FIRST_SCREEN = 8

/** `--all lists every field: 12 under Asked for, 40 under Shares`. */
const restText = (tables: Compared['tables']): string =>
  `--all lists every field: ${tables
    .filter(({ differences }) => differences.length > 0)
    .map(({ title, differences }) => `${countText(differences.length)} under "${title}"`)
    .join(', ')}`

async function diffStudy(path: string, other: string, flags: DiffFlags, terminal: Terminal): Promise<number> {
  const file = await readStudyFile(path)
  if (file.study === null) return reportInvalid('diff', [file], flags, terminal)
  if (other.endsWith('.json')) {
    const { manifest, digest } = await readManifestFile(other)
    const compared = compareWithStudy(manifest, file.study)
    const tables = [{ title: 'Since the run', differences: compared.differences }]
    return printDifferences({ ...compared, data: { before: digest }, tables }, flags, terminal)
  }
  return diffRevision({ ...file, study: file.study }, other, flags, terminal)
}

async function diffRevision(
  file: StudyFile & { readonly study: Study },
  revision: string,
  flags: DiffFlags,
  terminal: Terminal,
): Promise<number> {
  const text = await readAtRevision(file.path, revision)
  const name = `${file.name}@${revision}`
  const { margins: named } = loadStudy(text, { filename: name, margins: 'unread' })
  const margins = await marginsAtRevision(named, file.path, revision)
  const { study, diagnostics } = loadStudy(text, { filename: name, margins })
  if (study === null) return reportInvalid('diff', [{ ...file, name, text, study, diagnostics }], flags, terminal)
  const compared = compareStudies(study, file.study)
  const tables = [{ title: `Since ${revision}`, differences: compared.differences }]
  return printDifferences({ ...compared, data: { revision }, tables }, flags, terminal)
}

function printDifferences(
  { data, renamed, differences, tables }: Compared,
  flags: DiffFlags,
  terminal: Terminal,
): number {
  if (flags.json) {
    const all = {
      ...data,
      same: differences.length === 0 && renamed.size === 0,
      renamed: [...renamed].map(([from, to]) => ({ from, to })),
      differences: differences.map(({ before = null, after = null, ...rest }) => ({ ...rest, before, after })),
    }
    terminal.stdout.write(jsonDocument({ command: 'diff', data: all }))
    return 0
  }
  const { stdout, width } = terminal
  for (const [from, to] of renamed) stdout.write(wrapped('', `renamed: ${from} → ${to}`, width))
  const most = flags.all ? Number.POSITIVE_INFINITY : MOST_LINES
  for (const { title, differences } of tables) stdout.write(differenceText(title, differences, width, most))
  if (differences.length === 0) stdout.write(renamed.size === 0 ? 'no differences\n' : 'no other differences\n')
  return 0
}

/** More lines than this help nobody who did not ask for all; `--all` and `--json` have them. */
const MOST_LINES = 200

/** A list of differences under a title; empty when there are none. */
export function differenceText(
  title: string,
  differences: readonly (Difference & { readonly chance?: number })[],
  width: number,
  most = MOST_LINES,
): string {
  if (differences.length === 0) return ''
  const shown = differences.slice(0, most).map(({ path, before, after, chance }) => ({
    path: path.join(' › '),
    values: valueTexts(before, after),
    chance: chance === undefined ? '' : `±${chance}`,
  }))
  const more = differences.length - shown.length
  const rest = more > 0 ? `… and ${countText(more)} more (--json lists all)\n` : ''
  const columns = [{ title }, { title: 'Before' }, { title: 'After' }]
  const hasChance = shown.some(({ chance }) => chance !== '')
  const table = textTable(
    hasChance ? [...columns, { title: 'Noise' }] : columns,
    shown.map(({ path, values, chance }) => (hasChance ? [path, ...values, chance] : [path, ...values])),
    width,
  )
  if (table.split('\n').every((line) => textWidth(line) <= width)) return `${table}${rest}\n`
  // Nothing may be cut here, because the end of a path says what it is about.
  const lines = shown.map(({ path, values, chance }) => {
    const change = `${values.join(' → ')}${chance === '' ? '' : ` (noise of generation: ${chance})`}`
    return `${wrapped('  ', path, width)}${wrapped('      ', change, width)}`
  })
  return `${wrapped('', title, width)}${lines.join('')}${rest}\n`
}

/** Both sides of a difference. They must not look alike. */
function valueTexts(
  before: CanonicalValue | undefined,
  after: CanonicalValue | undefined,
): readonly [before: string, after: string] {
  const texts = [valueText(before), valueText(after)] as const
  return texts[0] === texts[1] && before !== undefined && after !== undefined
    ? [canonicalFigures(before), canonicalFigures(after)]
    : texts
}

const LONGEST_BRANCH = 60

const isInterval = (value: CanonicalValue): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((end) => typeof end === 'number')

/** Digests are cut as everywhere. A long branch that was added or removed is only named. */
function valueText(value: CanonicalValue | undefined): string {
  if (value === undefined) return '-'
  if (typeof value === 'string') return /^[0-9a-f]{64}$/.test(value) ? value.slice(0, 8) : value
  if (isInterval(value)) return intervalText(value)
  const text = canonicalFigures(value)
  const isBranch = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isBranch && text.length > LONGEST_BRANCH ? '(there)' : text
}
