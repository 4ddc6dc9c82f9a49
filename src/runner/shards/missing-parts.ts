import { listText, plural } from '../../base/text/amount-text.ts'
import type { ManifestRun } from '../../records/manifest/manifest.ts'
import { shardOf, shardText } from '../../study/shards/shards.ts'
import type { Shard, Study } from '../../study/study.ts'
import type { StopCauses } from '../interface/fault-text.ts'
import type { FoundParts } from '../interface/run-options.ts'
import { announce } from '../session/end-scenario.ts'
import type { PlannedRun, RunSoFar } from '../session/plan-run.ts'
import type { End } from '../session/scenario-progress.ts'

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

/** Which parts of a merge lack results of the study, as the manifest says it. */
export type StandingOfParts = NonNullable<ManifestRun['parts']>

/** Null: the run merges no parts. */
export function standingOfParts({ study, progress, request: { parts } }: RunSoFar): StandingOfParts | null {
  if (parts === undefined) return null
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
export const isJudged = ({ shard }: Study, parts: StandingOfParts | null): boolean =>
  shard === undefined && (parts === null || parts.missing.length + parts.unfinished.length === 0)

/** The message of a merge that lacks parts; null: it lacks none. */
export function missingPartsMessage(
  { filename }: Study,
  parts: StandingOfParts | null,
  ends: Iterable<End>,
): StopCauses | null {
  if (parts === null) return null
  const { of, missing, unfinished } = parts
  const details = [...ends].flatMap((end) =>
    end.kind === 'stopped' && end.cause === 'parts_missing' ? [end.fault.detail] : [],
  )
  if (details.length === 0) return null
  const first = [...missing, ...unfinished][0]!
  const message = [
    ...(missing.length === 0 ? [] : [`${named(missing, of)} not here`]),
    ...(unfinished.length === 0 ? [] : [`${named(unfinished, of)} not complete, or of another version of the study`]),
  ].join('; ')
  const text = `${message}: ${plural(details.length, 'scenario')} without rows, and no gate is judged. Run what is missing, for example whatif run ${filename} --shard ${shardText({ index: first, of })}, and merge again.`
  return { message: text, located: text, details }
}

function named(indexes: readonly number[], of: number): string {
  const one = indexes.length === 1
  return `${one ? 'part' : 'parts'} ${listText(indexes.map(String), MOST_NAMED)} of ${of} ${one ? 'is' : 'are'}`
}
