import { plural } from '../../base/text/amount-text.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'

/** What a reader of a trial's results has to know; null for a run of the study itself. */
export function trialText({ run }: Pick<Manifest, 'run'>): string | null {
  if (run.trial === undefined) return null
  return `trial with at most ${plural(run.trial, 'row')} per scenario: figures are rougher than those of the study, and gates do not count`
}
