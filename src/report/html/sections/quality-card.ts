import { countText } from '../../../base/text/amount-text.ts'
import type { ModelQuality } from '../../../records/manifest/model-quality.ts'
import { type Bullet, bulletChart } from '../charts/bullet.ts'
import { multiples } from '../charts/chart.ts'
import { html, type Markup } from '../markup.ts'
import { name } from '../names.ts'
import { figure } from '../section.ts'
import { holdsReference, qualityBullets } from './quality-figures.ts'

/** Drawings of one model. */
const MOST_DRAWINGS = 18

/** The quality of a model as pictures: each figure beside that of other real rows, or of chance. */
export function qualityCard(quality: ModelQuality, id: string): Markup | null {
  const bullets = qualityBullets(quality)
  if (bullets.length === 0) return null
  const { training_rows: trained, held_out_rows: heldOut, not_measured: missing = [] } = quality
  return html`${
    trained !== undefined &&
    heldOut !== undefined &&
    html`<p>A model of ${countText(trained)} rows was compared with ${countText(heldOut)} rows that it had not seen.</p>
`
  }${figure({
    id,
    caption: captionOf(bullets),
    picture: multiples(bullets.slice(0, MOST_DRAWINGS).map(bulletChart)),
    table: table(bullets),
  })}${missing.map(
    ({
      figure: what,
      reason,
    }) => html`<p class="note">Not measured: ${what.replaceAll('_', ' ')}. <bdi>${reason}</bdi></p>
`,
  )}`
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

const table = (bullets: readonly Bullet[]): Markup => html`<table class="a">
<thead><tr><th scope="col">Figure</th><th scope="col">Model</th><th scope="col">Read against</th></tr></thead>
<tbody>${bullets.map(
  ({
    title,
    valueText,
    referenceText,
  }) => html`<tr><th scope="row">${name(title)}</th><td>${valueText}</td><td>${referenceText}</td></tr>
`,
)}</tbody></table>`
