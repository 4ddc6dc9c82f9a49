/** Whether what was counted of an artifact is enough for what a study asks today. */

import { columnsOfRule, type Rule } from '../../base/rules/rule.ts'
import type { Measurement } from '../../records/state/measurements.ts'
import { countsOfTable } from './condition-results.ts'
import { areEqual } from './histogram.ts'
import type { MeasuredColumns, MeasuredGroup, MeasuredSegments, MeasureRequest } from './measure.ts'

/** True when a measurement holds every required column; comparisons may have been added since it was made. */
export function coversColumns(measured: Measurement, wanted: Omit<MeasuredColumns, 'ranges'>): boolean {
  const { absent } = measured
  return (
    covers(measured, wanted, absent) &&
    (wanted.segments ?? []).every((asked) => coversSegments(measured, asked, absent)) &&
    (wanted.tables ?? []).every(
      (columns) => columns.some((column) => absent.includes(column)) || countsOfTable(measured, columns) !== undefined,
    ) &&
    (wanted.groups ?? []).every((asked) => coversGroup(measured, asked)) &&
    (wanted.rules ?? []).every((rule) => coversRule(measured, rule))
  )
}

const coversRule = ({ rules = [], absent }: Measurement, rule: Rule): boolean =>
  rules.some((counted) => counted.rule === rule.text) || columnsOfRule(rule).some((column) => absent.includes(column))

function coversGroup({ absent, groups = [] }: Measurement, wanted: MeasuredGroup): boolean {
  if (wanted.where.some(({ column }) => absent.includes(column))) return true
  const counted = groups.find(([name]) => name === wanted.name)?.[1]
  if (counted === undefined || !covers(counted, wanted, absent)) return false
  return (wanted.segments ?? []).every((asked) => coversSegments(counted, asked, absent))
}

function covers(
  counted: Pick<Measurement, 'shares' | 'numbers'>,
  wanted: Pick<MeasuredSegments, 'shares' | 'numbers'>,
  absent: readonly string[],
): boolean {
  const shares = new Set([...counted.shares.map(([column]) => column), ...absent])
  const numbers = new Set([...counted.numbers.map(([column]) => column), ...absent])
  return wanted.shares.every((c) => shares.has(c)) && wanted.numbers.every((c) => numbers.has(c))
}

function coversSegments(
  { segments }: Pick<Measurement, 'segments'>,
  wanted: MeasuredSegments,
  absent: readonly string[],
): boolean {
  if (absent.includes(wanted.by)) return true
  const levels = segments?.find(([by]) => by === wanted.by)?.[1]
  // All levels are counted alike; without rows there is none.
  return levels?.every(([, counts]) => covers(counts, wanted, absent)) ?? false
}

/** True when a measurement holds its numbers in the required bins; the schema may have changed since it was made. */
export function coversBins(measured: Measurement, { bins }: Pick<MeasureRequest, 'bins'>): boolean {
  const parts = [measured, ...(measured.groups ?? []).map(([, group]) => group)]
  const counted = parts.flatMap(({ numbers }) => numbers)
  return [...bins].every(([column, edges]) => {
    if (measured.absent.includes(column)) return true
    const have = counted.flatMap(([name, { bins: found }]) => (name === column ? [found?.edges] : []))
    return have.length > 0 && have.every((one) => one !== undefined && areEqual(edges, one))
  })
}

/** True when a measurement holds the required quantiles, where there are values. */
export function coversQuantiles(measured: Measurement, { quantiles }: Pick<MeasureRequest, 'quantiles'>): boolean {
  const segmentsIn = (part: Pick<Measurement, 'segments'>) =>
    (part.segments ?? []).flatMap(([, levels]) => levels.map(([, counts]) => counts))
  const parts = [measured, ...(measured.groups ?? []).map(([, group]) => group)]
  const counted = [...parts, ...parts.flatMap(segmentsIn)].flatMap(({ numbers }) => numbers)
  return counted.every(
    ([column, { n, at = [] }]) =>
      n === 0 || (quantiles?.get(column) ?? []).every((share) => at.some(([one]) => one === share)),
  )
}
