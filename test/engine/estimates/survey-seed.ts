/** Plain rows as a seed, and what the engine says about cases on them. */

import type { Table } from '../../../src/engine/cleaning/table.ts'
import { comparisonOf } from '../../../src/engine/estimates/comparison.ts'
import { type Difference, differenceOf } from '../../../src/engine/estimates/difference-error.ts'
import { estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import type { EstimatedDifference } from '../../../src/engine/estimates/figures.ts'
import type { Seed } from '../../../src/engine/estimates/seed-patterns.ts'
import { weighSeed } from '../../../src/engine/estimates/seed-weights.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { type ReplicateWeights, surveyDesign } from '../../../src/engine/weighting/survey-design.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'
import type { SurveyCase, SurveySide } from './survey-cases.ts'
import type { SurveyRow } from './survey-people.ts'

type Sampling = Pick<SurveyCase, 'weight' | 'stratum' | 'cluster'>

/** Columns of numbers are numeric, all others categorical. Those of the sampling are no outcomes. */
export async function seedOfRows(
  rows: readonly SurveyRow[],
  { weight, stratum, cluster }: Sampling,
  replicates: ReplicateWeights | null = null,
): Promise<Seed> {
  const numbers = (column: string): Float64Array => Float64Array.from(rows, (row) => Number(row[column]))
  const columns = Object.keys(rows[0]!)
    .filter((name) => ![weight, stratum, cluster].includes(name))
    .map((name) => {
      const cells = rows.map((row) => row[name]!)
      return cells.some((cell) => typeof cell === 'string')
        ? categorical(name, cells as (string | null)[])
        : numeric(name, cells as (number | null)[], 2)
    })
  const own = weight === undefined ? null : numbers(weight)
  const mean = own === null ? 1 : own.reduce((sum, each) => sum + each, 0) / own.length
  const hasDesign = stratum !== undefined || cluster !== undefined || replicates !== null
  const drawn = {
    strata: stratum === undefined ? null : numbers(stratum),
    clusters: cluster === undefined ? null : numbers(cluster),
    replicates,
  }
  const table: Table = {
    ...tableOf(columns),
    ...(own !== null && { weights: own.map((each) => each / mean) }),
    ...(hasDesign && { design: surveyDesign(drawn, own) }),
  }
  return await encodeTable(table, { threads: 1 })
}

const requested = ({ shares = {}, ranges = {}, means = {}, cells = {} }: SurveySide) => ({
  shares: Object.entries(shares).map(([column, listed]) => ({ column, levels: new Map(Object.entries(listed)) })),
  ranges: Object.entries(ranges).map(([column, [min, max]]) => ({ column, min, max })),
  cells: Object.entries(cells).map(([columns, listed]) => ({
    columns: columns.split(' & '),
    cells: Object.entries(listed).map(([levels, share]) => ({ levels: levels.split(' & '), share })),
  })),
  means: Object.entries(means).map(([column, mean]) => ({ column, min: mean, max: mean })),
})

/** What is told of a case on one's own machine. */
export async function toldFigures(seed: Seed, of: SurveyCase) {
  const { outcome, level, segment, quantile } = of
  const found = await estimateDifferences(seed, {
    scenario: requested(of.scenario),
    baseline: requested(of.baseline),
    outcomes: [{ column: outcome, base: 'all', ...(quantile !== undefined && { quantiles: [quantile] }) }],
    by: segment?.[0],
    maxLevels: 50,
    disclosure: 'exact',
  })
  const inside = segment === undefined ? found : found.segments!.find((each) => each.level === segment[1])!
  const [estimated] = inside.outcomes
  const figures =
    estimated!.kind === 'shares'
      ? estimated!.levels.find((each) => each.level === level)
      : estimated!.kind === 'mean'
        ? estimated!.mean
        : estimated!.kind === 'quantiles'
          ? estimated!.quantiles[0]
          : null
  const support = Math.min(found.scenario.support!, found.baseline.support!)
  return { ...(figures as EstimatedDifference), support, effectiveRows: [found.scenario, found.baseline] }
}

/** The same before it is told, from the rows' own values. */
export async function workedOut(seed: Seed, rows: readonly SurveyRow[], of: SurveyCase): Promise<Difference> {
  const scenario = await weighSeed(seed, requested(of.scenario), 'exact')
  const baseline = await weighSeed(seed, requested(of.baseline), 'exact')
  const { sides } = comparisonOf(seed, scenario!, baseline!)
  const { outcome, level, segment } = of
  return differenceOf(sides, {
    values: Float64Array.from(rows, (row) => (level === null ? Number(row[outcome]) : Number(row[outcome] === level))),
    counts: Uint8Array.from(rows, (row) =>
      Number((level !== null || row[outcome] !== null) && (segment === undefined || row[segment[0]] === segment[1])),
    ),
    isShare: level !== null,
  })!
}
