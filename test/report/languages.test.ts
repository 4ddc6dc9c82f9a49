import { readXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { manifestText } from '../../src/answers/manifest/manifest-writer.ts'
import { parseManifest, type ReadManifest } from '../../src/answers/manifest/parse-manifest.ts'
import { LANGUAGES, type Language, wordsOf } from '../../src/base/language/catalogues.ts'
import { inWords, type Words, words } from '../../src/base/language/language.ts'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import { reportDeck } from '../../src/report/deck/deck.ts'
import { reportHtml } from '../../src/report/html/page/page.ts'
import { reportMarkdown } from '../../src/report/report-markdown.ts'
import { reportWorkbook } from '../../src/report/workbook/workbook.ts'
import { readDeck } from './deck/read-deck.ts'
import { fullManifest } from './html/hostile-manifest.ts'
import { matrixManifest } from './html/matrix-manifest.ts'
import { ENGLISH, englishIn, figuresOf } from './page-texts.ts'

const OTHERS = LANGUAGES.filter((language) => language !== 'en')

const MANIFESTS = [fullManifest(), matrixManifest()].map((manifest) => ({
  manifest,
  read: parseManifest(manifestText(manifest)),
}))
const FULL = MANIFESTS[0]!

/** Makes a document of a manifest in a language once, though each test of each language compares it with English. */
function once<T>(make: (read: ReadManifest, of: Words) => T) {
  const made = new Map<string, T>()
  return async (language: Language, one: (typeof MANIFESTS)[number]): Promise<T> => {
    const key = `${language} ${MANIFESTS.indexOf(one)}`
    if (!made.has(key)) made.set(key, make(one.read, await wordsOf(language)))
    return made.get(key)!
  }
}

const pageIn = once((read, of) => inWords(of, () => reportHtml(read)))

const cellsIn = once(async (read, of) => {
  const { sheets } = await readXlsx(await reportWorkbook(read, of), { readStyles: true })
  return sheets.flatMap(({ name, rows, cells }, s) => [
    { figure: s, text: name },
    ...rows.flatMap((row, r) =>
      row.map((value, c) =>
        typeof value === 'string'
          ? { figure: /^[A-Z](?: [A-Z])*$/.test(value) ? value : '', text: value }
          : { figure: [value, cells?.get(`${r},${c}`)?.style?.numFmt], text: '' },
      ),
    ),
  ])
})

const slidesIn = once(async (read, of) => {
  const { slides } = await readDeck(await reportDeck(read, of))
  return slides.map(({ title, texts, notes, chart }) => ({
    texts: [title, ...texts, ...notes, ...(chart?.rows.flat() ?? []).filter((cell) => typeof cell === 'string')],
    numbers: (chart?.rows ?? []).map((row) => row.filter((cell) => typeof cell === 'number')),
  }))
})

/** What stands in the manifest as it is: names, descriptions, labels, paths. */
const isName = (text: string, manifest: Manifest): boolean => JSON.stringify(manifest).includes(JSON.stringify(text))

/** Texts that a catalogue shares with English because the language writes them so. */
const SAME =
  /^(n|AUC|Verdict|SHA-256|Commit|Median|Service|Provenance|Run|Conditions|Segments?|Question|Name|Description|Distributions|Scenario|Status|Model|Error|\s?quantiles|\s?segments|points|days|diff\.|,? ?points|no|fixed|Notes|, )$|^\W*$/i

/** All texts of a catalogue, by their place; functions are called with plain arguments. */
function textsOf(of: unknown, place = ''): [place: string, text: string][] {
  if (typeof of === 'string') return [[place, of]]
  if (typeof of !== 'object' || of === null) return []
  return Object.entries(of).flatMap(([key, value]) => textsOf(value, `${place}/${key}`))
}

describe.each(OTHERS)('a report in %s', (language) => {
  it('has the figures of the English one, in the same places', async () => {
    for (const one of MANIFESTS) {
      const [english, other] = [await pageIn('en', one), await pageIn(language, one)]
      expect(figuresOf(other)).toEqual(figuresOf(english))
    }
  })

  it('has no English sentence, and says its language', async () => {
    for (const one of MANIFESTS) {
      const page = await pageIn(language, one)
      expect(englishIn(page)).toEqual([])
      expect(englishIn(await pageIn('en', one)).length).toBeGreaterThan(40)
      expect(page).toContain(`<html lang="${(await wordsOf(language)).tag}">`)
    }
  })

  it('has the same sections, pictures and tables as the English one', async () => {
    const shape = (page: string) => page.match(/<(?:section id="[^"]*"|figure id="[^"]*"|svg|table|tr|td|th|li|dt)\b/g)
    expect(shape(await pageIn(language, FULL))).toEqual(shape(await pageIn('en', FULL)))
  })

  it('is Markdown, too, without an English sentence', async () => {
    const { read } = FULL
    const text = inWords(await wordsOf(language), () => reportMarkdown(read))
    const english = reportMarkdown(read)
    expect(text).not.toBe(english)
    expect(text.match(/\n#+ /g)?.length).toBe(english.match(/\n#+ /g)?.length)
    expect(englishIn(text.replaceAll(/`[^`\n]*`|<code>.*?<\/code>/g, ''))).toEqual([])
  })

  it('is a workbook with the same figures, formats and letters, and no English sentence', async () => {
    for (const one of MANIFESTS) {
      const [english, other] = [await cellsIn('en', one), await cellsIn(language, one)]
      expect(other.map(({ figure }) => figure)).toEqual(english.map(({ figure }) => figure))
      const both = english.map(({ text }, i) => [text, other[i]!.text] as const)
      expect(both.filter(([one]) => ENGLISH.test(one)).length).toBeGreaterThan(20)
      expect(both.filter(([, text]) => ENGLISH.test(text) && !isName(text, one.manifest))).toEqual([])
    }
  })

  it('is a deck with the same figures behind its charts, and no English sentence', async () => {
    for (const one of MANIFESTS) {
      const [english, other] = [await slidesIn('en', one), await slidesIn(language, one)]
      expect(other.map(({ numbers }) => numbers)).toEqual(english.map(({ numbers }) => numbers))
      expect(english.flatMap(({ texts }) => texts).filter((text) => ENGLISH.test(text)).length).toBeGreaterThan(20)
      const left = other
        .flatMap(({ texts }) => texts)
        .filter((text) => ENGLISH.test(text) && !isName(text, one.manifest))
      expect(left).toEqual([])
    }
  })

  it('leaves no text of the catalogue in English', async () => {
    const english = new Map(textsOf(await wordsOf('en')))
    const same = textsOf(await wordsOf(language)).filter(([place, text]) => english.get(place) === text)
    expect(same.filter(([, text]) => !SAME.test(text))).toEqual([])
  })
})

describe('Chinese', () => {
  it('has no blank between sentences', async () => {
    const { read } = FULL
    const text = inWords(await wordsOf('zh'), () => reportMarkdown(read))
    expect(text).toContain('。')
    expect(text).not.toMatch(/[。；：，、）] +\p{Script=Han}/u)
  })
})

describe('the language in effect', () => {
  it('is English after a document, also one that failed', async () => {
    const english: Words = words()
    const german = await wordsOf('de')
    expect(inWords(german, () => words())).toBe(german)
    expect(() =>
      inWords(german, () => {
        throw new Error('no document')
      }),
    ).toThrow('no document')
    expect(words()).toBe(english)
  })
})
