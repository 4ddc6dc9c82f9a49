/**
 * Limits on the size of a study. The catalogue's texts use these numbers. `schemas/study.v1.json` has the bounds of
 * single values.
 */

/** Largest study file, in bytes of UTF-8. */
export const MAX_STUDY_BYTES = 1024 * 1024

/** Deepest nesting of maps and lists. */
export const MAX_DEPTH = 64

/**
 * How often aliases may repeat a part of the file. It is the rule of the library's `maxAliasCount` (references to an
 * anchor × the same number for its content), computed in one pass and without making the copies.
 */
export const MAX_ALIAS_COUNT = 100

/** Longest scenario id: it names a file. */
export const MAX_ID_LENGTH = 120

/** Default of `limits.max_scenarios`: combinations of one matrix. */
export const DEFAULT_MAX_SCENARIOS = 200

/** Bounds that no study can raise: scenarios, conditions in all of them, and combinations before `exclude`. */
export const MAX_SCENARIOS = 100_000
export const MAX_CONDITIONS = 2_000_000
export const MAX_COMBINATIONS = 1_000_000

/** A sum of shares this close to 1 is 1 (study language, "Share rules"). */
export const SHARE_SUM_TOLERANCE = 1e-9
