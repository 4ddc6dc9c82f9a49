/** Why there are fewer rows than wanted, in words and with the seed's counts, as far as these may be released (see noisy-counts.ts). */

import type { CountedRows, CountTeller } from '../disclosure/noisy-counts.ts'
import type { Model } from '../model/model.ts'
import { type Bottleneck, findBottleneck, type ShortTable } from './bottleneck.ts'
import type { Conditions, RangeCondition, ShareCondition, TableCondition } from './conditions.ts'
import { LARGEST_RARE_SHARE, rowWeight } from './evidence.ts'
import type { Margins } from './margins.ts'
import type { BindingTarget, EvidenceCap, Shortfall } from './scenario.ts'
import {
  boundedShortfall,
  count,
  describeAllowed,
  describeEmptyRange,
  describeLevels,
  describeRange,
  isBeyond,
  levelOf,
  listedTargets,
  listOf,
  shareText,
} from './shortfall-words.ts'

export interface ShortfallContext {
  readonly model: Model
  /** In the order's sequence. */
  readonly conditions: Conditions
  /** Codes of the rows in the columns of the margins (codesOfRows). */
  readonly codes: readonly Uint16Array[]
  /** Length n: see rowsInside. */
  readonly inside: Float64Array
  readonly evidenceCap: EvidenceCap
  readonly teller: CountTeller
}

/** The program that shows the fill, and which of its cells are bounded by their limit. */
export interface LimitedTable extends ShortTable {
  /** Length K: 1 for these cells, else 0. */
  readonly limited: Float64Array
}

const NO_ROWS: CountedRows = { rows: 0, noise: 0 }

/**
 * Why a scenario has no answer if too few rows lie inside it: fewer than LEAST_ROWS of a protected seed, else none. The words are the
 * same for none of a protected seed's rows as for nine. They add only what the schema shows, for example that a range lies
 * beyond its column.
 */
export function explainFewRows(context: ShortfallContext, margins: Margins): Shortfall {
  const { conditions, teller } = context
  const ranges = asWritten(conditions.ranges)
  const rangeBinding = (of: readonly RangeCondition[]) =>
    of.map(({ column }): BindingTarget => ({ column: column.name }))
  const outside = ranges.filter(isBeyond)
  if (outside.length > 0) {
    const reasons = outside.map(describeEmptyRange)
    return boundedShortfall(`${reasons.join('; ')}.`, rangeBinding(outside))
  }
  // Columns that have levels which must not occur.
  const sets = sharesAndTables(conditions)
    .map((condition, d) => ({ condition, margins: allOf(margins, d), ofCode: margins.ofCode[d]! }))
    .filter(({ ofCode }) => ofCode.includes(-1))
    .sort((a, b) => a.condition.position - b.condition.position)
  const names = sets.map(({ condition, margins: all }) => describeAllowed(condition, margins, all))
  const limits = ranges.map(describeRange)
  const every = names.length > 0 ? ` is to be ${names.join(' and ')}${limits.length > 0 ? ',' : ''}` : ''
  const within = limits.length > 0 ? ` ${names.length > 0 ? 'with' : 'is to have'} ${listOf(limits)}` : ''
  const binding = sets.flatMap(({ condition, margins: all }) => targetsOf(condition, margins, all))
  const least =
    teller.least === 0 ? 'at least 1' : teller.noiseOfRow === null ? `at least ${fewest(context)}` : fewest(context)
  const detail = `Every row${every}${within}; ${countOf(context, NO_ROWS)}. A scenario needs ${least}.`
  return boundedShortfall(detail, [...binding, ...rangeBinding(ranges)])
}

