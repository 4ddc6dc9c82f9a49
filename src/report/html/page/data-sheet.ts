import { type Block, note, paragraph, type Section } from '../../../base/document/block.ts'
import { html } from '../../../base/document/markup.ts'
import { lines, name } from '../../../base/document/text.ts'
import { plural } from '../../../base/text/amount-text.ts'
import type { ModelQuality } from '../../../records/manifest/model-quality.ts'
import { columnsSection, type SheetColumn } from '../sections/columns-section.ts'
import { promises } from '../sections/promises.ts'
import { qualityCard } from '../sections/quality-card.ts'
import { framePage } from './frame.ts'

/** What a service made of a seed file. */
export interface DataSheet {
  /** The file, dataset or part of a study that was named. */
  readonly title: string
  readonly datasetId: string
  readonly columns: readonly SheetColumn[]
  /** Null where the service does not report it. */
  readonly cleaning: SheetCleaning | null
  readonly quality: ModelQuality | null
  /** Why there is no quality. */
  readonly qualityNote: string | null
  /** Version of whatif. */
  readonly tool: string
}

export interface SheetCleaning {
  readonly input_rows: number
  readonly input_columns: number
  readonly clean_rows: number
  readonly clean_columns: number
  /** What was done, and to what: `['renamed', 'a_b -> a.b']`. */
  readonly lines: readonly (readonly [done: string, text: string])[]
}

/** The beginning of a data sheet, which identifies it. */
export const SHEET_MARK = '<!doctype html>\n<!-- whatif data sheet'

/** Lines of cleaning that the page repeats. */
const MOST_LINES = 500

/** A data sheet as one HTML file: the columns with what they hold, what cleaning did, and how good the model is. */
export function dataSheet(sheet: DataSheet): string {
  return framePage({
    mark: SHEET_MARK,
    title: sheet.title,
    about: 'data sheet',
    language: 'en',
    sections: [columnsSection(sheet.columns), cleaningSection(sheet), qualitySection(sheet)].filter(
      (section) => section !== null,
    ),
    origin: html`Made by whatif ${name(sheet.tool)} from dataset ${name(sheet.datasetId)}.`,
  })
}

function cleaningSection({ cleaning }: DataSheet): Section {
  return {
    id: 'cleaning',
    title: 'Cleaning',
    blocks:
      cleaning === null
        ? [note('The service does not report what cleaning did.')]
        : [
            paragraph(
              `The file has ${plural(cleaning.input_rows, 'row')} and ${plural(cleaning.input_columns, 'column')}; ${plural(cleaning.clean_rows, 'row')} and ${plural(cleaning.clean_columns, 'column')} are modelled.`,
            ),
            ...linesOf(cleaning),
          ],
  }
}

function linesOf({ lines: all }: SheetCleaning): Block[] {
  if (all.length === 0) return []
  const left = all.length - MOST_LINES
  return [
    { kind: 'terms', entries: all.slice(0, MOST_LINES).map(([done, of]) => [done, lines(of)]) },
    left > 0 && note(`${plural(left, 'further line')} not listed.`),
  ]
}

const qualitySection = ({ quality, qualityNote }: DataSheet): Section => ({
  id: 'model',
  title: 'Model',
  blocks: [
    ...((quality && qualityCard(quality, 'quality')) ?? [
      note(qualityNote === null ? 'The service does not report the quality of the model.' : lines(qualityNote)),
    ]),
    ...promises(),
  ],
})
