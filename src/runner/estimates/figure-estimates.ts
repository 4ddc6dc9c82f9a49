/** A figure as the service is asked for it, and among its estimates. */

import { type Figure, MEAN, QUANTILE, SHARE } from '../../answers/arithmetic/intervals.ts'
import type { EstimateRequest } from '../../contract/estimates.ts'
import type { RecordedEstimate, RecordedEstimates } from '../../records/state/estimates.ts'
import { naturalBase } from '../../study/percentage-base.ts'
import type { AskedDataset } from './asked-dataset.ts'
import type { NamedFigure } from './named-figure.ts'

/** What the service is asked for. A study that declares codes for no answer does not count them among the answers. */
export function outcomeOf(
  { study, name, base }: Pick<AskedDataset, 'study' | 'name' | 'base'>,
  { column: { name: column }, level, quantile }: NamedFigure,
): EstimateRequest['outcomes'][number] {
  if (quantile !== undefined) return { column, statistic: 'quantiles', quantiles: [quantile] }
  if (level === null) return { column, statistic: 'mean' }
  const of = base ?? (study === null ? 'all' : naturalBase(study, name, column))
  return { column, statistic: 'shares', ...(of === 'valid' && { base: 'valid' }) }
}

/** The figure among estimates; null where they do not have it, because too few rows support it. */
export function estimateOf(
  { shares, means, quantiles = [] }: RecordedEstimates,
  { column, level, quantile }: NamedFigure,
): RecordedEstimate | null {
  if (quantile !== undefined) {
    const ofColumn = quantiles.find(([name]) => name === column.name)?.[1] ?? []
    return ofColumn.find(([share]) => share === String(quantile))?.[1] ?? null
  }
  if (level === null) return means.find(([name]) => name === column.name)?.[1] ?? null
  const levels = shares.find(([name]) => name === column.name)?.[1] ?? []
  return levels.find(([name]) => name === level)?.[1] ?? null
}

/** How the figure is rounded, and when it is thin. */
export const kindOf = ({ level, quantile }: NamedFigure): Figure =>
  quantile !== undefined ? QUANTILE : level === null ? MEAN : SHARE