/** Why not all rows can be made: the levels that must occur together, and how often they do in the seed. */
export function explainShortfall(
  context: ShortfallContext,
  table: LimitedTable,
  rows: number,
  rowCount: number,
): Shortfall {
  const { conditions, inside } = context
  const shares = sharesAndTables(conditions)
  const ranges = asWritten(conditions.ranges)
  const bottleneck = findBottleneck(table)
  const sets = bottleneck.sets
    .map(({ column, margins }) => ({
      column,
      condition: shares[column]!,
      margins,
      codes: codesOf(table.margins, column, margins),
      share: margins.reduce((sum, m) => sum + table.margins.targets[m]!, 0),
    }))
    .sort((a, b) => a.condition.position - b.condition.position)
  const common = commonSets(context, table.margins, sets)
  const meeting = rowsOf(context, inside, [...sets, ...common])
  const anywhere = rowsOf(context, null, [...sets, ...common])
  const released = (rows: CountedRows): number => releasedSeedRows(context, rows) ?? 0
  const rangesMatter = ranges.length > 0 && released(anywhere) > released(meeting)
  const within = rangesMatter ? `, with ${listOf(ranges.map(describeRange))}` : ''

  const binding = [...sets, ...common].flatMap((set) => bindingOf(context, set, table.margins))
  if (rangesMatter) {
    const inRange = seedRows(context, rowsOf(context, inside, []))
    binding.push(...ranges.map(({ column }) => ({ column: column.name, ...inRange })))
  }

  const names = sets.map(({ condition, margins }) => describeLevels(condition, table.margins, margins))
  const targets = sets.map(({ share }, i) => `${shareText(share)} ${names[i]}`)
  const every = common.map(({ condition, margins }) => describeAllowed(condition, table.margins, margins))
  const premise = every.length > 0 ? `Every row is to be ${listOf(every)}. ` : ''
  const together = names.length > 1 && bottleneck.need === null ? ' all of these' : ''
  const seen = `${countOf(context, meeting)}${every.length > 0 ? ' all of this' : together}${within}`
  const limits = limitsText(context, { meeting, need: bottleneck.need, rows, isLimited: hasLimited(table, sets) })
  return boundedShortfall(`${premise}${sentence(bottleneck, targets, names, seen, rows, rowCount)}${limits}`, binding)
}

/** Whether some cell of all the sets is bounded by its limit. */
function hasLimited(
  { margins: { columnCount: D }, cellMargins, limited }: LimitedTable,
  sets: readonly MarginSet[],
): boolean {
  return limited.some(
    (is, c) => is === 1 && sets.every(({ column, margins }) => margins.includes(cellMargins[c * D + column]!)),
  )
}

interface Meeting {
  /** Seed rows that have what has to meet. */
  readonly meeting: CountedRows
  /** The smallest share of the rows that must have it; null if the reason is not so simple. */
  readonly need: number | null
  readonly rows: number
  readonly isLimited: boolean
}

/** What limits the rows. Where no row of a protected seed may be told, it is the same whether there are any. */
function limitsText(context: ShortfallContext, { meeting, need, rows, isLimited }: Meeting): string {
  const { model, evidenceCap, teller } = context
  const told = teller.told(meeting)
  const isRare = told === null
  const least = fewest(context)
  const seedRows = (told ?? 0) * rowWeight(model)
  const rare = ` A combination of levels that fewer than ${least} seed rows have may be at most ${LARGEST_RARE_SHARE} of the rows.`
  if (rows > 0) {
    const counted = isRare ? rowWeight(model) : seedRows
    const alike = isRare ? ` What fewer than ${least} have counts as what ${least} have.` : ''
    return `${capText(evidenceCap, counted, need, rows, alike)}${isLimited ? rare : ''}`
  }
  if (isRare) return need === null || need > LARGEST_RARE_SHARE ? rare : ''
  if (isLimited) return rare
  return releasedSeedRows(context, meeting) === 0 ? '' : capText(evidenceCap, seedRows, need, rows, '')
}

/**
 * The side of the cap that limits the rows: seed rows that are multiplied up to the limit, or a larger limit relative
 * to their usual share.
 */
function capText(
  { naturalShareFactor, rowsPerSeedRow }: EvidenceCap,
  meeting: number,
  need: number | null,
  rows: number,
  alike: string,
): string {
  // The rows that must have all these levels are whole rows, hence one more.
  const isByRows = need !== null && rows * need <= rowsPerSeedRow * meeting + 1
  if (isByRows) return ` A seed row may stand behind at most ${count(rowsPerSeedRow)} generated rows.`
  return ` A combination of levels may have at most ${count(naturalShareFactor)} times its usual share, or ${count(rowsPerSeedRow)} generated rows per seed row where that is more.${alike}`
}

interface MarginSet extends CodeSet {
  readonly margins: readonly number[]
}

/** The other conditions on every row: the allowed codes of columns outside `sets`, if they exclude seed rows. */
function commonSets(context: ShortfallContext, margins: Margins, sets: readonly CodeSet[]): MarginSet[] {
  const { conditions, inside } = context
  return sharesAndTables(conditions)
    .map((condition, d) => ({
      ...{ condition, column: d, margins: allOf(margins, d) },
      codes: codesOf(margins, d, allOf(margins, d)),
    }))
    .filter(({ condition }) => sets.every((set) => set.condition !== condition))
    .filter((set) => {
      const [without, withIt] = [rowsOf(context, inside, sets), rowsOf(context, inside, [...sets, set])]
      return (releasedSeedRows(context, withIt) ?? 0) < (releasedSeedRows(context, without) ?? 0)
    })
    .sort((a, b) => a.condition.position - b.condition.position)
}

