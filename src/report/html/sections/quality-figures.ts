import { name, type Text } from '../../../base/document/text.ts'
import { words } from '../../../base/language/language.ts'
import { localNumber, percentSign } from '../../../base/language/local-number.ts'
import type { ModelQuality } from '../../../records/manifest/model-quality.ts'
import type { Bullet } from '../charts/bullet.ts'

/** The figures of a model, each with what it is read against: other real rows, or chance. */
export function qualityBullets(quality: ModelQuality): Bullet[] {
  const { column_shapes: shapes, pairs, c2st, copies, rare_numbers: rare, dcr, membership } = quality
  const { quality: say } = words().data
  return [
    ...(shapes ? [similarity(say.shapes, shapes)] : []),
    ...(pairs ? [similarity(say.pairs(pairs.measured), pairs)] : []),
    ...strengths(quality),
    ...(c2st ? [againstHalf(say.distinguished, say.auc, c2st.auc, c2st.chance)] : []),
    ...(copies ? [copyBullet(copies)] : []),
    ...(rare ? [rareBullet(rare)] : []),
    ...(dcr ? [againstHalf(say.nearerTrained, say.share, dcr.nearer_training, dcr.chance)] : []),
    ...(membership?.at ?? []).map(({ rows_per_row: times, auc, chance }) =>
      againstHalf(say.attack(times), say.auc, auc, chance),
    ),
  ]
}

interface Strength {
  readonly low: number
  readonly high: number
}

/** How strongly columns are related, as a part of the strength in real rows. */
function strengths({ correlations, item_blocks: blocks = [], differences, pmse }: ModelQuality): Bullet[] {
  const { quality: say } = words().data
  const against = (title: string, slope: number, { low, high }: Strength): Bullet => ({
    title,
    value: slope,
    valueText: fixed(slope, 2),
    reference: 1,
    referenceText: say.strength(fixed(low, 2), fixed(high, 2)),
    chance: null,
    interval: [low, high],
    scale: [0.5, 1.1],
  })
  const chance = pmse === undefined ? 0 : 2 * Math.sqrt(2 / Math.max(1, pmse.parameters - 1))
  return [
    ...(correlations ? [against(say.correlations(correlations.pairs), correlations.slope, correlations)] : []),
    ...blocks.map((block) => ({
      ...against(say.items(block.column, block.last).join(''), block.ratio, block),
      named: say.items<Text>(name(block.column), name(block.last)),
    })),
    ...(differences ? [against(say.groupDifferences, differences.slope, differences)] : []),
    ...(differences?.median
      ? [against(say.medianOf(differences.outcomes), differences.median.slope, differences.median)]
      : []),
    ...(differences?.lowest ?? []).map((column) => ({
      ...against(say.differencesOf(column.column).join(''), column.slope, column),
      named: say.differencesOf<Text>(name(column.column)),
    })),
    ...(pmse
      ? [
          {
            title: say.pmse,
            value: pmse.ratio,
            valueText: fixed(pmse.ratio, 2),
            reference: 1,
            referenceText: say.aroundOne(fixed(chance, 2)),
            chance,
            interval: null,
            scale: [0, 2] as const,
          },
        ]
      : []),
  ]
}

const fixed = (value: number, digits: number): string => localNumber(value.toFixed(digits))

const similarity = (
  title: string,
  { mean, reference }: { readonly mean: number; readonly reference: number },
): Bullet => ({
  title,
  value: mean,
  valueText: fixed(mean, 3),
  reference,
  referenceText: words().data.quality.otherRows(fixed(reference, 3)),
  chance: null,
  interval: null,
  scale: [0.8, 1],
})

/** `around`: the text of one half and chance around it. */
const againstHalf = (
  title: string,
  around: (half: string, chance: string) => string,
  value: number,
  chance: number,
): Bullet => ({
  title,
  value,
  valueText: fixed(value, 3),
  reference: 0.5,
  referenceText: around(fixed(0.5, 1), fixed(chance, 3)),
  chance,
  interval: null,
  scale: [0.4, 0.6],
})

function copyBullet({ share, reference }: { readonly share: number; readonly reference: number }): Bullet {
  const text = (part: number): string => percentSign((100 * part).toFixed(2))
  const { quality: say } = words().data
  return {
    title: say.copies,
    value: 100 * share,
    valueText: text(share),
    reference: 100 * reference,
    referenceText: say.otherRows(text(reference)),
    chance: null,
    interval: null,
    scale: [0, 1],
  }
}

/** A count that the service does not tell stands for fewer than ten rows, and is drawn as none. */
function rareBullet({ rows, reference }: NonNullable<ModelQuality['rare_numbers']>): Bullet {
  const { quality: say } = words().data
  const text = (count: number | undefined): string => (count === undefined ? say.underTen : say.rows(count))
  return {
    title: say.rareNumbers,
    value: rows ?? 0,
    valueText: text(rows),
    reference: reference ?? 0,
    referenceText: say.trainedRows(text(reference)),
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
