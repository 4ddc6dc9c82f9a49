import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { plural } from '../../../base/text/amount-text.ts'
import type { ManifestDataset } from '../../../records/manifest/datasets.ts'
import { grouped } from '../grouped.ts'
import { html, type Markup } from '../markup.ts'
import { name, nameList } from '../names.ts'
import type { Section } from '../section.ts'
import { dropReason } from './drop-reasons.ts'
import { promises } from './promises.ts'
import { qualityCard } from './quality-card.ts'

/** Columns that a line names. */
const MOST_NAMES = 40
/** Datasets with pictures. */
const MOST_CARDS = 4

/** What the models were trained on, how good they are, and what no model promises; null without datasets. */
export function dataSection({ manifest: { datasets } }: ReadManifest): Section | null {
  const all = Object.entries(datasets)
  if (all.length === 0) return null
  return {
    id: 'data',
    title: 'Data and model',
    body: html`${all.map(([id, dataset], i) => datasetBody(id, dataset, i))}<h3>What synthetic rows do not promise</h3>
${promises()}`,
  }
}

function datasetBody(id: string, { source, cleaning, quality }: ManifestDataset, at: number): Markup {
  const card = quality === undefined || at >= MOST_CARDS ? null : qualityCard(quality, `quality-${at + 1}`)
  return html`<h3>${name(id)}</h3>
<p>${source === null ? 'The model was trained earlier.' : html`The seed file is <code dir="auto">${source}</code>.`} ${cleaning === null ? 'The service does not report what cleaning did.' : sizes(cleaning)}</p>
${cleaning !== null && droppedList(cleaning.dropped_columns)}${
  card ??
  html`<p class="note">${quality === undefined ? 'The service does not report the quality of the model.' : 'Its figures of quality stand in the manifest.'}</p>
`
}`
}

type Cleaning = NonNullable<ManifestDataset['cleaning']>

/** Rows and columns before and after cleaning. */
export function sizes(cleaning: Omit<Cleaning, 'dropped_columns'>): string {
  const { input_rows: rows, input_columns: columns, clean_rows: left, clean_columns: kept } = cleaning
  const kind = rows === left ? 'all rows' : plural(left, 'row')
  const which = columns === kept ? 'all columns' : plural(kept, 'column')
  return `It has ${plural(rows, 'row')} and ${plural(columns, 'column')}; cleaning keeps ${kind} and ${which}.`
}

/** The columns that are left out, by reason. */
export function droppedList(columns: readonly { readonly name: string; readonly reason: string }[]): Markup | null {
  if (columns.length === 0) return null
  const reasons = [...grouped(columns, ({ reason }) => reason)]
  return html`<p>Cleaning left out ${plural(columns.length, 'column')}:</p>
<ul>${reasons.map(
    ([reason, of]) => html`<li>${nameList(
      of.map((one) => one.name),
      MOST_NAMES,
    )}: ${of.length === 1 ? 'it' : 'each'} ${dropReason(reason)}.</li>
`,
  )}</ul>
`
}
