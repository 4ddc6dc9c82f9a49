import type { ReadManifest } from '../../answers/manifest/parse-manifest.ts'
import { comparisonAnswers } from '../../answers/words/answer-text.ts'
import { scenarioNames } from '../document/names.ts'
import { curveSlides } from './curve-slides.ts'
import { comparisonSlides } from './difference-slides.ts'
import { distributionSlides } from './distribution-slides.ts'
import { openingSlide, recordSlides } from './record-slides.ts'
import type { Slide } from './slide.ts'
import { writeSlides } from './write-slides.ts'

/**
 * A manifest as a deck (Office Open XML): one message a slide, native charts that can be edited, the method in the notes. The same
 * manifest gives the same bytes. No cell behind a chart is a formula.
 */
export async function reportDeck(read: ReadManifest): Promise<Uint8Array> {
  const { study, run } = read.manifest
  return await writeSlides(deckSlides(read), {
    title: study.name,
    modified: new Date(run.finished_at ?? run.started_at),
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