function sentence(
  { need }: Bottleneck,
  targets: readonly string[],
  names: readonly string[],
  seen: string,
  rows: number,
  rowCount: number,
): string {
  if (names.length === 1) return `${shareText(need ?? 1)} of the rows are to be ${names[0]}; ${seen}.`
  if (need === null) {
    const most = rows > 0 ? `for more than ${count(rows)} of ${count(rowCount)} rows` : 'in any row'
    return `${listOf(targets)} cannot hold together ${most}; ${seen}.`
  }
  const all = names.length === 2 ? 'both' : 'all of these'
  return `${targets.join(' with ')} needs at least ${shareText(need)} of the rows to be ${all}; ${seen}.`
}

/** The listed levels that a set of margins concerns, as the report's entries. */
function bindingOf(
  context: ShortfallContext,
  { condition, column, margins: wanted }: MarginSet,
  margins: Margins,
): BindingTarget[] {
  return listedTargets(condition, margins, wanted).map(([code, target]) => ({
    column: condition.column.name,
    level: levelOf(condition, code),
    target,
    ...seedRows(context, rowsOf(context, context.inside, [{ condition, column, codes: new Set([code]) }])),
  }))
}

/** The same without counts. */
function targetsOf(condition: ShareOrTable, margins: Margins, wanted: readonly number[]): BindingTarget[] {
  return listedTargets(condition, margins, wanted).map(([code, target]) => ({
    column: condition.column.name,
    level: levelOf(condition, code),
    target,
  }))
}

/** A count if it may be released. */
function seedRows(context: ShortfallContext, rows: CountedRows): { seedRows?: number } {
  const count = releasedSeedRows(context, rows)
  return count === null ? {} : { seedRows: count }
}

/** Seed rows as they are released: exact to their owner, else to two digits, or null if they represent too few rows of the sample. */
function releasedSeedRows({ model, teller }: ShortfallContext, rows: CountedRows): number | null {
  const told = teller.told(rows)
  if (told === null) return null
  const seedRows = told * rowWeight(model)
  return teller.least === 0 ? Math.round(seedRows) : Number(seedRows.toPrecision(2))
}

function asWritten(ranges: readonly RangeCondition[]): RangeCondition[] {
  return ranges.toSorted((a, b) => a.position - b.position)
}

function allOf({ start }: Margins, column: number): number[] {
  return Array.from({ length: start[column + 1]! - start[column]! }, (_, i) => start[column]! + i)
}

interface CodeSet {
  readonly condition: ShareOrTable
  /** Its position among the columns of the margins. */
  readonly column: number
  readonly codes: ReadonlySet<number>
}

type ShareOrTable = ShareCondition | TableCondition

/** In the sequence of the margins. */
const sharesAndTables = ({ shares, tables }: Conditions): ShareOrTable[] => [...shares, ...tables]

/** Rows of the sample in all sets, and inside the ranges unless `inside` is null. */
function rowsOf(
  { model, codes: ofColumns, teller }: ShortfallContext,
  inside: Float64Array | null,
  sets: readonly CodeSet[],
): CountedRows {
  const counted = new Float64Array(model.rowCount)
  for (let row = 0; row < model.rowCount; row++) {
    if (sets.every(({ column, codes }) => codes.has(ofColumns[column]![row]!))) {
      counted[row] = inside ? inside[row]! : 1
    }
  }
  return teller.count(counted)
}

function codesOf(margins: Margins, column: number, wanted: readonly number[]): Set<number> {
  const codes = new Set<number>()
  margins.ofCode[column]!.forEach((margin, code) => {
    if (wanted.includes(margin)) codes.add(code)
  })
  return codes
}

/** `51 of 32,561 seed rows are`, `1 of 32,561 seed rows is`, `fewer than 10 of 32,561 seed rows are`. */
function countOf(context: ShortfallContext, rows: CountedRows): string {
  const counted = releasedSeedRows(context, rows)
  const words = counted === null ? `fewer than ${fewest(context)}` : count(counted)
  return `${words} of ${count(context.model.seedRows)} seed rows ${counted === 1 ? 'is' : 'are'}`
}

/** The fewest seed rows that are released: those that the fewest of the sample represent. With noise there is no sharp limit. */
function fewest({ model, teller }: ShortfallContext): string {
  const rows = count(Math.ceil(teller.least * rowWeight(model) - 1e-9))
  return teller.noiseOfRow === null ? rows : `about ${rows}`
}
