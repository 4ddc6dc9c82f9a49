/**
 * Removes cells that violate a relation of the seed or a rule of its author: trees of few rows may give them a little mass.
 *
 * K  cells, D  conditioned categorical columns
 */

import type { EncodedCategorical, Model } from '../model/model.ts'
import type { Bound, Relation } from '../model/relation.ts'
import { levelNumbers } from '../sampling/block-values.ts'
import { extremesOf, noiseOf } from '../sampling/limits.ts'
import type { RangeCondition } from './conditions.ts'
import { breaksInCell } from './rule-cells.ts'
import type { CellTable } from './sampled-cells.ts'

/** Whether the codes of a cell, from index `at`, go together. */
type Check = (codes: Int32Array, at: number) => boolean

/**
 * @param columns The D columns of the cells.
 * @param ranges A cell is also impossible if its levels leave a ranged column nothing of its range.
 * @returns also the rules that removed cells, as the study writes them.
 */
export function withoutImpossible(
  model: Model,
  columns: Int32Array,
  ranges: readonly RangeCondition[],
  table: CellTable,
): { readonly table: CellTable; readonly rules: readonly string[] } {
  const rules = (model.rules ?? []).flatMap((rule) => {
    const breaks = breaksInCell(model, columns, ranges, rule)
    return breaks === null ? [] : [{ text: rule.text, breaks }]
  })
  const checks = model.relations.flatMap((relation) => checkOf(model, columns, ranges, relation) ?? [])
  const found = new Set<string>()
  for (const { text, breaks } of rules)
    checks.push((codes, at) => {
      if (!breaks(codes, at)) return true
      found.add(text)
      return false
    })
  if (checks.length === 0) return { table, rules: [] }
  const D = columns.length
  const kept = Array.from(table.probabilities.keys()).filter((c) => checks.every((check) => check(table.codes, c * D)))
  if (kept.length === table.probabilities.length) return { table, rules: [] }
  const codes = new Int32Array(kept.length * D)
  kept.forEach((c, i) => {
    codes.set(table.codes.subarray(c * D, (c + 1) * D), i * D)
  })
  const probabilities = Float64Array.from(kept, (c) => table.probabilities[c]!)
  return { table: { ...table, codes, probabilities }, rules: [...found] }
}

/** Null if a relation does not concern cells. */
function checkOf(
  model: Model,
  columns: Int32Array,
  ranges: readonly RangeCondition[],
  relation: Relation,
): Check | null {
  if (relation.kind === 'bound') return relation.isDeclared ? null : checkBound(model, columns, ranges, relation)
  if (relation.kind === 'equality') return null
  const places = relation.columns.flatMap((column) => (columns.includes(column) ? [columns.indexOf(column)] : []))
  if (places.length < 2) return null
  const labels = places.map((d) => {
    const { levels, missing } = model.columns[columns[d]!] as EncodedCategorical
    return missing === 1 ? [null, ...levels] : levels
  })
  return (codes, at) => {
    const there = places.map((d, i) => labels[i]![codes[at + d]!]!).filter((label) => label !== null)
    return new Set(there).size === there.length
  }
}

function checkBound(
  model: Model,
  columns: Int32Array,
  ranges: readonly RangeCondition[],
  { terms, most, strict }: Bound,
): Check | null {
  let left = most
  let isConcerned = false
  const levels: { readonly d: number; readonly amounts: Float64Array }[] = []
  for (const { column, weight } of terms) {
    const encoded = model.columns[column]!
    const d = columns.indexOf(column)
    const ranged = ranges.find(({ index }) => index === column)
    isConcerned ||= d >= 0 || ranged !== undefined
    if (d >= 0) levels.push({ d, amounts: levelNumbers(encoded as EncodedCategorical).map((x) => weight * x) })
    else if (encoded.missing === 1 && !ranged) return null
    else {
      const { low, high } = extremesOf(encoded, ranged?.range)
      left -= Math.min(weight * low, weight * high)
    }
  }
  if (!isConcerned) return null
  const limit = strict ? left : left + noiseOf(model.columns, { terms, most })
  return (codes, at) => {
    let sum = 0
    for (const { d, amounts } of levels) sum += amounts[codes[at + d]!]!
    return Number.isNaN(sum) || (strict ? sum < limit : sum <= limit)
  }
}
