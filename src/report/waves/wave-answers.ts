/**
 * What two runs say about the same outcomes, and whether chance explains that they differ. The seeds are two samples of people, so
 * the error of a change is that of both: SE² = SE₁² + SE₂². All changes are judged together (answers/arithmetic/beyond-chance.ts).
 *
 * - The change of a difference takes the standard errors that the answers have.
 * - The change of a share or a mean in one scenario takes effective rows: p(1-p)/n with two pseudo-answers (Agresti and Caffo 2000), or
 *   s²/n. Clusters of a survey design do not count in effective rows, so such an error may be too small.
 */

import { largestBeyondChance } from '../../answers/arithmetic/beyond-chance.ts'
import { type Differences, type FigureIn, figuresIn } from '../../answers/arithmetic/figures-in.ts'
import { twoSidedP } from '../../answers/arithmetic/student-t.ts'
import { isDateColumn } from '../../answers/words/answer-order.ts'
import { whereWords } from '../../answers/words/where-text.ts'
import type { ComparisonResult, RowFilter } from '../../records/manifest/comparisons.ts'
import type { DifferenceCertainty, NumericStatistics } from '../../records/manifest/differences.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { DatasetChanges } from './wave-data.ts'

/** An outcome with a figure in both runs. Names are those of the later run. */
export interface AnswerChange {
  readonly scenario: string
  /** Null: the figure of the scenario itself, and not its difference from another one. */
  readonly against: string | null
  /** The rows that it is about; null: all. */
  readonly segment: { readonly column: string; readonly level: string } | null
  /** The rows that its comparison counts in; null: all. */
  readonly where: string | null
  readonly column: string
  /** Null: a mean or a quantile. */
  readonly level: string | null
  /** The share of the rows up to a quantile; null: no quantile. */
  readonly quantile: string | null
  readonly kind: 'share' | 'number' | 'date'
  readonly before: number
  readonly after: number
  /** Of the change; null where a run does not know it, or both have the same sample. */
  readonly standardError: number | null
  /** Null where that is not known. */
  readonly beyond: boolean | null
}

export interface AnswerChanges {
  /** The strongest first; without those that are equal in both. */
  readonly changes: readonly AnswerChange[]
  /** Outcomes that both runs have. */
  readonly compared: number
  /** Those of them whose chance was judged. */
  readonly judged: number
  /** Judged ones that are beyond chance. */
  readonly beyond: number
}

/** Names of the earlier run in the later one. */
export interface WaveNames {
  readonly scenario: (name: string) => string
  readonly datasets: readonly DatasetChanges[]
}

/** Segments are questions of their own: they do not hide what is beyond chance among all rows. */
type Part = 'all rows' | 'segments'

/** Fewer effective rows than this give no error, as in intervals. */
const FEWEST_ROWS = 20

interface Figure {
  readonly value: number
  /** Null: not known. */
  readonly standardError: number | null
  /** Null: the normal distribution. */
  readonly degrees: number | null
}

interface Subject
  extends Pick<AnswerChange, 'scenario' | 'against' | 'segment' | 'where' | 'column' | 'level' | 'quantile' | 'kind'> {
  /** Both levels of a column of two ask the same question. */
  readonly question: string
}

type Figures = Map<string, Subject & { readonly figure: Figure }>

/** What both runs tell of all rows, or of the rows of segments, compared under the names of the later one. */
export function answerChanges(before: Manifest, after: Manifest, names: WaveNames, part: Part): AnswerChanges {
  const isOneSample = (scenario: string): boolean =>
    names.datasets.find(({ name }) => name === datasetOf(after, scenario))?.isSameData === true
  const old = figuresOf(before, names, part)
  const now = figuresOf(after, { scenario: (name) => name, datasets: [] }, part)
  const found: (AnswerChange & { readonly question: string; readonly p: number | null })[] = []
  for (const [key, { figure: later, ...subject }] of now) {
    const earlier = old.get(key)?.figure
    if (earlier === undefined) continue
    const error = isOneSample(subject.scenario) ? null : errorOfChange(earlier, later)
    const change = later.value - earlier.value
    const p =
      error === null ? null : error.size === 0 ? (change === 0 ? 1 : 0) : twoSidedP(change / error.size, error.degrees)
    found.push({
      ...subject,
      before: earlier.value,
      after: later.value,
      standardError: error?.size ?? null,
      beyond: null,
      p,
    })
  }
  const asked = new Map(found.flatMap(({ question, p }) => (p === null ? [] : [[question, p] as const])))
  const most = largestBeyondChance([...asked.values()])
  const beyond = [...asked.values()].filter((p) => p <= most).length
  const seen = new Set<string>()
  const changes = found
    .filter(({ question, before: from, after: to }) => {
      const isNew = !seen.has(question)
      seen.add(question)
      return isNew && from !== to
    })
    .sort((a, b) => (a.p ?? 2) - (b.p ?? 2) || strength(b) - strength(a))
    .map(({ question: _question, p, ...change }) => ({ ...change, beyond: p === null ? null : p <= most }))
  return { changes, compared: seen.size, judged: asked.size, beyond }
}

