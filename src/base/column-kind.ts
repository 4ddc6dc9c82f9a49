/** What the conditions and outcomes of a study can be asked of a column. */
interface KindTraits {
  /** Shares of levels, cells, groups and segments. */
  readonly mayHaveLevels: boolean
  /** Ranges, means, quantiles. */
  readonly mayHaveNumbers: boolean
}

/** The kinds of columns that a model is trained on. Dates are numeric. */
export const TRAINED_KINDS = ['categorical', 'numeric'] as const
export type TrainedKind = (typeof TRAINED_KINDS)[number]

/**
 * The kinds of columns of a cleaned schema. `unknown`: the service does not report it; checks that depend on it are skipped. This is the
 * one list: tables over kinds are typed by it, and checks ask for what a kind may have.
 */
const COLUMN_KINDS: { readonly [K in TrainedKind | 'unknown']: KindTraits } = {
  categorical: { mayHaveLevels: true, mayHaveNumbers: false },
  numeric: { mayHaveLevels: false, mayHaveNumbers: true },
  unknown: { mayHaveLevels: true, mayHaveNumbers: true },
}

export type ColumnKind = keyof typeof COLUMN_KINDS

export const isColumnKind = (word: unknown): word is ColumnKind =>
  typeof word === 'string' && Object.hasOwn(COLUMN_KINDS, word)

export const mayHaveLevels = ({ kind }: { readonly kind: ColumnKind }): boolean => COLUMN_KINDS[kind].mayHaveLevels

export const mayHaveNumbers = ({ kind }: { readonly kind: ColumnKind }): boolean => COLUMN_KINDS[kind].mayHaveNumbers

/** A column as any service reports it. */
interface ReportedColumn {
  readonly type?: TrainedKind | undefined
  readonly levels?: readonly string[] | undefined
  readonly min?: unknown
  readonly max?: unknown
}

/** The specification distinguishes kinds by `levels` alone. A column without levels and bounds may be of any kind. */
export function columnKindOf({ type, levels, min, max }: ReportedColumn): ColumnKind {
  if (type !== undefined) return type
  if (levels !== undefined) return 'categorical'
  return min !== undefined || max !== undefined ? 'numeric' : 'unknown'
}
