import type { ReadManifest } from '../../manifest/parse-manifest.ts'
import { type ManifestReview, reviewManifest } from '../../manifest/review-manifest.ts'
import { reportJunit } from '../../report/report-junit.ts'
import { manifestVerdict } from '../../run/conclude/run-verdict.ts'
import type { Verdict } from '../../run/interface/exit-code.ts'
import { exitZeroOn } from '../exit-zero-on.ts'
import { openJunitFile } from '../files/junit-file.ts'
import { readManifestFile } from '../files/manifest-file.ts'
import { gateSummaryPage } from '../output/command-page.ts'
import { jsonDocument } from '../output/json-document.ts'
import { withReporting } from '../output/reporting.ts'
import { reviewText } from '../output/review-text.ts'
import { manifestFindings } from '../output/run-findings.ts'
import { describeTerminal, type Terminal } from '../output/terminal.ts'
import type { ReporterChoice } from '../reporter-option.ts'

export interface GateFlags {
  readonly reporter?: ReporterChoice
  readonly exitZeroOn?: string
  readonly json?: boolean
  readonly color?: boolean
}

/** `whatif gate`: judges a manifest as its run would be, from the figures in it. Reads no artifact and asks nobody. */
export async function gate(file: string, flags: GateFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const terminal = describeTerminal(flags, env)
  const forgiven = exitZeroOn(flags.exitZeroOn)
  return withReporting({ command: 'gate', flags, env, terminal }, async ({ show }) => {
    const junit = await openJunitFile(flags.reporter, false)
    const { manifest, digest } = await readManifestFile(file)
    const review = reviewManifest(manifest)
    const found = manifestVerdict(manifest, review, forgiven)
    tell({ manifest, digest }, review, found, flags, terminal)
    show(() => ({
      summary: gateSummaryPage(manifest, review, found.exitCode),
      findings: manifestFindings(manifest, review, { places: () => null, forgiven }),
    }))
    await junit?.write(reportJunit({ manifest, digest }))
    return found.exitCode
  })
}

function tell(
  { manifest, digest }: ReadManifest,
  review: ManifestReview,
  found: Verdict,
  flags: GateFlags,
  terminal: Terminal,
): void {
  const { exitCode, reason, also } = found
  if (flags.json) {
    const data = {
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
    terminal.stdout.write(jsonDocument({ command: 'gate', exitCode, data, diagnostics: [] }))
  } else terminal.stdout.write(reviewText(review, found, terminal.width))
}
