/** What the page and its server say to each other. Figures are texts already: the words are those of the report, made once, in the server. */

import type { EstimateRequest } from '../contract/estimates.ts'

export type Conditions = EstimateRequest['scenario']

/** A column that can be moved or looked at. */
export interface ExploredColumn {
  readonly name: string
  /** Null: a number. */
  readonly levels: readonly { readonly name: string /** Null: not told. */; readonly share: number | null }[] | null
  readonly min: number | string | null
  readonly max: number | string | null
  /** A date or a time: its bounds are texts. */
  readonly isDate: boolean
}

export interface ExploredDataset {
  readonly name: string
  readonly rows: number | null
  readonly columns: readonly ExploredColumn[]
  /** Columns whose figures are shown first. */
  readonly outcomes: readonly string[]
}

export interface Question {
  readonly conditions: Conditions
  readonly outcomes: readonly string[]
}

export interface ExploredAnswer {
  readonly column: string
  /** Null: the mean. */
  readonly level: string | null
  readonly from: string
  readonly to: string
  readonly difference: string
  /** Empty: not known. */
  readonly interval: string
  /** The report's words: yes, no, not known. */
  readonly beyond: string
  /** Seed rows that the figures are made of; null: too few to be told. */
  readonly base: string | null
  readonly marks: readonly string[]
}

export type Reply =
  | {
      readonly kind: 'answered'
      readonly answers: readonly ExploredAnswer[]
      /** Effective rows of the scenario; null: not told. */
      readonly effectiveRows: string | null
      readonly support: 'enough' | 'thin' | 'too few seed rows'
      /** Why a generation would have fewer rows than it asks for, in the service's words; null: it would not. */
      readonly shortfall: string | null
      /** The scenario as a study has it below `scenarios:`; empty: nothing was moved. */
      readonly scenario: string
    }
  | { readonly kind: 'refused'; readonly message: string }
