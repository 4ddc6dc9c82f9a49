import { type Block, figure, note, paragraph, type Table, table, worded } from '../../../base/document/block.ts'
import { name, type Text } from '../../../base/document/text.ts'
import { words } from '../../../base/language/language.ts'
import { localNumber } from '../../../base/language/local-number.ts'
import type { ModelQuality } from '../../../records/manifest/model-quality.ts'
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
  const { quality: say } = words().data
  return [
    trained !== undefined && heldOut !== undefined && paragraph(say.measured(trained, heldOut)),
    figure({
      id,
      caption: captionOf(bullets, (quality.membership?.at ?? []).length > 0),
      picture: () => multiples(bullets.slice(0, MOST_DRAWINGS).map(bulletChart)),
      table: figures(bullets),
    }),
    c2st?.detectable !== undefined && note(say.detectable(localNumber(String(c2st.detectable)))),
    ...missing.map(({ figure: what, reason }) => note(say.notMeasured<Text>(what.replaceAll('_', ' '), name(reason)))),
  ]
}

function captionOf(bullets: readonly Bullet[], hasAttack: boolean): string {
  const known = bullets.filter((bullet) => holdsReference(bullet) !== null)
  const held = known.filter((bullet) => holdsReference(bullet) === true)
  const { quality: say } = words().data
  const finding = known.length === 0 ? say.stroke : say.held(held.length, known.length)
  return `${finding}${hasAttack ? say.attackNote : ''}${say.noGuarantee}`
}

function figures(bullets: readonly Bullet[]): Table {
  const { title: of, heads } = words().data.quality
  return table(
    of,
    [heads.figure, heads.model, worded(heads.against)],
    bullets.map(({ title, named, valueText, referenceText }) => [named ?? title, valueText, referenceText]),
  )
}