const strength = ({ before, after, standardError }: AnswerChange): number =>
  Math.abs(after - before) / (standardError || 1)

/** Welch and Satterthwaite: the degrees of freedom of the sum of two variances. */
function errorOfChange(one: Figure, other: Figure): { size: number; degrees: number | null } | null {
  if (one.standardError === null || other.standardError === null) return null
  const [a, b] = [one.standardError ** 2, other.standardError ** 2]
  const part = (variance: number, degrees: number | null) => (degrees === null ? 0 : variance ** 2 / degrees)
  const parts = part(a, one.degrees) + part(b, other.degrees)
  return { size: Math.sqrt(a + b), degrees: parts === 0 ? null : (a + b) ** 2 / parts }
}

/** Every figure that the comparisons of a manifest tell of its seed. Columns that a side sets were asked for and are no question. */
function figuresOf(manifest: Manifest, names: WaveNames, part: Part): Figures {
  const figures: Figures = new Map()
  for (const { against, by, where: filters, scenarios } of Object.values(manifest.comparisons))
    for (const [scenario, result] of Object.entries(scenarios)) {
      if (result.status !== 'compared') continue
      const rename = renamesOf(names.datasets, datasetOf(manifest, scenario))
      const where = whereWords(filters?.map((filter) => renamedFilter(filter, rename)))
      if (part === 'all rows')
        noteResult(figures, { scenario, against, segment: null, where }, result, { manifest, names, rename })
      for (const inside of part === 'segments' && by !== undefined ? (result.segments ?? []) : []) {
        const column = rename.column(by!)
        const segment = { column, level: rename.level(column, inside.level) }
        noteResult(figures, { scenario, against, segment, where }, inside, { manifest, names, rename })
      }
    }
  return figures
}

/** What is told of all rows, or of those of a segment. */
type Result = Differences & Pick<ComparisonResult, 'bases' | 'effective_rows'>
type Sides = Record<Side, string> & Pick<AnswerChange, 'segment' | 'where'>

function noteResult(
  figures: Figures,
  sides: Sides,
  result: Result,
  { manifest, names, rename }: { readonly manifest: Manifest; readonly names: WaveNames; readonly rename: Renames },
): void {
  for (const figure of figuresIn<Differences>(result)) {
    const { column: oldColumn, level: oldLevel, quantile, siblings } = figure
    const column = rename.column(oldColumn)
    const level = oldLevel === null ? null : rename.level(column, oldLevel)
    const ofNumbers = isDateColumn(manifest, sides.against, oldColumn) ? ('date' as const) : ('number' as const)
    const kind = level === null ? ofNumbers : ('share' as const)
    const of = { column, level, quantile, kind, isOne: level !== null && siblings === 2 }
    noteSides(figures, sides, of, figure.value, (side) => sideFigure(figure, result, side), names)
  }
}

/** What is told of one side; null where nothing is. */
function sideFigure(figure: FigureIn<Differences>, result: Result, side: Side): Figure | null {
  switch (figure.kind) {
    case 'shares':
      return shareFigure(figure.value, result, figure.column, side)
    case 'means':
      return meanFigure(figure.value, result, figure.column, side)
    case 'quantiles':
      return quantileFigure(figure.value, side)
  }
}

type Side = 'scenario' | 'against'
type Recorded = Partial<DifferenceCertainty> & { readonly delta: number | null }
type Outcome = Pick<AnswerChange, 'column' | 'level' | 'quantile' | 'kind'> & { readonly isOne: boolean }

