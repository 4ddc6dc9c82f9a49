import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { plural } from '../../../base/text/amount-text.ts'
import type { ManifestDataset } from '../../../records/manifest/datasets.ts'
import { type Block, heading, note, paragraph, type Section } from '../../document/block.ts'
import { name, nameList, text } from '../../document/text.ts'
import { densityTable, riskTable } from '../../tables/risk-tables.ts'
import { grouped } from '../grouped.ts'
import { dropReason } from './drop-reasons.ts'
import { PROMISES } from './promises.ts'
import { qualityCard } from './quality-card.ts'

/** Columns that a line names. */
const MOST_NAMES = 40

/** What the models were trained on, how good they are, and what no model promises; null without datasets. */
export function dataSection({ manifest }: ReadManifest): Section | null {
  const all = Object.entries(manifest.datasets)
  if (all.length === 0) return null
  return {
    id: 'data',
    title: 'Data and model',
    blocks: [
      ...all.flatMap(([id, dataset], i) => datasetBlocks(id, dataset, i)),
      riskTable(manifest),
      densityTable(manifest),
      ...PROMISES,
    ],
  }
}

function datasetBlocks(id: string, { source, cleaning, quality }: ManifestDataset, at: number): Block[] {
  const seed = source === null ? 'The model was trained earlier.' : text`The seed file is ${name(source)}.`
  const card = quality === undefined ? null : qualityCard(quality, `quality-${at + 1}`)
  return [
    heading(name(id)),
    paragraph([seed, ' ', cleaning === null ? 'The service does not report what cleaning did.' : sizes(cleaning)]),
    ...(cleaning === null ? [] : droppedList(cleaning.dropped_columns)),
    ...(card ?? [note('The service does not report the quality of the model.')]),
  ]
}

type Cleaning = NonNullable<ManifestDataset['cleaning']>

/** Rows and columns before and after cleaning. */
function sizes(cleaning: Omit<Cleaning, 'dropped_columns'>): string {
  const { input_rows: rows, input_columns: columns, clean_rows: left, clean_columns: kept } = cleaning
  const kind = rows === left ? 'all rows' : plural(left, 'row')
  const which = columns === kept ? 'all columns' : plural(kept, 'column')
  return `It has ${plural(rows, 'row')} and ${plural(columns, 'column')}; cleaning keeps ${kind} and ${which}.`
}

/** The columns that are left out, by reason. */
function droppedList(columns: readonly { readonly name: string; readonly reason: string }[]): Block[] {
  if (columns.length === 0) return []
  const reasons = [...grouped(columns, ({ reason }) => reason)]
  return [
    paragraph(`Cleaning left out ${plural(columns.length, 'column')}:`),
    {
      kind: 'list',
      items: reasons.map(([reason, of]) => {
        const names = nameList(
          of.map((one) => one.name),
          MOST_NAMES,
        )
        return text`${names}: ${of.length === 1 ? 'it' : 'each'} ${dropReason(reason)}.`
      }),
    },
  ]
}
