import type { ExistingRecord, UploadRecord } from '../../records/state/datasets.ts'
import type { EstimateRecord } from '../../records/state/estimates.ts'
import type { GenerationRecord, ScenarioRecord } from '../../records/state/generations.ts'

/**
 * The memory of earlier runs of one study against one service: the content of `state.json` after the journal was
 * applied to it. Records are keyed by request key, because the service identifies work by it. Times are RFC 3339, UTC.
 */
export interface StudyState {
  /** Count of journal entries applied so far; rises with each change. */
  readonly serial: number
  /** The study's file, relative to the folder that holds `.whatif`, with `/`; null before the first run. */
  readonly studyPath: string | null
  readonly uploads: ReadonlyMap<string, UploadRecord>
  readonly generations: ReadonlyMap<string, GenerationRecord>
  /** Datasets named by id in the study, by that id. */
  readonly existing: ReadonlyMap<string, ExistingRecord>
  /** The work of each scenario name when its artifact was last stored. */
  readonly scenarios: ReadonlyMap<string, ScenarioRecord>
  /** Seeds drawn for scenarios that are not done yet, by scenario. */
  readonly seeds: ReadonlyMap<string, number>
  /** Request keys of a forced run that has not ended: they are not forced again. */
  readonly forced: ReadonlySet<string>
  /** The seed's estimates of differences, by a hash of the question; oldest first. */
  readonly estimates: ReadonlyMap<string, EstimateRecord>
}

/** The state of a study that was never run. */
export function emptyState() {
  return {
    serial: 0,
    studyPath: null as string | null,
    uploads: new Map<string, UploadRecord>(),
    generations: new Map<string, GenerationRecord>(),
    existing: new Map<string, ExistingRecord>(),
    scenarios: new Map<string, ScenarioRecord>(),
    seeds: new Map<string, number>(),
    forced: new Set<string>(),
    estimates: new Map<string, EstimateRecord>(),
  } satisfies StudyState
}

/** Retention that is assumed when the service reports no end (specification, "Limits"). */
export const ASSUMED_RETENTION_MS = 24 * 60 * 60 * 1000

/** The year 10000, which RFC 3339 cannot express: later times are ignored. */
const END_OF_DATES = Date.UTC(10_000, 0)

/**
 * When a finished generation expires at the service, in ms since 1970: as the service reports it, or 24 h after
 * completion. Null when neither is known.
 */
export function endOfLife(record: {
  readonly expiresAt: string | null
  readonly completedAt: string | null
}): number | null {
  const stated = record.expiresAt === null ? Number.NaN : Date.parse(record.expiresAt)
  if (stated < END_OF_DATES) return stated
  const done = record.completedAt === null ? Number.NaN : Date.parse(record.completedAt)
  return Number.isFinite(done) ? done + ASSUMED_RETENTION_MS : null
}
