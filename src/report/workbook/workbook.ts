import { writeXlsx } from 'hucre/xlsx'
import type { ReadManifest } from '../../answers/manifest/parse-manifest.ts'
import { comparisonAnswers } from '../../answers/words/answer-text.ts'
import { answerNotes } from '../../answers/words/difference-text.ts'
import { inWords, type Words, words } from '../../base/language/language.ts'
import { backtestedText, backtestRows } from './backtest-sheet.ts'
import { againstText, bannerSheet } from './banner-sheet.ts'
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

type AboutSheet = SheetLayout & {
  /** For the list of contents. */
  readonly about: string
}

/**
 * A manifest as a workbook (Office Open XML): contents, a banner table for each comparison, all differences, backtests, targets,
 * provenance. The same manifest and words give the same bytes. No cell is a formula.
 *
 * @param of Words of its language.
 */
export async function reportWorkbook(read: ReadManifest, of: Words = words()): Promise<Uint8Array> {
  const { run, study } = read.manifest
  const modified = new Date(run.finished_at ?? run.started_at)
  return await writeXlsx({
    sheets: inWords(of, () => sheetsOf(read)).map(writtenSheet),
    defaultFont: { name: 'Calibri', size: 11 },
    properties: { title: study.name, creator: 'whatif', created: modified, modified },
  })
}

function sheetsOf(read: ReadManifest): SheetLayout[] {
  const { manifest } = read
  const comparisons = comparisonAnswers(manifest)
  const { workbook: say, record, firstScreen, backtests, figures } = words()
  const taken = new Set([record.page.contents])
  const named = (wanted: string): string => {
    const name = sheetName(wanted, taken)
    taken.add(name)
    return name
  }
  const sheets: AboutSheet[] = [
    ...comparisons.map((answers, i) => ({
      ...bannerSheet(manifest, answers, comparisons, named(`${i + 1} ${answers.id}`)),
      about: `${againstText(answers)}${answers.by === null ? '' : say.about.by(answers.by)}`,
    })),
    ...(comparisons.length === 0
      ? []
      : [
          {
            ...listSheet(named(firstScreen.differencesTable), differenceList(manifest, comparisons)),
            about: say.about.differences,
          },
        ]),
    ...Object.entries(manifest.backtests ?? {}).map(([id, backtest]) => ({
      ...listSheet(named(say.sheets.backtest(id)), backtestRows(id, backtest), 0),
      about: `${backtests.title}${figures.sentenceGap}${backtestedText(backtest)}`,
    })),
    {
      ...listSheet(named(say.sheets.targets), targetList(manifest)),
      about: say.about.targets,
    },
    {
      ...listSheet(named(record.provenance.title), provenanceList(read), 0),
      about: say.about.provenance,
    },
  ]
  return [contents(read, sheets), ...sheets]
}

const listSheet = (name: string, list: Pick<SheetLayout, 'widths' | 'rows'>, rows = 1): SheetLayout => ({
  ...list,
  name,
  frozen: { rows, columns: 0 },
})

function contents({ manifest: { study, run } }: ReadManifest, sheets: readonly AboutSheet[]): SheetLayout {
  const { workbook: say, record } = words()
  const notes = [say.letters, say.bases, ...answerNotes()]
  return {
    name: record.page.contents,
    widths: [28, 90],
    frozen: { rows: 0, columns: 0 },
    rows: [
      [text(study.name, TITLE)],
      ...(study.description === undefined ? [] : [[text(study.description)]]),
      [text(run.finished_at === null ? say.notEnded : say.ended(run.finished_at), NOTE)],
      [EMPTY],
      [text(say.heads.sheet, BOLD), text(say.heads.has, BOLD)],
      ...sheets.map(({ name, about }) => [{ ...text(name, LINK), sheet: name }, text(about)]),
      [EMPTY],
      [text(say.howToRead, BOLD)],
      ...notes.map((note) => [EMPTY, text(note, WRAPPED_NOTE)]),
    ],
  }
}
