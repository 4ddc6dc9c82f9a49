import { countText } from '../../../base/text/amount-text.ts'
import type { ModelQuality } from '../../../records/manifest/model-quality.ts'
import { name, text } from '../../document/text.ts'
import type { Bullet } from '../charts/bullet.ts'

/** The figures of a model, each with what it is read against: other real rows, or chance. */
export function qualityBullets(quality: ModelQuality): Bullet[] {
  const { column_shapes: shapes, pairs, c2st, copies, rare_numbers: rare, dcr, membership } = quality
  return [
    ...(shapes ? [similarity('Shapes of columns', shapes)] : []),
    ...(pairs ? [similarity(`${countText(pairs.measured)} pairs of columns`, pairs)] : []),
    ...strengths(quality),
    ...(c2st ? [againstHalf('Distinguished from real rows', 'AUC; ', c2st.auc, c2st.chance)] : []),
    ...(copies ? [copyBullet(copies)] : []),
    ...(rare ? [rareBullet(rare)] : []),
    ...(dcr ? [againstHalf('Nearer to a row trained on', 'share; ', dcr.nearer_training, dcr.chance)] : []),
    ...(membership?.at ?? []).map(({ rows_per_row: times, auc, chance }) =>
      againstHalf(`Attack on members, N = ${times === 1 ? '' : `${times} `}n`, 'AUC; ', auc, chance),
    ),
  ]
}

interface Strength {
  readonly low: number
  readonly high: number
}

/** How strongly columns are related, as a part of the strength in real rows. */
function strengths({ correlations, item_blocks: blocks = [], differences, pmse }: ModelQuality): Bullet[] {
  const against = (title: string, slope: number, { low, high }: Strength): Bullet => ({
    title,
    value: slope,
    valueText: slope.toFixed(2),
    reference: 1,
    referenceText: `95 % ${low.toFixed(2)} to ${high.toFixed(2)}; real rows 1`,
    chance: null,
    interval: [low, high],
    scale: [0.5, 1.1],
  })
  const chance = pmse === undefined ? 0 : 2 * Math.sqrt(2 / Math.max(1, pmse.parameters - 1))
  return [
    ...(correlations
      ? [against(`Strength of ${countText(correlations.pairs)} correlations`, correlations.slope, correlations)]
      : []),
    ...blocks.map((block) => ({
      ...against(`Items ${block.column} to ${block.last}`, block.ratio, block),
      named: text`Items ${name(block.column)} to ${name(block.last)}`,
    })),
    ...(differences ? [against('Differences between groups', differences.slope, differences)] : []),
    ...(differences?.median
      ? [
          against(
            `Their median of ${countText(differences.outcomes)} columns`,
            differences.median.slope,
            differences.median,
          ),
        ]
      : []),
    ...(differences?.lowest ?? []).map((column) => ({
      ...against(`Differences of ${column.column}`, column.slope, column),
      named: text`Differences of ${name(column.column)}`,
    })),
    ...(pmse
      ? [
          {
            title: 'pMSE over expected',
            value: pmse.ratio,
            valueText: pmse.ratio.toFixed(2),
            reference: 1,
            referenceText: `1 ± ${chance.toFixed(2)} by chance`,
            chance,
            interval: null,
            scale: [0, 2] as const,
          },
        ]
      : []),
  ]
}

const similarity = (
  title: string,
  { mean, reference }: { readonly mean: number; readonly reference: number },
): Bullet => ({
  title,
  value: mean,
  valueText: mean.toFixed(3),
  reference,
  referenceText: `other real rows ${reference.toFixed(3)}`,
  chance: null,
  interval: null,
  scale: [0.8, 1],
})

/** `unit`: what the figure is, before its reference. */
const againstHalf = (title: string, unit: string, value: number, chance: number): Bullet => ({
  title,
  value,
  valueText: value.toFixed(3),
  reference: 0.5,
  referenceText: `${unit}0.5 ± ${chance.toFixed(3)} by chance`,
  chance,
  interval: null,
  scale: [0.4, 0.6],
})

function copyBullet({ share, reference }: { readonly share: number; readonly reference: number }): Bullet {
  const text = (part: number): string => `${(100 * part).toFixed(2)} %`
  return {
    title: 'Exact copies of rows trained on',
    value: 100 * share,
    valueText: text(share),
    reference: 100 * reference,
    referenceText: `other real rows ${text(reference)}`,
    chance: null,
    interval: null,
    scale: [0, 1],
  }
}

/** A count that the service does not tell stands for fewer than ten rows, and is drawn as none. */
function rareBullet({ rows, reference }: NonNullable<ModelQuality['rare_numbers']>): Bullet {
  const text = (count: number | undefined): string =>
    count === undefined ? 'under 10 rows' : `${countText(count)} rows`
  return {
    title: 'With a number of fewer than 10 seed rows',
    value: rows ?? 0,
    valueText: text(rows),
    reference: reference ?? 0,
    referenceText: `rows trained on: ${text(reference)}`,
    chance: null,
    interval: null,
    scale: [0, 10],
  }
}

/** Whether the reference lies within chance or within the interval; null where neither is known. */
export function holdsReference({ value, reference, chance, interval }: Bullet): boolean | null {
  if (chance !== null) return Math.abs(value - reference) <= chance
  return interval === null ? null : interval[0] <= reference && reference <= interval[1]
}
