/** What the page and its server say to each other. Figures are texts already: the words are those of the report, made once, in the server. */

import type { EstimateRequest } from '../../contract/estimates.ts'
import type { RecordedFilter } from '../../study/outcomes/row-filter.ts'

export type Conditions = EstimateRequest['scenario']

/** The rows that answers are counted in: those that pass all of the filters. None: all rows. */
export type CountedIn = readonly RecordedFilter[]

/** What is asked of a column: the shares of its levels, its mean, or its quantile with this share of the rows up to it. */
export interface AskedOutcome {
  readonly column: string
  readonly of: 'shares' | 'mean' | number
}

/** What shares are shares of: all rows, or those with an answer. */
export type PercentageBase = 'all' | 'valid'

/** What answers are shown of. */
export interface Asked {
  readonly outcomes: readonly AskedOutcome[]
  readonly where: CountedIn
  /** Absent: as the dataset declares codes for no answer. */
  readonly base?: PercentageBase | undefined
  /** The column whose levels are segments; absent: none. */
  readonly by?: string | undefined
}

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
  /** What is shown first. */
  readonly first: Asked
  /** What the comparisons of the study ask, where they are several. */
  readonly comparisons: readonly (Asked & { readonly id: string })[]
  /** The file that scenarios are kept in; null: the dataset is known by its id alone, so that no study can be written. */
  readonly studyFile: string | null
}

/** A share of a level, or the mean or a quantile of a column. */
export interface AskedFigure {
  readonly column: string
  /** Null: the mean, or the quantile. */
  readonly level: string | null
  /** The share of the rows up to the quantile; absent: no quantile. */
  readonly quantile?: number | undefined
}

/** `POST /answers` */
export interface Question extends Asked {
  readonly conditions: Conditions
  /** How the values of this column lie on both sides, too. */
  readonly distribution?: string | undefined
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

/** A column before and after: the shares of its levels, or five quantiles. */
export interface Distribution {
  readonly column: string
  /** Judged together with all others. */
  readonly answers: readonly ExploredAnswer[]
  /** Shares of the levels as parts of 1, or the quantiles in their sequence; empty: too few rows. */
  readonly before: readonly number[]
  readonly after: readonly number[]
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
  /** `counted in rows with region North (386 to 412 rows of the seed)`; null: in all rows. */
  readonly where: string | null
  /** What is not known of the question, and why. */
  readonly gaps: readonly string[]
  /** With `distribution`; null: the service does not tell it. */
  readonly distribution: Distribution | null
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
export interface MattersQuestion extends Pick<Asked, 'where' | 'base'> {
  readonly figure: AskedFigure
}

export interface Matters {
  readonly kind: 'matters'
  /** `purchase.intent Yes`, with the rows that it is of */
  readonly of: string
  /** `34.8 %` in the data as they are. */
  readonly from: string
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
export interface NeededQuestion extends Pick<Asked, 'where' | 'base'> {
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

/** `POST /draft` */
export interface KeptScenarios extends Asked {
  readonly scenarios: readonly { readonly id: string; readonly conditions: Conditions }[]
}

export interface Draft {
  readonly kind: 'draft'
  /** What is written: the whole file where it is new, else the lines that it gets. */
  readonly text: string
  readonly file: string
  readonly isNew: boolean
  /** Stands for the text that it is added to. */
  readonly onto: string
}

/** `POST /save`: what a draft showed. */
export interface SaveQuestion extends KeptScenarios {
  /** That of the draft. */
  readonly onto: string
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
