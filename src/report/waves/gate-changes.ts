/** Gates whose verdict differs between two runs, and new ones that fail. */

import type { GateResult } from '../../records/manifest/gates.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'

export interface GateChange {
  /** The scenario, comparison or backtest that has the gate, under its name of the later run. */
  readonly of: string
  readonly gate: string
  readonly level: 'fail' | 'warn'
  readonly change: 'fails now' | 'fails and is new' | 'passes now'
  readonly before: number | null
  readonly after: number | null
}

/** Those that fail now come first. */
export function gateChanges(before: Manifest, after: Manifest, nameOf: (scenario: string) => string): GateChange[] {
  const old = gatesOf(before, nameOf)
  const changes: GateChange[] = []
  for (const [key, { of, gate }] of gatesOf(after, (name) => name)) {
    const earlier = old.get(key)?.gate
    if ((earlier?.passed ?? true) === gate.passed) continue
    const change = gate.passed ? 'passes now' : earlier === undefined ? 'fails and is new' : 'fails now'
    changes.push({ of, gate: gate.id, level: gate.level, change, before: earlier?.actual ?? null, after: gate.actual })
  }
  return changes.sort((a, b) => Number(a.change === 'passes now') - Number(b.change === 'passes now'))
}

function gatesOf(
  { scenarios, comparisons, backtests = {} }: Manifest,
  nameOf: (scenario: string) => string,
): Map<string, { readonly of: string; readonly gate: GateResult }> {
  const found = new Map<string, { readonly of: string; readonly gate: GateResult }>()
  const note = (room: string, of: string, gates: readonly GateResult[]): void => {
    for (const gate of gates) {
      const id = gate.id.replace(/^delta:([^:]*)/, (_, scenario: string) => `delta:${nameOf(scenario)}`)
      found.set(JSON.stringify([room, of, gate.level, id]), { of, gate: { ...gate, id } })
    }
  }
  for (const [id, { gates }] of Object.entries(scenarios)) note('scenario', nameOf(id), gates)
  for (const [id, { gates }] of Object.entries(comparisons)) note('comparison', id, gates)
  for (const [id, { gates }] of Object.entries(backtests)) note('backtest', id, gates)
  return found
}
