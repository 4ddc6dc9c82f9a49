import { writeXlsx } from 'hucre/xlsx'
import type { ReadManifest } from '../../answers/manifest/parse-manifest.ts'
import { comparisonAnswers } from '../../answers/words/answer-text.ts'
import { answerNotes } from '../../answers/words/difference-text.ts'
import { backtestRows } from './backtest-sheet.ts'
import { bannerSheet } from './banner-sheet.ts'
import { differenceList, provenanceList, targetList } from './list-sheets.ts'
import {
  BOLD,
  EMPTY,
  LINK,
  NOTE,
  type SheetLayout,
  sheetName,
  TITLE,
  text,
  WRAPPED_NOTE,
  writtenSheet,
} from './sheet.ts'

const CONTENTS = 'Contents'

const LETTERS_NOTE =
  'A letter beside a figure: the figure is higher than that of the column with this letter, beyond chance. Whether a difference is beyond chance is judged from the paired differences of the comparisons, among all questions of the study (Benjamini and Hochberg, 5 %). Columns that no comparison holds side by side have no letters of each other.'

const BASES_NOTE =
  'Base: rows of the seed that a figure is made of. Effective base: as many equally weighted rows say as much. Where they are empty, the service does not tell them. Figures show the digits that their standard errors support; the cells have all.'

/**
 * A manifest as a workbook (Office Open XML): contents, a banner table for each comparison, all differences, backtests, targets,
 * provenance. The same manifest gives the same bytes. No cell is a formula.
 */
export async function reportWorkbook(read: ReadManifest): Promise<Uint8Array> {
  const { manifest } = read
  const comparisons = comparisonAnswers(manifest)
  const taken = new Set([CONTENTS])
  const named = (wanted: string): string => {
    const name = sheetName(wanted, taken)
    taken.add(name)
    return name
  }
  const sheets: (SheetLayout & { readonly about: string })[] = [
    ...comparisons.map((answers, i) => ({
      ...bannerSheet(manifest, answers, comparisons, named(`${i + 1} ${answers.id}`)),
      about: `${answers.id} against ${answers.against}${answers.by === null ? '' : `, by ${answers.by}`}`,
    })),
    ...(comparisons.length === 0
      ? []
      : [
          {
            ...listSheet(named('Differences'), differenceList(manifest, comparisons)),
            about: 'All differences with their 95 % intervals',
          },
        ]),
    ...Object.entries(manifest.backtests ?? {}).map(([id, backtest]) => ({
      ...listSheet(named(`Backtest ${id}`), backtestRows(id, backtest), 0),
      about: `Was it ever right? Each group of ${backtest.by} predicted from the others`,
    })),
    {
      ...listSheet(named('Targets'), targetList(manifest)),
      about: 'What each scenario asks for, and what its rows have',
    },
    {
      ...listSheet(named('Provenance'), provenanceList(read), 0),
      about: 'Data, models and digests, to cite and to repeat',
    },
  ]
  const modified = new Date(manifest.run.finished_at ?? manifest.run.started_at)
  return await writeXlsx({
    sheets: [contents(read, sheets), ...sheets].map(writtenSheet),
    defaultFont: { name: 'Calibri', size: 11 },
    properties: { title: manifest.study.name, creator: 'whatif', created: modified, modified },
  })
}

const listSheet = (name: string, list: Pick<SheetLayout, 'widths' | 'rows'>, rows = 1): SheetLayout => ({
  ...list,
  name,
  frozen: { rows, columns: 0 },
})

function contents(
  { manifest: { study, run } }: ReadManifest,
  sheets: readonly (SheetLayout & { readonly about: string })[],
): SheetLayout {
  const notes = [LETTERS_NOTE, BASES_NOTE, ...answerNotes()]
  return {
    name: CONTENTS,
    widths: [28, 90],
    frozen: { rows: 0, columns: 0 },
    rows: [
      [text(study.name, TITLE)],
      ...(study.description === undefined ? [] : [[text(study.description)]]),
      [text(run.finished_at === null ? 'The run has not ended.' : `Run ended ${run.finished_at}`, NOTE)],
      [EMPTY],
      [text('Sheet', BOLD), text('What it has', BOLD)],
      ...sheets.map(({ name, about }) => [{ ...text(name, LINK), sheet: name }, text(about)]),
      [EMPTY],
      [text('How to read it', BOLD)],
      ...notes.map((note) => [EMPTY, text(note, WRAPPED_NOTE)]),
    ],
  }
}
