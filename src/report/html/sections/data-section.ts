import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { type Block, heading, note, paragraph, type Section } from '../../../base/document/block.ts'
import { name, nameList, type Text } from '../../../base/document/text.ts'
import { words } from '../../../base/language/language.ts'
import type { ManifestDataset } from '../../../records/manifest/datasets.ts'
import { densityTable, riskTable } from '../../tables/risk-tables.ts'
import { grouped } from '../grouped.ts'
import { dropReason } from './drop-reasons.ts'
import { promises } from './promises.ts'
import { qualityCard } from './quality-card.ts'

/** Columns that a line names. */
const MOST_NAMES = 40

/** What the models were trained on, how good they are, and what no model promises; null without datasets. */
export function dataSection({ manifest }: ReadManifest): Section | null {
  const all = Object.entries(manifest.datasets)
  if (all.length === 0) return null
  return {
    id: 'data',
    title: words().data.title,
    blocks: [
      ...all.flatMap(([id, dataset], i) => datasetBlocks(id, dataset, i)),
      riskTable(manifest),
      densityTable(manifest),
      ...promises(),
    ],
  }
}

function datasetBlocks(id: string, { source, cleaning, quality }: ManifestDataset, at: number): Block[] {
  const { data: say } = words()
  const seed = source === null ? say.trainedEarlier : say.seedFile<Text>(name(source))
  const card = quality === undefined ? null : qualityCard(quality, `quality-${at + 1}`)
  return [
    heading(name(id)),
    paragraph([seed, words().figures.sentenceGap, cleaning === null ? say.cleaningNotReported : sizes(cleaning)]),
    ...(cleaning === null ? [] : droppedList(cleaning.dropped_columns)),
    ...(card ?? [note(say.qualityNotReported)]),
  ]
}

type Cleaning = NonNullable<ManifestDataset['cleaning']>

/** Rows and columns before and after cleaning. */
function sizes(cleaning: Omit<Cleaning, 'dropped_columns'>): string {
  const { input_rows: rows, input_columns: columns, clean_rows: left, clean_columns: kept } = cleaning
  return words().data.sizes(rows, columns, rows === left ? null : left, columns === kept ? null : kept)
}

/** The columns that are left out, by reason. */
function droppedList(columns: readonly { readonly name: string; readonly reason: string }[]): Block[] {
  if (columns.length === 0) return []
  const reasons = [...grouped(columns, ({ reason }) => reason)]
  return [
    paragraph(words().data.leftOut(columns.length)),
    {
      kind: 'list',
      items: reasons.map(([reason, of]) => {
        const names = nameList(
          of.map((one) => one.name),
          MOST_NAMES,
        )
        return words().data.leftOutFor<Text>(names, of.length, dropReason(reason))
      }),
    },
  ]
}
