/**
 * Finds columns whose code is determined by another column's code (functional dependencies with evidence).
 *
 * n  rows     K  codes of the source     d  columns
 *
 * Every row after the first of its source code is a test. Pairs are screened on a sample, where most fail within a few rows; the
 * remaining pairs are counted in all rows.
 */

import type { Formula, Recoding } from '../model/derivation.ts'
import type { EncodedColumn } from '../model/model.ts'
import { sharedInt32 } from '../threads/shared-arrays.ts'
import { dependsOn } from './detect-formulas.ts'

const SAMPLE_ROWS = 1_024
/** This many times the allowed share of misses, plus this many misses, are due to chance in the sample. */
const SAMPLE_SLACK = 3
/** Least share of all rows, and of those without the target's most common code, whose code determines the target. */
const LEAST_SHARE = 0.95
/** Least number of tests by rows without the target's most common code. */
const LEAST_UNCOMMON_ROWS = 30

/**
 * @param columns Encoded from the table that `formulas` were found in, with bins cut at the edges of bands.
 * @param codes d arrays of length n
 * @returns recodings, none of which follows from two others or contradicts a formula, in the table's order of their targets
 */
export function findRecodings(
  columns: readonly EncodedColumn[],
  codes: readonly Uint16Array[],
  formulas: readonly Formula[],
): Recoding[] {
  const n = codes[0]?.length ?? 0
  const sampled = codes.map((all) =>
    Uint16Array.from(
      { length: Math.min(n, SAMPLE_ROWS) },
      (_, i) => all[Math.floor((i * n) / Math.min(n, SAMPLE_ROWS))]!,
    ),
  )
  const found: Recoding[] = []
  columns.forEach((target, t) => {
    if (!codeDecidesValue(target) || formulas.some((formula) => formula.target === t)) return
    const common = commonest(codes[t]!, target.codeCount)
    columns.forEach((source, s) => {
      // Of two columns that determine each other, the later in the base order is the target.
      const isFiner = source.codeCount > target.codeCount || (source.codeCount === target.codeCount && s < t)
      if (s === t || !isFiner || dependsOn(formulas, s, t)) return
      const k = source.codeCount
      if (!isScreened(sampled[s]!, sampled[t]!, k, common)) return
      const table = decidedCodes(codes[s]!, codes[t]!, k, common)
      if (table) found.push({ kind: 'recoding', target: t, source: s, codes: table })
    })
  })
  return withoutTransitive(found)
}

/** Whether every code represents one level or value. */
function codeDecidesValue(column: EncodedColumn): boolean {
  if (column.codeCount < 2) return false
  return column.kind === 'categorical' || (!column.jitter && column.values.length === column.codeCount - column.missing)
}

function commonest(codes: Uint16Array, k: number): number {
  const counts = new Int32Array(k)
  for (let i = 0; i < codes.length; i++) counts[codes[i]!]!++
  return counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0))
}

function isScreened(source: Uint16Array, target: Uint16Array, k: number, common: number): boolean {
  const first = new Int32Array(k).fill(-1)
  const allowed = (1 - LEAST_SHARE) * source.length
  let misses = 0
  let uncommon = 0
  let uncommonMisses = 0
  for (let i = 0; i < source.length; i++) {
    const s = source[i]!
    if (first[s] === -1) first[s] = target[i]!
    else {
      const isMiss = first[s] !== target[i]
      if (isMiss && ++misses > allowed) return false
      if (target[i] === common) continue
      uncommon++
      if (isMiss) uncommonMisses++
    }
  }
  return uncommonMisses <= SAMPLE_SLACK + SAMPLE_SLACK * (1 - LEAST_SHARE) * uncommon
}

/** See Recoding.codes; null if there is too little evidence. */
function decidedCodes(source: Uint16Array, target: Uint16Array, k: number, common: number): Int32Array | null {
  const OPEN = -1
  const UNSEEN = -2
  const decided = sharedInt32(k).fill(UNSEEN)
  const rows = new Int32Array(k)
  for (let i = 0; i < source.length; i++) {
    const s = source[i]!
    rows[s] = rows[s]! + 1
    if (decided[s] === UNSEEN) decided[s] = target[i]!
    else if (decided[s] !== target[i]) decided[s] = OPEN
  }
  let decidedRows = 0
  let uncommon = 0
  let uncommonDecided = 0
  for (let i = 0; i < source.length; i++) {
    const s = source[i]!
    if (decided[s] !== OPEN) decidedRows++
    if (target[i] === common || rows[s] === 1) continue
    uncommon++
    if (decided[s] !== OPEN) uncommonDecided++
  }
  for (let s = 0; s < k; s++) if (decided[s] === UNSEEN) decided[s] = OPEN
  const isEvident =
    decidedRows >= LEAST_SHARE * source.length &&
    uncommonDecided >= LEAST_UNCOMMON_ROWS &&
    uncommonDecided >= LEAST_SHARE * uncommon
  return isEvident ? decided : null
}

/** Postcode determines district and district determines region, so it follows that postcode determines region. */
function withoutTransitive(recodings: readonly Recoding[]): Recoding[] {
  const decides = (source: number, target: number) =>
    recodings.some((one) => one.source === source && one.target === target)
  return recodings.filter(
    ({ source, target }) =>
      !recodings.some((one) => one.source === source && one.target !== target && decides(one.target, target)),
  )
}
