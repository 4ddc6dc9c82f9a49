import { shareSum } from '../conditions/share.ts'
import { knownShares } from '../conditions/share-change.ts'
import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { type Gate, type GateKind, gateFor } from '../gates/gate.ts'
import type { ExpandedScenario } from '../matrix/expanded-scenario.ts'
import type { DraftScenario } from '../matrix/layering.ts'

/** How far the best possible result may lie from a share. */
interface Deviation {
  readonly deviation: number
  readonly share: number
  readonly rows: number
}

interface GateUse {
  readonly summary: string
  readonly detail: string
  isEvaluated: boolean
  /** Worst over the scenarios in which rounding to whole rows exceeds the tolerance. */
  rounding: Deviation | null
  /** Worst over the scenarios in which chance exceeds the tolerance. */
  chance: Deviation | null
}

/**
 * Finds gates that can never evaluate anything, and tolerances that a good result can miss (study language, section
 * 4.6). A number is checked where it is written: a number in `defaults` needs a single scenario that it applies to, a
 * number in a scenario that scenario. With `isSampled` the service may draw rows at random, so shares vary by chance.
 * The service of this package meets them to the nearest row.
 */
export function checkGates(
  scenarios: readonly ExpandedScenario[],
  { isSampled }: { readonly isSampled: boolean },
): Diagnostic[] {
  const uses = new Map<Gate, GateUse>()
  for (const { draft } of scenarios) {
    for (const gates of [draft.expect, draft.warn]) {
      for (const gate of gates) {
        const subject = SUBJECTS[gate.kind]
        if (subject === null) continue
        const use = useOf(uses, gate, subject)
        const stated = draft.conditions[subject.condition]
        use.isEvaluated ||= gate.column === null ? stated.size > 0 : stated.has(gate.column)
        if (gate.kind !== 'shares') continue
        const columns = gate.column === null ? [...stated.keys()] : [gate.column]
        for (const column of columns)
          if (gateFor(gates, 'shares', column) === gate) checkTolerance(use, gate.number, draft, column)
      }
    }
  }
  return [...uses].flatMap(([gate, use]) => report(gate, isSampled ? use : { ...use, chance: null }))
}

function report({ number: value, place: range }: Gate, use: GateUse): Diagnostic[] {
  if (!use.isEvaluated) {
    return [diagnose('S5101', { summary: `${use.summary} is never evaluated`, range, detail: use.detail })]
  }
  if (use.rounding !== null) {
    const { rows, share, deviation } = use.rounding
    const exact = Number((share * rows).toFixed(3))
    const off = Number(deviation.toPrecision(2))
    const detail = `${share} of ${rows} rows is ${exact} rows; rounded to whole rows it is off by ${off}`
    return [diagnose('W5102', { summary: `tolerance ${value} is below what whole rows allow`, range, detail })]
  }
  if (use.chance === null) return []
  const { rows, share, deviation } = use.chance
  return [
    diagnose('W5102', {
      summary: `tolerance ${value} is below chance`,
      range,
      detail: `with ${rows} rows a ${share.toFixed(2)} share moves by ±${deviation.toPrecision(1)} by chance, if rows are sampled`,
    }),
  ]
}

/** What a kind of gate judges; null: the rows of any scenario. */
const SUBJECTS: {
  readonly [Kind in GateKind]: {
    readonly condition: keyof DraftScenario['conditions']
    /** The gate's number: of all columns, or of none in particular. */
    readonly title: string
    readonly ofColumn: (column: string) => string
    readonly conditions: string
    readonly oneCondition: string
  } | null
} = {
  fill: null,
  shares: {
    condition: 'share',
    title: 'the tolerance of shares',
    ofColumn: (column) => `the tolerance of column "${column}"`,
    conditions: 'shares',
    oneCondition: 'shares of that column',
  },
  ranges: {
    condition: 'range',
    title: '`outside_max`',
    ofColumn: (column) => `\`outside_max\` of column "${column}"`,
    conditions: 'ranges',
    oneCondition: 'a range of that column',
  },
  means: {
    condition: 'mean',
    title: 'the tolerance of means',
    ofColumn: (column) => `the tolerance of the mean of column "${column}"`,
    conditions: 'means',
    oneCondition: 'a mean of that column',
  },
  cells: {
    condition: 'cell',
    title: 'the tolerance of cells',
    ofColumn: (column) => `the tolerance of cells of column "${column}"`,
    conditions: 'cells',
    oneCondition: 'cells of that column',
  },
}

function useOf(uses: Map<Gate, GateUse>, gate: Gate, subject: NonNullable<(typeof SUBJECTS)[GateKind]>): GateUse {
  const known = uses.get(gate)
  if (known !== undefined) return known
  const { title, ofColumn, conditions, oneCondition } = subject
  const { column } = gate
  const use: GateUse = {
    summary: column === null ? title : ofColumn(column),
    detail: `no scenario it applies to has ${column === null ? conditions : oneCondition}`,
    isEvaluated: false,
    rounding: null,
    chance: null,
  }
  uses.set(gate, use)
  return use
}

function checkTolerance(use: GateUse, tolerance: number, draft: DraftScenario, column: string): void {
  const rows = draft.rows?.value
  if (rows === undefined) return
  const stated = draft.conditions.share.get(column)?.shares
  if (stated === undefined) return
  // A share that the data decide has its rounding there.
  const shares = knownShares(stated)
  const counts = wholeRows(shares, rows)
  for (const [i, share] of [...shares.values()].entries()) {
    const rounding = Math.abs(counts[i]! / rows - share)
    if (tolerance < rounding - LAST_BITS && rounding > (use.rounding?.deviation ?? 0))
      use.rounding = { deviation: rounding, share, rows }
    // Two standard deviations of a binomial share.
    const chance = 2 * Math.sqrt((share * (1 - share)) / rows)
    if (tolerance < chance && chance > (use.chance?.deviation ?? 0)) use.chance = { deviation: chance, share, rows }
  }
}

/** The same slack as gates: for the last bits of a difference of two doubles. */
const LAST_BITS = 1e-12

/**
 * Shares as whole rows, by largest remainder. The unlisted remainder counts as one level, and the sum never exceeds
 * `rows`.
 */
function wholeRows(shares: ReadonlyMap<string, number>, rows: number): readonly number[] {
  const exact = [...shares.values(), Math.max(0, 1 - shareSum(shares))].map((share) => share * rows)
  const counts = exact.map(Math.floor)
  const left = rows - counts.reduce((sum, count) => sum + count, 0)
  const largest = [...exact.keys()].sort((a, b) => exact[b]! - counts[b]! - (exact[a]! - counts[a]!))
  for (const i of largest.slice(0, Math.max(0, left))) counts[i]! += 1
  return counts
}
