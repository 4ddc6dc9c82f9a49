import type { Manifest } from '../manifest/manifest.ts'
import { isBelowPolicy, isJudged, type ManifestReview } from '../manifest/review-manifest.ts'
import { EXIT_CODES, type ExitReason, type Verdict, verdict } from './interface/exit-code.ts'

/** Judged anew from the figures. */
const JUDGED_ANEW: ReadonlySet<string> = new Set(['ok', 'gates_failed', 'partial_below_policy'])

/**
 * The exit code that a run with these results would have. What else it recorded stands: a manifest with a failed scenario
 * does not pass because its gates could not be asked. A run that is not over, or was broken off, is to be gone on with (11).
 */
export function judgeManifest(
  manifest: Manifest,
  review: ManifestReview,
  exitZeroOn: ReadonlySet<'gates' | 'partial'>,
): Verdict {
  const causes = new Set<ExitReason>(recordedCauses(manifest))
  for (const [id, { status }] of Object.entries(manifest.scenarios)) {
    if (!isJudged(manifest, id)) continue
    if (status === 'failed') causes.add('failed')
    if (status === 'running' || status === 'interrupted') causes.add('deadline_or_network')
  }
  if (!exitZeroOn.has('gates') && review.gates.some((r) => r.counts && r.gate.level === 'fail' && !r.gate.passed))
    causes.add('gates_failed')
  if (!exitZeroOn.has('partial') && review.partial.some((p) => isBelowPolicy(p, manifest)))
    causes.add('partial_below_policy')
  return verdict(causes)
}

function recordedCauses(manifest: Manifest): ExitReason[] {
  if (manifest.outcome === null) return ['deadline_or_network']
  return reasonsOf(manifest).flatMap((reason): ExitReason[] => {
    if (JUDGED_ANEW.has(reason)) return []
    if (reason === 'interrupted' || reason === 'terminated') return ['deadline_or_network']
    // A reason that a newer runner gave: that it was none of the known ones is all that can be said.
    return [Object.hasOwn(EXIT_CODES, reason) ? (reason as ExitReason) : 'unexpected_error']
  })
}

function reasonsOf({ outcome }: Manifest): readonly string[] {
  return outcome === null ? [] : [outcome.reason, ...outcome.also]
}
