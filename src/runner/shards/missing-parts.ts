import { listText, plural } from '../../base/text/amount-text.ts'
import type { ManifestRun } from '../../records/manifest/manifest.ts'
import { shardOf, shardText } from '../../study/shards/shards.ts'
import type { Shard } from '../../study/study.ts'
import type { StopCauses } from '../interface/fault-text.ts'
import type { FoundParts } from '../interface/run-options.ts'
import { announce } from '../session/end-scenario.ts'
import type { PlannedRun, RunSoFar } from '../session/plan-run.ts'

/** More parts are only counted. */
const MOST_NAMED = 10

/** Ends the scenarios that no part has rows of. `whatif merge` submits nothing, so they are left to runs of their parts. */
export function leaveToParts(run: PlannedRun, parts: FoundParts): void {
  const here = indexesOf(parts)
  for (const { id, action } of run.plan.scenarios) {
    const isOpen = action.kind === 'generate' || action.kind === 'regenerate' || action.kind === 'resume'
    if (!isOpen || run.progress.ends.has(id)) continue
    const shard = { index: shardOf(run.scenarios.get(id)!, parts.of), of: parts.of }
    const detail = here.has(shard.index) ? lacksRows(shard) : isNotHere(shard)
    const nothing = { requestId: null, jobId: null, generationId: null, datasetId: null }
    const fault = { code: 'part_missing', detail, message: detail, ...nothing }
    announce(run, id, { kind: 'stopped', status: 'not_started', fault, cause: 'parts_missing', key: null })
  }
}

const isNotHere = (shard: Shard): string => `part ${shardText(shard)} is not here; run it and merge again`
const lacksRows = (shard: Shard): string =>
  `part ${shardText(shard)} has no rows of this request: its run has not ended, or it was another version of the study or of its data; run that part again and merge again`

const indexesOf = ({ parts }: FoundParts): ReadonlySet<number> => new Set(parts.map(({ part }) => part.shard.index))

/** Which parts lack results of this study, for the manifest. */
export function standingOfParts({ study, progress }: RunSoFar, parts: FoundParts): NonNullable<ManifestRun['parts']> {
  const here = indexesOf(parts)
  const lacking = new Set<number>()
  for (const scenario of study.scenarios) {
    const end = progress.ends.get(scenario.id)
    if (end?.kind === 'stopped' && end.cause === 'parts_missing') lacking.add(shardOf(scenario, parts.of))
  }
  const indexes = [...lacking].sort((a, b) => a - b)
  return {
    of: parts.of,
    missing: indexes.filter((index) => !here.has(index)),
    unfinished: indexes.filter((index) => here.has(index)),
  }
}

/** Whether gates can be judged: a part of a study is not judged, and parts are judged once all of them are there. */
export function isJudged(run: RunSoFar): boolean {
  const { parts } = run.request
  if (run.study.shard !== undefined) return false
  if (parts === undefined) return true
  const { missing, unfinished } = standingOfParts(run, parts)
  return missing.length + unfinished.length === 0
}

/** The message of a merge that lacks parts; null: it lacks none. */
export function missingPartsMessage(run: RunSoFar): StopCauses | null {
  const { parts } = run.request
  if (parts === undefined) return null
  const { of, missing, unfinished } = standingOfParts(run, parts)
  const left = [...run.progress.ends.values()].filter((end) => end.kind === 'stopped' && end.cause === 'parts_missing')
  if (left.length === 0) return null
  const first = [...missing, ...unfinished][0]!
  const message = [
    ...(missing.length === 0 ? [] : [`${named(missing, of)} not here`]),
    ...(unfinished.length === 0 ? [] : [`${named(unfinished, of)} not complete, or of another version of the study`]),
  ].join('; ')
  const text = `${message}: ${plural(left.length, 'scenario')} without rows, and no gate is judged. Run what is missing, for example whatif run ${run.study.filename} --shard ${shardText({ index: first, of })}, and merge again.`
  return {
    message: text,
    located: text,
    details: left.flatMap((end) => (end.kind === 'stopped' ? [end.fault.detail] : [])),
  }
}

function named(indexes: readonly number[], of: number): string {
  const one = indexes.length === 1
  return `${one ? 'part' : 'parts'} ${listText(indexes.map(String), MOST_NAMED)} of ${of} ${one ? 'is' : 'are'}`
}
