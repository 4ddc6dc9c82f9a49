import type { ReadManifest } from '../../answers/manifest/parse-manifest.ts'
import { comparisonAnswers } from '../../answers/words/answer-text.ts'
import { inWords, type Words, words } from '../../base/language/language.ts'
import { scenarioNames } from '../scenario-names.ts'
import { curveSlides } from './curve-slides.ts'
import { comparisonSlides } from './difference-slides.ts'
import { distributionSlides } from './distribution-slides.ts'
import { finishDeck } from './finish-deck.ts'
import { openingSlide, recordSlides } from './record-slides.ts'
import type { Slide } from './slide.ts'
import { layOutSlides } from './write-slides.ts'

/**
 * A manifest as a deck (Office Open XML): one message a slide, native charts that can be edited, the method in the notes. The same
 * manifest and words give the same bytes. No cell behind a chart is a formula.
 *
 * @param of Words of its language.
 */
export async function reportDeck(read: ReadManifest, of: Words = words()): Promise<Uint8Array> {
  const { study, run } = read.manifest
  const { deck, charts } = inWords(of, () => layOutSlides(deckSlides(read), study.name))
  const written = await deck.write({ outputType: 'uint8array' })
  return await finishDeck(written as Uint8Array, charts, {
    modified: new Date(run.finished_at ?? run.started_at),
    language: of.deck.tag,
  })
}

export function deckSlides(read: ReadManifest): Slide[] {
  const { manifest } = read
  const comparisons = comparisonAnswers(manifest)
  const nameOf = scenarioNames(manifest)
  return [
    openingSlide(read, comparisons),
    ...comparisons.flatMap((one) => comparisonSlides(one, nameOf, comparisons.length === 1)),
    ...curveSlides(manifest),
    ...distributionSlides(manifest, comparisons, nameOf),
    ...recordSlides(read),
  ]
}
