import type { SourceRange } from '../diagnostics/diagnostic.ts'
import { childMap, childNumber, type LocatedMap } from '../yaml/located-node.ts'

/**
 * What a scenario asks of its rows, by kind: a kind has the name of the key under which a study file has it. This is the
 * one list of kinds: tables over kinds are typed by it, so that a new kind is an error of the compiler at each table.
 */
export const GATE_FORMS = {
  /** rows_generated / rows. */
  fill: { number: 'min', hasColumns: false },
  /** Largest distance of a share from its target. */
  shares: { number: 'tolerance', hasColumns: true },
  /** Largest share of rows outside a stated range. */
  ranges: { number: 'outside_max', hasColumns: false },
  /** Largest distance of a mean from its target, in the units of the column. */
  means: { number: 'tolerance', hasColumns: true },
  /** Largest distance of a cell from its target. */
  cells: { number: 'tolerance', hasColumns: false },
} as const satisfies Record<string, GateForm>

interface GateForm {
  /** The key of the gate's number in a study file. */
  readonly number: string
  /** Whether columns may have a number of their own, under `columns`. */
  readonly hasColumns: boolean
}

export type GateKind = keyof typeof GATE_FORMS

/** In the sequence in which a manifest has them. */
export const GATE_KINDS = Object.keys(GATE_FORMS) as readonly GateKind[]

/** One number that the rows of a scenario must keep to. What is written once is one object in all scenarios that inherit it. */
export interface Gate {
  readonly kind: GateKind
  /** Null: of all columns, or of none in particular. */
  readonly column: string | null
  readonly number: number
  /** Where the number is written. */
  readonly place: SourceRange
}

/** By kind; of a kind, the number of all columns first. */
export type Gates = readonly Gate[]

/** The gates under `expect` or `warn`. The shape has been checked. */
export function readGates(node: LocatedMap | undefined): Gates {
  return GATE_KINDS.flatMap((kind): Gate[] => {
    const { number: key, hasColumns } = GATE_FORMS[kind]
    const written = childMap(node, kind)
    const all = childNumber(written, key)
    const columns = hasColumns ? childMap(written, 'columns') : undefined
    return [
      ...(all === undefined ? [] : [{ kind, column: null, number: all.value, place: all.range }]),
      ...[...(columns?.entries.values() ?? [])].flatMap(({ key: column }) => {
        const own = childNumber(columns, column)
        return own === undefined ? [] : [{ kind, column, number: own.value, place: own.range }]
      }),
    ]
  })
}

/** Numbers replace. Scenarios that inherit all their gates share one list, so that caches by object work. */
export function layerGates(below: Gates, above: Gates): Gates {
  if (above.length === 0) return below
  if (below.length === 0) return above
  const replaced = below.map((gate) => gateOf(above, gate.kind, gate.column) ?? gate)
  const added = above.filter(({ kind, column }) => gateOf(below, kind, column) === undefined)
  const all = [...replaced, ...added]
  return GATE_KINDS.flatMap((kind) => {
    const own = gatesOf(all, kind)
    return [...own.filter(({ column }) => column === null), ...own.filter(({ column }) => column !== null)]
  })
}

export const gatesOf = (gates: Gates, kind: GateKind): Gates => gates.filter((gate) => gate.kind === kind)

/** Exactly the number of a column, or of all columns. */
export const gateOf = (gates: Gates, kind: GateKind, column: string | null = null): Gate | undefined =>
  gates.find((gate) => gate.kind === kind && gate.column === column)

/** The number that counts for a column: its own, or that of all columns. */
export const gateFor = (gates: Gates, kind: GateKind, column: string): Gate | undefined =>
  gateOf(gates, kind, column) ?? gateOf(gates, kind)

/** Where a study file has a gate, below `expect` or `warn`. */
export const gatePath = ({ kind, column }: Gate): readonly string[] =>
  column === null ? [kind, GATE_FORMS[kind].number] : [kind, 'columns', column]
