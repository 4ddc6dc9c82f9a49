import { listText } from '../../base/text/amount-text.ts'
import { wordsOf } from '../../base/text/folded-words.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import type { SheetSource } from './sheet-source.ts'
import type { StagedSheet } from './stage-sheet.ts'

/** The sheet of a name, hidden or not. */
export function namedSheet(sheets: readonly SheetSource[], name: string): SheetSource {
  const found = sheets.find((sheet) => sheet.name === name)
  if (found !== undefined) return found
  const names = sheets.map((sheet) => `"${sheet.name}"`)
  throw new UnreadableFileError(`The workbook has no sheet "${name}". Its sheets are ${listText(names, 30)}.`)
}

/** Names of sheets about a workbook, without accents, in nine languages. */
const ABOUT = new Set(
  `read me, readme, about, info, information, note, notes, cover, cover page, title page, contents, table of contents,
  toc, legend, key, codebook, code book, dictionary, data dictionary, variables, variable labels, labels, metadata,
  documentation, instructions, guide, help, change log, changelog, disclaimer,
  hinweis, hinweise, anleitung, deckblatt, inhalt, inhaltsverzeichnis, legende, erlauterung, erlauterungen, liesmich,
  dokumentation, lisez moi, lisezmoi, sommaire, notice, page de garde, lexique, dictionnaire,
  leame, lea me, portada, indice, leyenda, instrucciones, notas, diccionario, portada, index, instruccions, llegenda,
  diccionari, leggimi, copertina, istruzioni, legenda, dizionario, leia me, leiame, capa, instrucoes, dicionario,
  leesmij, lees mij, toelichting, inhoud, inhoudsopgave, voorblad, uwagi, spis tresci, instrukcja, slownik`
    .split(',')
    .map((name) => name.trim()),
)

/**
 * What a sheet that nobody named holds: a table; texts around a table; or something that could be one, under the name of
 * texts or of a list of codes.
 */
export function contentOf({ name }: SheetSource, { rows, kinds }: StagedSheet): 'table' | 'doubtful' | 'texts' {
  let columns = 0
  let filled = 0
  let values = 0
  for (const { empty: _, ...kind } of kinds) {
    const cells = Object.values(kind).reduce((sum, n) => sum + n, 0)
    if (cells > 0) columns++
    filled += cells
    values += cells - kind.text
  }
  if (rows.rowCount === 0) return 'texts'
  // Sentences in a column, or pairs of a heading and a text below it.
  if (values === 0 && (columns < 2 || filled < 0.5 * columns * rows.rowCount)) return 'texts'
  return ABOUT.has(wordsOf(name).join(' ')) ? 'doubtful' : 'table'
}

/** Cells with a value. */
export function filledCells({ kinds }: StagedSheet): number {
  return kinds.reduce((sum, { empty: _, ...kind }) => sum + Object.values(kind).reduce((some, n) => some + n, 0), 0)
}
