import type { CanonicalValue } from '../../base/canonical-json.ts'
import type { DiagnosticCode } from '../diagnostics/catalogue.ts'
import type { DiagnosticText } from '../diagnostics/diagnose.ts'
import type { SourceRange } from '../diagnostics/diagnostic.ts'
import type { Located, LocatedMap, LocatedNode } from '../yaml/located-node.ts'
import type { ConditionKindName, Conditions, StatedShare } from './condition.ts'
import type { KnownColumn } from './range-ends.ts'

/** A column's condition as one place of a file writes it: `defaults`, a scenario, an axis value, an override. */
export interface WrittenConditions {
  readonly share: WrittenShares
  readonly range: WrittenRange
  readonly mean: WrittenMean
  readonly cell: WrittenCells
}

export interface WrittenShares {
  readonly column: SourceRange
  readonly shares: ReadonlyMap<string, StatedShare>
  /** Keys of the levels. */
  readonly levels: ReadonlyMap<string, SourceRange>
}

export interface WrittenRange {
  readonly column: SourceRange
  readonly min: LocatedEnd | undefined
  readonly max: LocatedEnd | undefined
}

/** A number alone, or ends. */
export interface WrittenMean {
  readonly column: SourceRange
  readonly exact: Located<number> | undefined
  readonly min: Located<number> | undefined
  readonly max: Located<number> | undefined
}

export interface WrittenCells {
  readonly columns: readonly Located<string>[]
  /** Each is to be a list of levels and a share. */
  readonly rows: readonly LocatedNode[]
  /** Of the list of columns. */
  readonly place: SourceRange
  /** Of another table of the same columns before it, in the same list. */
  readonly twin: SourceRange | null
}

/** Milliseconds since 1970 if it is written as a date. */
export interface LocatedEnd extends Located<number> {
  readonly isDate: boolean
}

/** Takes a fault of a condition. */
export type ReportFault = (code: DiagnosticCode, text: DiagnosticText) => void

/** A name of the data that a condition uses. `level` null: the column as a whole. */
export interface UsedName {
  readonly column: string
  readonly level: string | null
  readonly place: SourceRange
}

/** A column's condition as a request has it. */
export interface SentCondition {
  readonly share: Readonly<Record<string, number | SentEnds>>
  readonly range: { readonly min?: number; readonly max?: number }
  readonly mean: number | SentEnds
  readonly cell: SentCells
}

/** A table of cells. */
export interface SentCells {
  readonly columns: readonly string[]
  readonly shares: readonly { readonly levels: readonly string[]; readonly share: number }[]
}

export interface SentEnds {
  readonly min?: number
  readonly max?: number
}

/** The conditions of a request as they were sent. */
export interface SentConditions {
  readonly categorical?: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Bounds of shares. */
  readonly bounds?: Readonly<Record<string, Readonly<Record<string, SentEnds>>>>
  readonly numeric?: Readonly<Record<string, SentCondition['range']>>
  readonly means?: Readonly<Record<string, SentCondition['mean']>>
  readonly cells?: readonly SentCells[]
}

/** The words of a request that the specification does not have. */
export type ConditionExtension = Exclude<keyof SentConditions, 'categorical' | 'numeric'>

/** Everything about a kind of condition that the study file and the request need. */
export interface ConditionKind<K extends ConditionKindName> {
  /** Its word in a study file, where columns stand under it. */
  readonly word: string
  /** What a column has, in messages: `a range`. */
  readonly noun: string
  /** It states levels, so that a level that appears in the data changes what it means. */
  readonly isOfLevels: boolean
  /** Kinds that a column may have beside it. */
  readonly goesWith: readonly ConditionKindName[]
  /** What an axis with `set` may set, below the column; `*` is the name of a level. */
  readonly settable: readonly (readonly string[])[]
  /**
   * What a map of the file has under the kind's word, by what a later layer replaces as a whole: a column, or the columns of a table. Null
   * removes an inherited entry. The shape has been checked.
   */
  entries(fields: LocatedMap | undefined): Iterable<readonly [key: string, written: WrittenConditions[K] | null]>
  /** What an axis with `set` changes; the rest of the entry below stays. Other places replace whole entries. */
  merge(below: WrittenConditions[K] | undefined, above: WrittenConditions[K]): WrittenConditions[K]
  /** The values that are written, as paths below the key. */
  paths(written: WrittenConditions[K]): readonly (readonly string[])[]
  /** After all layers. */
  resolve(key: string, written: WrittenConditions[K], report: ReportFault): Conditions[K]
  /** As `ConditionKind.sent` has sent it, by column, or by the name of a table. */
  sentIn(sent: SentConditions): Readonly<Record<string, SentCondition[K]>>
  /** What was sent as people read it: the path below the column (empty: the column itself), and the value. `now`: the study's condition, whose form it takes. */
  texts(sent: SentCondition[K], now: Conditions[K] | undefined): readonly (readonly [part: string, value: string])[]
  /** As the study has it, under the column or the name of the table. */
  canonical(condition: Conditions[K]): CanonicalValue
  /** What is sent of it, by the word in the conditions of a request: under the column, or as members of a list. */
  sent(condition: Conditions[K]): {
    readonly [Word in keyof SentConditions]?: Word extends 'cells' ? readonly CanonicalValue[] : CanonicalValue
  }
  /** What a service must offer beyond the specification. */
  extensions(condition: Conditions[K]): readonly ConditionExtension[]
  /** What it leaves open is what the cleaned schema says (`columns`); null where that is not known. */
  closed(condition: Conditions[K], columns: readonly KnownColumn[] | null): Conditions[K] | null
  /** What it leaves open is what a request has that was sent; null where the request has no such condition. */
  asSent(condition: Conditions[K], sent: SentConditions): Conditions[K] | null
  /** In the sequence of the file, the columns first. */
  names(condition: Conditions[K]): readonly UsedName[]
}
