import type { Manifest } from '../../records/manifest/manifest.ts'

/** What a reader of the results of one part of a study has to know; null for those of a study. */
export function partText({ run }: Pick<Manifest, 'run'>): string | null {
  if (run.shard === undefined) return null
  const { index, of } = run.shard
  return `part ${index} of ${of}: no gate is judged and nothing is compared here; whatif merge does both once all parts are there`
}
