import { describe, expect, it } from 'vitest'
import { manifestText } from '../../src/answers/manifest/manifest-writer.ts'
import { parseManifest } from '../../src/answers/manifest/parse-manifest.ts'
import { LANGUAGES, type Language, wordsOf } from '../../src/base/language/catalogues.ts'
import { inWords, type Words, words } from '../../src/base/language/language.ts'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import { reportHtml } from '../../src/report/html/page/page.ts'
import { reportMarkdown } from '../../src/report/report-markdown.ts'
import { fullManifest } from './html/hostile-manifest.ts'
import { matrixManifest } from './html/matrix-manifest.ts'
import { englishIn, figuresOf } from './page-texts.ts'

const OTHERS = LANGUAGES.filter((language) => language !== 'en')

async function pageIn(language: Language, manifest: Manifest): Promise<string> {
  const read = parseManifest(manifestText(manifest))
  return inWords(await wordsOf(language), () => reportHtml(read))
}

/** Texts that a catalogue shares with English because the language writes them so. */
const SAME =
  /^(n|AUC|Verdict|SHA-256|Commit|Median|Service|Provenance|Run|Conditions|Segments|Distributions|Scenario|Status|Model|Error|\s?quantiles|\s?segments|points|days|diff\.|,? ?points|no|fixed|Notes|, )$|^\W*$/i

/** All texts of a catalogue, by their place; functions are called with plain arguments. */
function textsOf(of: unknown, place = ''): [place: string, text: string][] {
  if (typeof of === 'string') return [[place, of]]
  if (typeof of !== 'object' || of === null) return []
  return Object.entries(of).flatMap(([key, value]) => textsOf(value, `${place}/${key}`))
}

describe.each(OTHERS)('a report in %s', (language) => {
  it('has the figures of the English one, in the same places', async () => {
    for (const manifest of [fullManifest(), matrixManifest()]) {
      const [english, other] = [await pageIn('en', manifest), await pageIn(language, manifest)]
      expect(figuresOf(other)).toEqual(figuresOf(english))
    }
  })

  it('has no English sentence, and says its language', async () => {
    for (const manifest of [fullManifest(), matrixManifest()]) {
      const page = await pageIn(language, manifest)
      expect(englishIn(page)).toEqual([])
      expect(englishIn(await pageIn('en', manifest)).length).toBeGreaterThan(40)
      expect(page).toContain(`<html lang="${(await wordsOf(language)).tag}">`)
    }
  })

  it('has the same sections, pictures and tables as the English one', async () => {
    const shape = (page: string) => page.match(/<(?:section id="[^"]*"|figure id="[^"]*"|svg|table|tr|td|th|li|dt)\b/g)
    const manifest = fullManifest()
    expect(shape(await pageIn(language, manifest))).toEqual(shape(await pageIn('en', manifest)))
  })

  it('is Markdown, too, without an English sentence', async () => {
    const read = parseManifest(manifestText(fullManifest()))
    const text = inWords(await wordsOf(language), () => reportMarkdown(read))
    const english = reportMarkdown(read)
    expect(text).not.toBe(english)
    expect(text.match(/\n#+ /g)?.length).toBe(english.match(/\n#+ /g)?.length)
    expect(englishIn(text.replaceAll(/`[^`\n]*`|<code>.*?<\/code>/g, ''))).toEqual([])
  })

  it('leaves no text of the catalogue in English', async () => {
    const english = new Map(textsOf(await wordsOf('en')))
    const same = textsOf(await wordsOf(language)).filter(([place, text]) => english.get(place) === text)
    expect(same.filter(([, text]) => !SAME.test(text))).toEqual([])
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
