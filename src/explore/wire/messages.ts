/** What the page and its server say to each other. Figures are texts already: the words are those of the report, made once, in the server. */

import type { EstimateRequest } from '../../contract/estimates.ts'

export type Conditions = EstimateRequest['scenario']

/** A column that can be moved or looked at. */
export interface ExploredColumn {
  readonly name: string
  /** Null: a number. */
  readonly levels: readonly { readonly name: string /** Null: not told. */; readonly share: number | null }[] | null
  readonly min: number | string | null
  readonly max: number | string | null
  /** Values of a number below which 5, 25, 50, 75 and 95 % lie; empty: not told. */
  readonly quantiles: readonly number[]
  /** A date or a time: its bounds are texts. */
  readonly isDate: boolean
}

export interface ExploredDataset {
  readonly name: string
  readonly rows: number | null
  readonly columns: readonly ExploredColumn[]
  /** Columns whose figures are shown first. */
  readonly outcomes: readonly string[]
  /** The file that scenarios are kept in; null: the dataset is known by its id alone, so that no study can be written. */
  readonly studyFile: string | null
}

/** A share of a level, or the mean of a column. */
export interface AskedFigure {
  readonly column: string
  /** Null: the mean. */
  readonly level: string | null
}

/** `POST /answers` */
export interface Question {
  readonly conditions: Conditions
  readonly outcomes: readonly string[]
  /** Answers inside each level of this column, too. */
  readonly by?: string | undefined
}

/** An interval to draw, in the unit of its figure: points, or the column's own. */
export interface Drawn {
  readonly difference: number
  readonly low: number
  readonly high: number
}

export interface ExploredAnswer extends AskedFigure {
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
  /** Null: there is no interval. */
  readonly drawn: Drawn | null
}

export interface Refused {
  readonly kind: 'refused'
  readonly message: string
}

export interface ExploredSegment {
  readonly level: string
  readonly answers: readonly ExploredAnswer[]
}

/** What would have all rows. */
export interface ProposedMix {
  /** `The nearest mix with all rows moves shares by 28 points:` */
  readonly words: string
  /** The conditions that change, as a study has them. */
  readonly lines: readonly string[]
  /** The same, complete for each column or table. */
  readonly conditions: Conditions
}

export interface Answered {
  readonly kind: 'answered'
  readonly answers: readonly ExploredAnswer[]
  /** Effective rows of the scenario, in words and as a part of the seed's; null: not told. */
  readonly effectiveRows: { readonly words: string; readonly part: number } | null
  readonly support: 'enough' | 'thin' | 'too few seed rows'
  /** Why a generation would have fewer rows than it asks for, in the service's words; null: it would not. */
  readonly shortfall: string | null
  /** The nearest scenario that has all rows; null: all are there, or none is known. */
  readonly nearest: ProposedMix | null
  /** With `by`: in the sequence of the data; null: the service knows no segments. */
  readonly segments: readonly ExploredSegment[] | null
}

export type Reply = Answered | Refused

/** `POST /besides` */
export interface BesidesQuestion {
  readonly conditions: Conditions
}

/** What moved although nobody asked for it, the most first. */
export interface Besides {
  readonly kind: 'besides'
  readonly moved: readonly (ExploredAnswer & {
    /** The difference in standard deviations of the data. */
    readonly distance: number
  })[]
  /** Columns that were looked at. */
  readonly columns: number
}

/** `POST /cells`: of the data as they are. */
export interface CellsQuestion {
  readonly columns: readonly [string, string]
}

export interface NaturalCells {
  readonly kind: 'cells'
  /** Shares of all rows; cells that nobody has may be absent. */
  readonly cells: readonly { readonly levels: readonly [string, string]; readonly share: number }[]
}

/** `POST /matters` */
export interface MattersQuestion {
  readonly figure: AskedFigure
}

export interface Matters {
  readonly kind: 'matters'
  /** `purchase.intent Yes: 34.8 % in the data as they are` */
  readonly title: string
  readonly levers: readonly {
    readonly name: string
    readonly move: string
    readonly difference: string
    readonly interval: string
    readonly isBeyond: boolean
    /** Of the largest difference, with its sign. */
    readonly part: number
  }[]
  readonly note: string
}

/** `POST /needed` */
export interface NeededQuestion {
  readonly conditions: Conditions
  readonly lever: { readonly column: string; readonly level: string }
  readonly figure: AskedFigure
  /** A fraction of 1 for a share, else in the unit of the column. */
  readonly by: number
}

export interface Needed {
  readonly kind: 'needed'
  readonly sentences: readonly string[]
  /** The share of the lever that gives it; null: none does. */
  readonly value: number | null
}

/** `POST /draft` and `POST /save` */
export interface KeptScenarios {
  readonly scenarios: readonly { readonly id: string; readonly conditions: Conditions }[]
  readonly outcomes: readonly string[]
}

export interface Draft {
  readonly kind: 'draft'
  /** What is written: the whole file where it is new, else the lines that it gets. */
  readonly text: string
  readonly file: string
  readonly isNew: boolean
}

export interface Saved {
  readonly kind: 'saved'
  readonly file: string
  /** What runs the study. */
  readonly command: string
}

/** `POST /run`: `start`, or what a person says to the question of a run. */
export interface RunCommand {
  readonly say: 'start' | 'go' | 'stop'
}

/** `GET /run` */
export interface RunState {
  readonly kind: 'idle' | 'running' | 'asking' | 'ended'
  /** What it does, asks, or how it ended. */
  readonly text: string
  readonly done: number
  readonly of: number
  /** Path of its report on this server; null: there is none. */
  readonly report: string | null
}
