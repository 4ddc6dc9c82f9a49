import type { Measurement } from '../plan/study-state.ts'
import type { Gates, Scenario } from '../study/study.ts'
import { chanceOfShare } from './chance.ts'
import type { EvaluatedGate } from './manifest.ts'
import { roundRatio } from './round.ts'

/** Slack for the last bits of a difference of two doubles: 0.35 − 0.32 is within 0.03. */
const LAST_BITS = 1e-12

/**
 * The gates of a scenario against its artifact, fail level first. A gate that the scenario states nothing for (a
 * tolerance inherited by a scenario without shares) does not apply and is left out: the study as a whole was checked for
 * gates that never apply. Every gate that is returned has been evaluated, or has failed because it could not be.
 */
export function evaluateScenarioGates(scenario: Scenario, measured: Measurement): EvaluatedGate[] {
  return [
    ...gatesAt('fail', scenario.expect, scenario, measured),
    ...gatesAt('warn', scenario.warn, scenario, measured),
  ]
}

function gatesAt(level: 'fail' | 'warn', gates: Gates, scenario: Scenario, measured: Measurement): EvaluatedGate[] {
  return [
    ...fillGate(level, gates, scenario, measured),
    ...shareGates(level, gates, scenario, measured),
    ...rangeGate(level, gates, scenario, measured),
  ]
}

function fillGate(level: 'fail' | 'warn', gates: Gates, scenario: Scenario, measured: Measurement): EvaluatedGate[] {
  if (gates.fillMin === null) return []
  const fill = measured.rows / scenario.rows
  const passed = fill >= gates.fillMin
  return [{ id: 'fill', level, evaluated: 1, passed, expected: { min: gates.fillMin }, actual: roundRatio(fill) }]
}

/** A gate per column; `actual` is the largest |achieved − target| of its stated levels. */
function shareGates(level: 'fail' | 'warn', gates: Gates, scenario: Scenario, measured: Measurement): EvaluatedGate[] {
  if (gates.shares === null) return []
  const counted = new Map(measured.shares)
  const results: EvaluatedGate[] = []
  for (const [column, targets] of byName(scenario.shares)) {
    const tolerance = gates.shares.columns.get(column) ?? gates.shares.tolerance
    if (tolerance === null || targets.size === 0) continue
    const base = { id: `shares:${column}` as const, level, expected: { tolerance } }
    const found = counted.get(column)
    if (found === undefined || measured.rows === 0) {
      results.push({ ...base, evaluated: 0, passed: false, actual: null })
      continue
    }
    const counts = new Map(found.levels)
    let worst = { off: -1, target: 0 }
    for (const [name, target] of byName(targets)) {
      const off = Math.abs((counts.get(name) ?? 0) / measured.rows - target)
      if (off > worst.off) worst = { off, target }
    }
    results.push({
      ...base,
      evaluated: targets.size,
      passed: worst.off <= tolerance + LAST_BITS,
      actual: roundRatio(worst.off),
      chance: roundRatio(chanceOfShare(worst.target, measured.rows)),
    })
  }
  return results
}

function rangeGate(level: 'fail' | 'warn', gates: Gates, scenario: Scenario, measured: Measurement): EvaluatedGate[] {
  if (gates.rangesOutsideMax === null || scenario.ranges.size === 0) return []
  const outside = new Map(measured.outside)
  const found = [...scenario.ranges.keys()].filter((column) => outside.has(column))
  const base = { id: 'ranges' as const, level, expected: { outside_max: gates.rangesOutsideMax } }
  if (found.length < scenario.ranges.size || measured.rows === 0) {
    return [{ ...base, evaluated: 0, passed: false, actual: null }]
  }
  const worst = Math.max(...found.map((column) => outside.get(column)!)) / measured.rows
  const passed = worst <= gates.rangesOutsideMax + LAST_BITS
  return [{ ...base, evaluated: found.length, passed, actual: roundRatio(worst) }]
}

/** In one order, whatever that of the file is: of equally bad levels the first is told, as when a manifest is read back. */
const byName = <V>(map: ReadonlyMap<string, V>): [string, V][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
