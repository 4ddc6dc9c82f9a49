import { words } from '../../base/language/language.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'

/** What a reader of a trial's results has to know; null for a run of the study itself. */
export function trialText({ run }: Pick<Manifest, 'run'>): string | null {
  if (run.trial === undefined) return null
  return words().answers.trial(run.trial)
}
