import { answerSentence } from '../../../answers/words/answer-sentence.ts'
import type { Answer } from '../../../answers/words/answer-text.ts'
import { pooledTexts } from '../../../answers/words/leading-answers.ts'
import { asked, name, strong, type Text } from '../../../base/document/text.ts'
import { words } from '../../../base/language/language.ts'
import { cutText } from '../../../base/text/fit-text.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import type { ChosenAnswers } from './choose-answers.ts'

/** Longest description of a study that the first screen repeats, in UTF-16 units. */
const MOST_DESCRIPTION = 600
/** Columns whose strongest difference is put into a sentence, and comparisons of whose replicates one speaks. */
const MOST_SENTENCES = 2

/** What was asked, in the words of the study, and what came out. */
export function lead(manifest: Manifest, chosen: ChosenAnswers, nameOf: (id: string) => string): Text {
  const { study } = manifest
  const { description } = study
  return [
    description !== undefined && description !== '' && [asked(cutText(description, MOST_DESCRIPTION)), ' '],
    ...[delivered(manifest), found(chosen), pooled(chosen)],
    strongestOfEach(chosen).map((answer) => sentence(answer, nameOf)),
  ]
}

const delivered = ({ totals }: Manifest): Text =>
  words().firstScreen.delivered(totals.ready, totals.scenarios, totals.rows_generated)

/** A difference without such an interval is neither beyond nor within chance. */
function found({ total, beyond, unknown, comparisons }: ChosenAnswers): Text {
  if (total === 0) return null
  const sides = [...new Set(comparisons.map(({ against }) => against))]
  const against: Text = sides.length === 1 ? name(sides[0]!) : null
  const { noneWithInterval, oneDifference, differences } = words().firstScreen
  if (unknown === total) return noneWithInterval<Text>(total, against)
  if (total === 1) return oneDifference<Text>(beyond === 1, against)
  return differences<Text>({ beyond, total, unknown, against })
}

function pooled({ comparisons }: ChosenAnswers): string[] {
  const { pooled: say, pooledIn } = words().firstScreen
  const texts = comparisons.flatMap((comparison) =>
    pooledTexts(comparison).map((text) => (comparisons.length === 1 ? say(text) : pooledIn(comparison.id, text))),
  )
  return texts.slice(0, MOST_SENTENCES)
}

/** Shares come before means. */
function strongestOfEach({ comparisons, shown }: ChosenAnswers): Answer[] {
  const isShown = new Set(shown)
  const candidates = comparisons
    .flatMap(({ answers }) => answers)
    .filter((one) => isShown.has(one) && one.beyond === true)
  const first = (of: (one: Answer) => boolean, others: readonly Answer[]) =>
    candidates.find((one) => of(one) && others.every(({ column }) => column !== one.column))
  const sentences: Answer[] = []
  for (const isWanted of [(one: Answer) => one.level !== null, (one: Answer) => one.level === null, () => true]) {
    const next = sentences.length < MOST_SENTENCES ? first(isWanted, sentences) : undefined
    if (next !== undefined) sentences.push(next)
  }
  return sentences
}

function sentence(answer: Answer, nameOf: (id: string) => string): Text {
  const parts = answerSentence(answer, nameOf).map(({ kind, text: of }) =>
    kind === 'name' ? name(of) : kind === 'strong' ? strong(of) : of,
  )
  return words().firstScreen.sentence<Text>(parts)
}
