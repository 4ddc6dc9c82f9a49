import { reviewManifest } from '../../manifest/review-manifest.ts'
import { judgeManifest } from '../../run/judge-manifest.ts'
import { exitZeroOn } from '../exit-zero-on.ts'
import { jsonDocument } from '../output/json-document.ts'
import { reviewText } from '../output/review-text.ts'
import { describeTerminal } from '../output/terminal.ts'
import { readManifestFile } from './manifest-file.ts'

export interface GateFlags {
  readonly exitZeroOn?: string
  readonly json?: boolean
  readonly color?: boolean
}

/** `whatif gate`: judges a manifest as its run would be, from the figures in it. Reads no artifact and asks nobody. */
export async function gate(file: string, flags: GateFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const terminal = describeTerminal(flags, env)
  const forgiven = exitZeroOn(flags.exitZeroOn)
  const { manifest, digest } = await readManifestFile(file)
  const review = reviewManifest(manifest)
  const found = judgeManifest(manifest, review, forgiven)
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
  return exitCode
}