function noteSides(
  figures: Figures,
  sides: Sides,
  { isOne, ...outcome }: Outcome,
  pair: Recorded,
  figureOf: (side: Side) => Figure | null,
  names: WaveNames,
): void {
  if (pair.asked_for === true) return
  const note = (scenario: string, against: string | null, figure: Figure | null): void => {
    if (figure === null) return
    const { segment, where } = sides
    const subject = {
      scenario: names.scenario(scenario),
      against: against === null ? null : names.scenario(against),
      segment,
      where,
    }
    const place = [subject.scenario, subject.against, segment?.column, segment?.level, where, outcome.column]
    const ofNumbers = outcome.quantile === null ? [] : [outcome.quantile]
    const key = JSON.stringify([...place, outcome.level, outcome.kind === 'share', ...ofNumbers])
    const question = isOne ? JSON.stringify(place) : key
    if (!figures.has(key)) figures.set(key, { ...subject, ...outcome, question, figure })
  }
  note(sides.against, null, figureOf('against'))
  note(sides.scenario, null, figureOf('scenario'))
  note(sides.scenario, sides.against, differenceFigure(pair))
}

/** Only the seed's own answers: differences in the rows have the noise of generation as well. */
function differenceFigure({ answer, standard_error: error, basis }: Recorded): Figure | null {
  if (answer === undefined) return null
  return {
    value: answer.difference,
    standardError: basis === 'seed' ? (error ?? null) : null,
    degrees: answer.degrees_of_freedom ?? null,
  }
}

function shareFigure({ answer }: Recorded, result: Result, column: string, side: Side): Figure | null {
  if (answer === undefined) return null
  const n = effectiveRows(result, column, side)
  const share = answer[side]
  // A share of 0 or 1 is not known without error.
  const shrunk = n === null ? 0 : (share * n + 1) / (n + 2)
  return {
    value: share,
    standardError: n === null ? null : Math.sqrt(Math.max(0, shrunk * (1 - shrunk)) / (n + 2)),
    degrees: null,
  }
}

/** What a side has of error is not told of a quantile. */
const quantileFigure = ({ answer }: Recorded, side: Side): Figure | null =>
  answer === undefined ? null : { value: answer[side], standardError: null, degrees: null }

function meanFigure(
  pair: Recorded & Record<Side, NumericStatistics | null>,
  result: Result,
  column: string,
  side: Side,
): Figure | null {
  if (pair.answer === undefined) return null
  const n = effectiveRows(result, column, side)
  const sd = pair[side]?.sd ?? null
  const isKnown = n !== null && sd !== null
  return {
    value: pair.answer[side],
    standardError: isKnown ? sd / Math.sqrt(n) : null,
    degrees: isKnown ? n - 1 : null,
  }
}

function effectiveRows({ bases, effective_rows: whole }: Result, column: string, side: Side): number | null {
  const base = bases !== undefined && Object.hasOwn(bases, column) ? bases[column]![side].effective_rows : undefined
  const rows = base ?? whole?.[side] ?? 0
  return rows < FEWEST_ROWS ? null : rows
}

interface Renames {
  readonly column: (name: string) => string
  readonly level: (column: string, name: string) => string
}

/** A filter under the names of the later run. */
function renamedFilter({ column: oldColumn, levels, ...ends }: RowFilter, rename: Renames): RowFilter {
  const column = rename.column(oldColumn)
  return { column, ...ends, ...(levels && { levels: levels.map((level) => rename.level(column, level)) }) }
}

/** @param dataset Its name in the earlier run. */
function renamesOf(datasets: readonly DatasetChanges[], dataset: string | undefined): Renames {
  const changes = datasets.find(({ oldName }) => oldName === dataset)
  return {
    column: (name) => changes?.columns.renamed.get(name) ?? name,
    level: (column, name) => changes?.levels.get(column)?.renamed.get(name) ?? name,
  }
}

/** Replicates that are taken together have the name that they share, which no scenario has. */
function datasetOf({ scenarios }: Manifest, name: string): string | undefined {
  if (Object.hasOwn(scenarios, name)) return scenarios[name]?.dataset
  return Object.values(scenarios).find(({ replicate }) => replicate?.of === name)?.dataset
}
