/**
 * The positions of columns with derivations in an order.
 *
 * A formula's target follows its sources. A recoding holds in both directions, whichever column comes first: a target that
 * follows its source takes the determined code, and a source that follows its target is drawn among the codes that determine it.
 * But a drawn column can fit only one target, and a computed column can fit none: other targets follow their source. A formula that the
 * author of the seed declared holds in both directions too.
 */

import type { Derivation, Formula, Recoding } from '../model/derivation.ts'

/**
 * Moves columns back as far as their derivations need, each directly after the last column that it needs.
 *
 * @param order Column indices; the first `fixed` (those of a scenario) stay in place whatever they break.
 */
export function placeDerived(order: readonly number[], fixed: number, derivations: readonly Derivation[]): number[] {
  const needs = neededColumns(order, fixed, derivations)
  const placed = new Set<number>()
  const waiting: number[] = []
  const isReady = (column: number) => [...(needs.get(column) ?? [])].every((needed) => placed.has(needed))
  order.forEach((column, position) => {
    if (position >= fixed && !isReady(column)) {
      waiting.push(column)
      return
    }
    placed.add(column)
    for (let w = waiting.findIndex(isReady); w >= 0; w = waiting.findIndex(isReady))
      placed.add(waiting.splice(w, 1)[0]!)
  })
  return [...placed, ...waiting]
}

/** Column → columns that must precede it. */
function neededColumns(order: readonly number[], fixed: number, derivations: readonly Derivation[]) {
  const isFixed = new Set(order.slice(0, fixed))
  const formulas = derivations.filter((one): one is Formula => one.kind === 'formula')
  const recodings = derivations.filter((one): one is Recoding => one.kind === 'recoding')
  const needs = new Map<number, Set<number>>()
  const need = (column: number, other: number) => {
    const known = needs.get(column)
    if (known) known.add(other)
    else needs.set(column, new Set([other]))
  }
  /** Columns that are determined at their position, so that their dependents must follow them. */
  const decided: number[] = []
  for (const { target, sources, isDeclared } of formulas) {
    const isGiven = isFixed.has(target) || recodings.some((one) => one.source === target && isFixed.has(one.target))
    if (isDeclared && isGiven) {
      // A scenario states the target, or its bands: the sources are drawn so that they give it (formula-fits.ts).
      for (const { column } of sources) if (!isFixed.has(column)) need(column, target)
      continue
    }
    if (isFixed.has(target)) continue
    for (const { column } of sources) need(target, column)
    decided.push(target)
  }
  const follow = (target: number, source: number) => {
    if (isFixed.has(target)) return
    need(target, source)
    decided.push(target)
  }
  for (const source of new Set(recodings.map((one) => one.source))) {
    if (isFixed.has(source)) continue
    const targets = recodings.filter((one) => one.source === source).map((one) => one.target)
    // A scenario's columns come first. Otherwise the column with the most codes determines most of its dependents.
    const fitted = targets.find((target) => isFixed.has(target)) ?? finest(targets, order)
    for (const target of targets) if (target !== fitted) follow(target, source)
  }
  for (let i = 0; i < decided.length; i++) {
    for (const { source, target } of recodings) {
      if (source === decided[i] && !needs.get(target)?.has(source)) follow(target, source)
    }
  }
  return needs
}

/** The last column in the order: it has the most codes. */
function finest(targets: readonly number[], order: readonly number[]): number {
  return targets.reduce((last, target) => (order.indexOf(target) > order.indexOf(last) ? target : last))
}

/** Columns that a column's tree must be able to choose, whatever screening finds. */
export function neededPredictors(derivations: readonly Derivation[], column: number): number[] {
  return derivations.flatMap((one) => {
    if (one.kind === 'recoding') {
      if (one.source === column) return [one.target]
      return one.target === column ? [one.source] : []
    }
    const sources = one.sources.map((source) => source.column)
    if (one.target === column) return sources
    return one.isDeclared && sources.includes(column) ? [one.target] : []
  })
}
