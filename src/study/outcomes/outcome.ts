import type { CanonicalValue } from '../../base/canonical-json.ts'
import { type ColumnKind, mayHaveLevels, mayHaveNumbers } from '../../base/column-kind.ts'
import { isWholeNumber } from '../../base/text/whole-number.ts'
import type { SourceRange } from '../diagnostics/diagnostic.ts'
import { childItems, childMap, type LocatedNode, nameText } from '../yaml/located-node.ts'

/**
 * What a comparison asks of a column, by kind: a kind has the name of the list under which a study file and a manifest have it. This is
 * the one list of kinds: tables over kinds are typed by it, so that a new kind is an error of the compiler at each table.
 */
export interface Outcomes {
  readonly shares: SharesOutcome
  readonly means: MeanOutcome
  readonly quantiles: QuantilesOutcome
}

export type OutcomeKindName = keyof Outcomes
export type Outcome = Outcomes[OutcomeKindName]

/** The share of each level. */
export interface SharesOutcome {
  readonly kind: 'shares'
  readonly column: string
  /** Where the column is written. */
  readonly place: SourceRange
}

/** The mean of the numbers, or of the codes of a column whose levels are whole numbers. */
export interface MeanOutcome {
  readonly kind: 'means'
  readonly column: string
  readonly place: SourceRange
}

/** Quantiles of the numbers, as shares of the rows up to them: 0.5 is the median. */
export interface QuantilesOutcome {
  readonly kind: 'quantiles'
  readonly column: string
  /** In the sequence of the file. */
  readonly shares: readonly number[]
  readonly place: SourceRange
}

/** A column of a cleaned schema, as far as outcomes need it. */
interface AskedColumn {
  readonly kind: ColumnKind
  /** Absent: not known, or none. */
  readonly levels?: readonly string[] | undefined
}

interface OutcomeKind<K extends OutcomeKindName> {
  /** One figure of it, as the names of figures in a table begin. */
  readonly singular: string
  /** The kind that a column of answer codes must have for it; null: either. */
  readonly needs: 'categorical' | null
  /** Whether it can be asked of a column; of one of unknown kind it can. */
  readonly fits: (column: AskedColumn) => boolean
  /** What its figures are of inside a column, which a gate on it names; null: a column has one figure. */
  readonly within: 'level' | 'quantile' | null
  /** What is counted of its column: the rows of each level, or its numbers. */
  readonly counted: 'shares' | 'numbers'
  /** What is said of a gate that names a level or a quantile where it has none, or none where it has some. */
  readonly gateAdvice: string
  /** What a comparison of a study file writes under its name. The shape has been checked. */
  readonly read: (comparison: LocatedNode) => readonly Outcomes[K][]
  /** As hashes have it; undefined, which leaves it out, where kinds that came later are not asked for. */
  readonly value: (own: readonly Outcomes[K][]) => CanonicalValue | undefined
}

const readColumns =
  <K extends 'shares' | 'means'>(kind: K) =>
  (comparison: LocatedNode) =>
    childItems(comparison, kind).map((item) => ({ kind, column: nameText(item), place: item.range }))

const columnNames = (own: readonly Outcome[]): readonly string[] => own.map(({ column }) => column)

/** In the sequence in which a comparison lists its outcomes. */
export const OUTCOME_KINDS = {
  shares: {
    singular: 'share',
    needs: 'categorical',
    fits: mayHaveLevels,
    within: 'level',
    counted: 'shares',
    gateAdvice: 'a check of shares names a level',
    read: readColumns('shares'),
    value: columnNames,
  },
  means: {
    singular: 'mean',
    needs: null,
    fits: (column) => mayHaveNumbers(column) || column.levels === undefined || areCodes(column.levels),
    within: null,
    counted: 'numbers',
    gateAdvice: 'a check of means names no level',
    read: readColumns('means'),
    value: columnNames,
  },
  quantiles: {
    singular: 'quantile',
    needs: null,
    fits: mayHaveNumbers,
    within: 'quantile',
    counted: 'numbers',
    gateAdvice: 'a check of quantiles names a `quantile`',
    read: (comparison) =>
      [...(childMap(comparison, 'quantiles')?.entries.values() ?? [])].map(
        ({ key: column, keyRange: place, value }): QuantilesOutcome => ({
          kind: 'quantiles',
          column,
          shares: numbersIn(value),
          place,
        }),
      ),
    value: (own) =>
      own.length === 0
        ? undefined
        : new Map(own.map(({ column, shares }) => [column, [...new Set(shares)].sort((a, b) => a - b)] as const)),
  },
} as const satisfies { readonly [K in OutcomeKindName]: OutcomeKind<K> }

const numbersIn = (node: LocatedNode): number[] =>
  node.kind === 'list' ? node.items.map((item) => Number(item.kind === 'scalar' ? item.value : Number.NaN)) : []

/** Whether all levels are whole numbers, of which there is a mean. */
export const areCodes = (levels: readonly string[]): boolean => levels.length > 0 && levels.every(isWholeNumber)

export const OUTCOME_KIND_NAMES = Object.keys(OUTCOME_KINDS) as readonly OutcomeKindName[]

type WithOutcomes = { readonly outcomes: readonly Outcome[] }

/** The outcomes of one kind, in their sequence. */
export function outcomesOf<K extends OutcomeKindName>({ outcomes }: WithOutcomes, kind: K): readonly Outcomes[K][] {
  return outcomes.filter((outcome): outcome is Outcomes[K] => outcome.kind === kind)
}

/** What a comparison of a study file asks. */
export const readOutcomes = (comparison: LocatedNode): readonly Outcome[] =>
  OUTCOME_KIND_NAMES.flatMap((kind): readonly Outcome[] => OUTCOME_KINDS[kind].read(comparison))

/** What a comparison compares, as hashes have it. */
export function outcomesValue(comparison: WithOutcomes): { readonly [kind: string]: CanonicalValue | undefined } {
  const ofKind = <K extends OutcomeKindName>(kind: K): CanonicalValue | undefined => {
    const { value }: OutcomeKind<K> = OUTCOME_KINDS[kind] as unknown as OutcomeKind<K>
    return value(outcomesOf(comparison, kind))
  }
  return Object.fromEntries(OUTCOME_KIND_NAMES.map((kind) => [kind, ofKind(kind)]))
}

/** The columns of each kind, as a study file lists them. */
export const outcomeColumns = (comparison: WithOutcomes): Readonly<Record<OutcomeKindName, readonly string[]>> =>
  Object.fromEntries(
    OUTCOME_KIND_NAMES.map((kind) => [kind, outcomesOf(comparison, kind).map(({ column }) => column)]),
  ) as unknown as Record<OutcomeKindName, readonly string[]>
