/**
 * What pptxgenjs leaves open: the charts with their data, and what differs from one writing to the next (names of parts that count on
 * in a process, times of today, a notes page as one paragraph).
 */

import JSZip from 'jszip'
import { chartWorkbook, type DrawnChart } from './chart.ts'
import { chartPart } from './chart-part.ts'

const CHART = /chart(\d+)\.xml/g
const WORKBOOK = /Microsoft_Excel_Worksheet(\d+)\.xlsx/g
/** What all texts are said to be in; a `"` in a text is `&quot;`, so this is an attribute. */
const IN_ENGLISH = /(?<=<[^<>]* )lang="en-US"/g
const TIME = /(<dcterms:(?:created|modified) [^>]*>)[^<]*/g

export interface DeckFacts {
  readonly modified: Date
  /** Of its texts: `de-DE`. */
  readonly language: string
}

/** @param charts In the sequence of their frames. */
export async function finishDeck(
  deck: Uint8Array,
  charts: readonly DrawnChart[],
  { modified, language }: DeckFacts,
): Promise<Uint8Array> {
  const written = await JSZip.loadAsync(deck)
  const paths = Object.keys(written.files).filter((path) => !written.files[path]!.dir)
  const numbers = paths.flatMap((path) => /^ppt\/charts\/chart(\d+)\.xml$/.exec(path)?.[1] ?? []).map(Number)
  const before = numbers.length === 0 ? 0 : Math.min(...numbers) - 1
  const renumbered = (text: string): string =>
    text
      .replaceAll(CHART, (_, number: string) => `chart${Number(number) - before}.xml`)
      .replaceAll(WORKBOOK, (_, number: string) => `Microsoft_Excel_Worksheet${Number(number) - before}.xlsx`)
  const finished = new JSZip()
  const put = (path: string, content: string | Uint8Array): void => {
    finished.file(path, content, { date: modified, createFolders: false })
  }
  for (const path of paths) {
    const content = await contentOf(written, path, { renumbered, modified, charts, before })
    if (content !== null) put(renumbered(path), content.replaceAll(IN_ENGLISH, `lang="${language}"`))
  }
  for (const [i, { sheet }] of charts.entries())
    put(`ppt/embeddings/Microsoft_Excel_Worksheet${i + 1}.xlsx`, await chartWorkbook(sheet, modified))
  return await finished.generateAsync({ type: 'uint8array', compression: 'DEFLATE' })
}

interface Finishing {
  readonly renumbered: (text: string) => string
  readonly modified: Date
  readonly charts: readonly DrawnChart[]
  readonly before: number
}

/** Null for what is written anew. */
async function contentOf(
  written: JSZip,
  path: string,
  { renumbered, modified, charts, before }: Finishing,
): Promise<string | null> {
  if (path.startsWith('ppt/embeddings/')) return null
  const number = /^ppt\/charts\/chart(\d+)\.xml$/.exec(path)?.[1]
  if (number !== undefined) {
    const { chart, sheet } = charts[Number(number) - before - 1]!
    return chartPart(chart, sheet)
  }
  const text = await written.file(path)!.async('string')
  if (path === 'docProps/core.xml')
    return text.replaceAll(TIME, (_, head: string) => `${head}${modified.toISOString().replace(/\.\d+/, '')}`)
  if (path.startsWith('ppt/notesSlides/') && path.endsWith('.xml')) return inParagraphs(text)
  if (path === '[Content_Types].xml') return renumbered(withoutGhosts(text, written))
  return path.endsWith('.rels') ? renumbered(text) : text
}

/** pptxgenjs announces a master for every slide, and writes one. */
const withoutGhosts = (types: string, written: JSZip): string =>
  types.replaceAll(/<Override PartName="\/([^"]*)"[^>]*\/>/g, (override, path: string) =>
    written.file(path) === null ? '' : override,
  )

/** pptxgenjs writes notes into one run, where a line feed is a blank. */
const inParagraphs = (xml: string): string =>
  xml.replaceAll(/\r?\n(?!<p:notes )/g, '</a:t></a:r></a:p><a:p><a:r><a:rPr lang="en-US" dirty="0"/><a:t>')
