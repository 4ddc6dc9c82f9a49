import type { Command } from 'commander'
import type { ReadManifest } from '../../answers/manifest/parse-manifest.ts'
import { evaluateGates, type GateReview, type ManifestReview } from '../../answers/manifest/review-manifest.ts'
import { actualText, expectedText, foundText } from '../../answers/words/gate-text.ts'
import { countText, plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { textTable, wrapped } from '../../base/text/fit-text.ts'
import { textWidth } from '../../base/text/text-width.ts'
import { readManifestFile } from '../../local/manifest-file.ts'
import { SetupError } from '../../local/setup-error.ts'
import { readStudyFile } from '../../local/study-file.ts'
import type { GateResult } from '../../records/manifest/gates.ts'
import { reportJunit } from '../../report/report-junit.ts'
import { manifestVerdict } from '../../runner/conclude/run-verdict.ts'
import type { Verdict } from '../../runner/interface/exit-code.ts'
import { gateSummaryPage } from '../ci/command-page.ts'
import { manifestFindings, placesIn } from '../ci/findings.ts'
import { withReporting } from '../ci/reporting.ts'
import { openJunitFile } from '../files/report-files.ts'
import { exitZeroOn, gateReporter, type ReporterChoice } from '../options/option-values.ts'
import { EXIT_ZERO_HELP, JSON_HELP, REPORTER_HELP } from '../options/study-options.ts'
import { printResult } from '../output/json-document.ts'
import { describeTerminal } from '../output/terminal.ts'

export interface GateFlags {
  readonly reporter?: ReporterChoice
  readonly exitZeroOn?: string
  readonly study?: string
  readonly json?: boolean
  readonly color?: boolean
}

/** Declares `whatif gate`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  command
    .description(
      'Evaluate the gates and partial policies of a manifest again, from the figures in it. The exit code is that of a run with ' +
        'these results: 0; 9 for a failed gate; 8 for fewer rows than the policy accepts; otherwise the code of the run ' +
        'itself. Needs no network and no artifacts.',
    )
    .argument('<manifest>', 'manifest.json of a run')
    .option('--exit-zero-on <what>', EXIT_ZERO_HELP)
    .option('--study <file>', 'the study file, so that annotations stand at the gates in it')
    .option('--reporter <how>', `${REPORTER_HELP}; junit=FILE in addition`, gateReporter)
    .option('--json', JSON_HELP)
    .action(async (manifest, flags) => {
      process.exitCode = await gate(manifest, flags, env)
    })
}

/** `whatif gate`: evaluates a manifest by its figures, as its run did. Reads no artifact and calls no service. */
export async function gate(file: string, flags: GateFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const terminal = describeTerminal(flags, env)
  const forgiven = exitZeroOn(flags.exitZeroOn)
  return withReporting({ command: 'gate', flags, env, terminal }, async ({ show }) => {
    const junit = await openJunitFile(flags.reporter, false)
    const read = await readManifestFile(file)
    const { manifest } = read
    const places = await placesFor(flags.study, manifest.study.name)
    const review = evaluateGates(manifest)
    const found = manifestVerdict(manifest, review, forgiven)
    printResult(flags, { command: 'gate', exitCode: found.exitCode, data: gateData(read, review, found) }, () =>
      reviewText(review, found, terminal.width),
    )
    show(() => ({
      summary: gateSummaryPage(manifest, review, found.exitCode),
      findings: manifestFindings(manifest, review, { places, forgiven }),
    }))
    await junit?.write(reportJunit(read))
    return found.exitCode
  })
}

/** A manifest does not name its study file. A file that has faults by now has no places, and its checks report them. */
async function placesFor(path: string | undefined, name: string): Promise<ReturnType<typeof placesIn>> {
  if (path === undefined) return () => null
  const { study, projectRoot } = await readStudyFile(path)
  if (study === null) return () => null
  if (study.name !== name)
    throw new SetupError(
      2,
      `--study ${escapeText(path)}: it is the study ${study.name}, and the manifest is of ${escapeText(name)}`,
    )
  return placesIn(study, projectRoot)
}

function gateData({ manifest, digest }: ReadManifest, review: ManifestReview, { reason, also }: Verdict): object {
  return {
    study: manifest.study.name,
    manifest_digest: digest,
    reason,
    also,
    gates: review.gates.map((r) => ({
      [r.of]: r.id,
      ...r.gate,
      recorded_passed: r.recordedPassed,
      unchecked: r.unchecked,
      counts: r.counts,
    })),
    partial: review.partial,
  }
}

/** Above this many gates, only those that need attention have a line. */
const MOST_LINES = 40

/** Gates evaluated again, for a person: a line each, what the manifest says otherwise, and what it comes to. */
export function reviewText(review: ManifestReview, found: Verdict, width: number): string {
  const shown =
    review.gates.length <= MOST_LINES ? review.gates : review.gates.filter((r) => !r.gate.passed || noteOf(r) !== null)
  const left = review.gates.length - shown.length
  return [
    gateTable(shown, width),
    left > 0 ? `… and ${plural(left, 'more gate')} that passed\n` : '',
    ...shown.flatMap((r) => {
      const note = noteOf(r)
      return note === null ? [] : [wrapped('', `${nameOf(r.gate)} of ${r.id}: ${note}.`, width)]
    }),
    ...shown
      .filter(({ gate }) => gate.expected.confidence !== undefined && gate.actual !== null)
      .map(({ gate, id }) => wrapped('', `${nameOf(gate)} of ${id}: found ${foundText(gate)}.`, width)),
    ...review.partial.map((p) =>
      wrapped(
        '',
        `${p.scenario}: ${countText(p.counted)} of ${plural(p.requested, 'row')}: ${PARTIAL_WORDS[p.verdict]}.`,
        width,
      ),
    ),
    wrapped('', summary(review, found), width),
  ].join('')
}

/** A line per gate. If that is too wide, a few lines each, because the end of a name distinguishes gates. */
function gateTable(shown: readonly GateReview[], width: number): string {
  if (shown.length === 0) return ''
  const columns = [
    { title: 'Gate' },
    { title: 'Of' },
    { title: 'Expected' },
    { title: 'Found', align: 'right' as const },
    { title: 'Verdict' },
  ]
  const rows = shown.map((r) => [nameOf(r.gate), r.id, expectedText(r.gate), actualText(r.gate), verdictOf(r)] as const)
  const table = textTable(columns, rows, width)
  if (table.split('\n').every((line) => textWidth(line) <= width)) return table
  return rows
    .map(([name, of, expected, found, verdict]) =>
      [
        wrapped('', `${name} of ${of}`, width),
        wrapped('    ', `expected ${expected}, found ${found}: ${verdict}`, width),
      ].join(''),
    )
    .join('')
}

const PARTIAL_WORDS = {
  accept: 'accepted by the policy',
  warn: 'fewer than asked for; the policy makes this a warning',
  fail: 'fewer than the policy accepts',
  unknown: 'the manifest does not hold the policy, so the verdict of the run stands',
} as const

function summary({ gates }: ManifestReview, { exitCode, reason, also }: Verdict): string {
  const failed = gates.filter((r) => r.counts && !r.gate.passed && r.gate.level === 'fail').length
  const warned = gates.filter((r) => r.counts && !r.gate.passed && r.gate.level === 'warn').length
  const figures = [
    plural(gates.length, 'gate'),
    `${countText(failed)} failed`,
    ...(warned > 0 ? [plural(warned, 'warning')] : []),
  ]
  const causes = [reason, ...also].filter((cause) => cause !== 'ok')
  return `${figures.join(', ')}; exit code ${exitCode}${causes.length > 0 ? ` (${causes.join(', ')})` : ''}`
}

/** A scenario may have a gate at both levels. */
const nameOf = ({ id, level }: GateResult): string => (level === 'warn' ? `${id} (warn)` : id)

function verdictOf({ gate, counts }: GateReview): string {
  if (gate.passed) return 'passed'
  return counts ? (gate.level === 'fail' ? 'FAILED' : 'warning') : 'not selected'
}

function noteOf({ gate, recordedPassed, unchecked }: GateReview): string | null {
  if (unchecked !== null) return `the recorded verdict stands, because ${unchecked}`
  if (gate.passed === recordedPassed) return null
  const said = (passed: boolean) => (passed ? 'passed' : 'not passed')
  return `the manifest says ${said(recordedPassed)}, but its figures say ${said(gate.passed)}`
}
