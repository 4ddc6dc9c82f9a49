import { countText } from '../../../base/text/amount-text.ts'
import type { ModelQuality } from '../../../records/manifest/model-quality.ts'
import { type Block, figure, note, paragraph, type Table, table, worded } from '../../document/block.ts'
import { name, text } from '../../document/text.ts'
import { type Bullet, bulletChart } from '../charts/bullet.ts'
import { multiples } from '../charts/chart.ts'
import { holdsReference, qualityBullets } from './quality-figures.ts'

/** Drawings of one model. */
const MOST_DRAWINGS = 18

/** The quality of a model, each figure beside that of other real rows, or of chance; null where nothing was measured. */
export function qualityCard(quality: ModelQuality, id: string): Block[] | null {
  const bullets = qualityBullets(quality)
  if (bullets.length === 0) return null
  const { training_rows: trained, held_out_rows: heldOut, not_measured: missing = [], c2st } = quality
  return [
    trained !== undefined &&
      heldOut !== undefined &&
      paragraph(
        `A model of ${countText(trained)} rows was compared with ${countText(heldOut)} rows that it had not seen.`,
      ),
    figure({
      id,
      caption: captionOf(bullets),
      picture: () => multiples(bullets.slice(0, MOST_DRAWINGS).map(bulletChart)),
      table: figures(bullets),
    }),
    c2st?.detectable !== undefined &&
      note(`From so few rows, an AUC of ${c2st.detectable} is the smallest that is detected, with a power of 80 %.`),
    ...missing.map(({ figure: what, reason }) =>
      note(text`Not measured: ${what.replaceAll('_', ' ')}. ${name(reason)}`),
    ),
  ]
}

function captionOf(bullets: readonly Bullet[]): string {
  const known = bullets.filter((bullet) => holdsReference(bullet) !== null)
  const held = known.filter((bullet) => holdsReference(bullet) === true)
  const finding =
    known.length === 0
      ? 'The stroke is the figure of other real rows.'
      : `${held.length} of ${known.length} figures have their reference, the stroke, within the band of chance or within their 95 % interval.`
  const attack = bullets.some(({ title }) => title.startsWith('Attack'))
    ? 'The attack on members uses N generated rows for n rows trained on. '
    : ''
  return `${finding} ${attack}This is evidence, not a guarantee of privacy.`
}

const figures = (bullets: readonly Bullet[]): Table =>
  table(
    'Quality of the model',
    ['Figure', 'Model', worded('Read against')],
    bullets.map(({ title, named, valueText, referenceText }) => [named ?? title, valueText, referenceText]),
  )
