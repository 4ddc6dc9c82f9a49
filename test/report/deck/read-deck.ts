import { readXlsx } from 'hucre/xlsx'
import JSZip from 'jszip'
import { readXml, type XmlElement } from '../read-xml.ts'

export interface ReadSlide {
  readonly title: string
  /** All texts of the slide, the title first. */
  readonly texts: readonly string[]
  readonly notes: readonly string[]
  readonly chart: ReadChart | null
}

export interface ReadChart {
  readonly xml: string
  /** The sheet behind it, with heads. */
  readonly rows: readonly (readonly unknown[])[]
  readonly hasFormula: boolean
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')

const runs = (xml: string): string[] => [...xml.matchAll(/<a:t>([^<]*)<\/a:t>/g)].map(([, text]) => unescaped(text!))

/** The slides of a deck in their sequence, after each of its parts has been read as XML. */
export async function readDeck(
  bytes: Uint8Array,
): Promise<{ slides: ReadSlide[]; elements: XmlElement[]; paths: string[] }> {
  const zip = await JSZip.loadAsync(bytes)
  const paths = Object.keys(zip.files).filter((path) => !zip.files[path]!.dir)
  const text = async (path: string): Promise<string> => await zip.file(path)!.async('string')
  const elements: XmlElement[] = []
  for (const path of paths.filter((one) => /\.(xml|rels)$/.test(one))) {
    try {
      elements.push(...readXml(await text(path)).elements)
    } catch (error) {
      throw new Error(`${path}: ${(error as Error).message}`)
    }
  }
  const slides: ReadSlide[] = []
  for (let i = 1; zip.file(`ppt/slides/slide${i}.xml`) !== null; i++) {
    const xml = await text(`ppt/slides/slide${i}.xml`)
    const relations = await text(`ppt/slides/_rels/slide${i}.xml.rels`)
    const number = /charts\/chart(\d+)\.xml/.exec(relations)?.[1]
    const notes = await text(`ppt/notesSlides/notesSlide${i}.xml`)
    const texts = runs(xml)
    slides.push({
      title: texts[0]!,
      texts,
      notes: runs(notes).slice(0, -1),
      chart: number === undefined ? null : await readChart(zip, number),
    })
  }
  return { slides, elements, paths }
}

async function readChart(zip: JSZip, number: string): Promise<ReadChart> {
  const relations = await zip.file(`ppt/charts/_rels/chart${number}.xml.rels`)!.async('string')
  const workbook = /embeddings\/([^"]+)/.exec(relations)![1]!
  const { sheets } = await readXlsx(await zip.file(`ppt/embeddings/${workbook}`)!.async('uint8array'))
  const { rows, cells } = sheets[0]!
  return {
    xml: await zip.file(`ppt/charts/chart${number}.xml`)!.async('string'),
    rows,
    hasFormula: [...(cells?.values() ?? [])].some(({ type, formula }) => type === 'formula' || formula !== undefined),
  }
}
