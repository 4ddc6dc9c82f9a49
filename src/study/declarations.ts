import type { Rule } from '../base/rules/rule.ts'

/**
 * What a study declares about a dataset's file. Columns are named as in the file, or by their names under `columns`; `"*"` of
 * `missing` means every column.
 */
export interface Declarations {
  /** The column under `weight`, or that under `design: { weight }`, which means the same. */
  readonly weight?: string
  readonly design?: DeclaredDesign
  readonly drop?: readonly string[]
  /** Columns of the file by the names that the study gives them. */
  readonly columns?: Readonly<Record<string, string>>
  /** Words for values of the file, by column and value. */
  readonly recode?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly missing?: Readonly<Record<string, readonly (string | number)[]>>
  readonly types?: Readonly<Record<string, 'categorical' | 'ordinal' | 'numeric' | 'datetime' | 'boolean' | 'text'>>
  readonly levels?: Readonly<Record<string, readonly string[]>>
  readonly bands?: Readonly<Record<string, { readonly of: string; readonly at: readonly number[] }>>
  /** Columns of their own, of Yes for the listed levels and No for the others of the column `of`. */
  readonly nets?: Readonly<Record<string, DeclaredNet>>
  /** Columns of recommendations from 0 to 10: each gives another one, named by `scoreName`. */
  readonly nps?: readonly string[]
  /** Columns of their own: the mean of the items that a row has answered. */
  readonly scores?: Readonly<Record<string, DeclaredScore>>
  /** Columns of their own: the first column minus the second. */
  readonly differences?: Readonly<Record<string, readonly [from: string, subtracted: string]>>
  /** What rows follow; columns may also be those that other declarations make. */
  readonly rules?: readonly Rule[]
  readonly sheet?: string
  readonly headerRows?: number
  readonly encoding?: string
  /** The decimal mark of all columns, or by column. */
  readonly decimal?: DecimalMark | Readonly<Record<string, DecimalMark>>
  /** What separates several answers in a cell, by column. */
  readonly multiple?: Readonly<Record<string, string>>
  /** Columns whose empty cells take the value above. */
  readonly fillDown?: readonly string[]
  readonly dates?: Readonly<Record<string, string>>
}

export interface DeclaredNet {
  readonly of: string
  readonly levels: readonly string[]
}

export interface DeclaredScore {
  readonly mean: readonly string[]
  /** Fewest items with a value that give a score. */
  readonly minAnswered: number
}

/** Half of the items, rounded up. */
export const usualAnswered = (items: number): number => Math.ceil(items / 2)

/** The levels of a net. */
export const NET_LEVELS = ['Yes', 'No'] as const

/** The name of the column whose mean is the net promoter score of a column of recommendations. */
export const scoreName = (of: string): string => `${of}.nps`

export type DecimalMark = ',' | '.'

/** How the rows were drawn: strata and clusters, or replicate weights. At least one of the three. */
export interface DeclaredDesign {
  readonly strata?: string
  readonly clusters?: string
  readonly replicateWeights?: DeclaredReplicates
}

export interface DeclaredReplicates {
  /** Pattern of the columns' names. The column of the weight is never one of them. */
  readonly columns: string
  readonly type: 'brr' | 'fay' | 'jackknife' | 'bootstrap'
  readonly scale?: number
  readonly rscales?: readonly number[]
  /** Of type `fay` only, and needed there. */
  readonly rho?: number
}
