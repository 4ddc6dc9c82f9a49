import { answerSentence } from '../../../answers/words/answer-sentence.ts'
import type { Answer } from '../../../answers/words/answer-text.ts'
import { pooledTexts } from '../../../answers/words/leading-answers.ts'
import { countText, plural } from '../../../base/text/amount-text.ts'
import { cutText } from '../../../base/text/fit-text.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import { asked, name, strong, type Text, text } from '../../document/text.ts'
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

function delivered({ totals }: Manifest): Text {
  const { scenarios, ready, rows_generated: rows } = totals
  const which =
    scenarios === 1 && ready === 1
      ? 'The scenario has'
      : ready === scenarios
        ? `${scenarios === 2 ? 'Both' : `All ${countText(scenarios)}`} scenarios have`
        : `${countText(ready)} of ${plural(scenarios, 'scenario')} ${ready === 1 ? 'has' : 'have'}`
  return text`${which} the rows that were asked for: ${plural(rows, 'row')} in total.`
}

/** A difference without such an interval is neither beyond nor within chance. */
function found({ total, beyond, unknown, comparisons }: ChosenAnswers): Text {
  if (total === 0) return null
  const sides = [...new Set(comparisons.map(({ against }) => against))]
  const against = sides.length === 1 ? text` from ${name(sides[0]!)}` : null
  if (unknown === total)
    return total === 1
      ? text` The difference${against} has no interval that holds for the population.`
      : text` Of ${plural(total, 'difference')}${against}, none has an interval that holds for the population.`
  if (total === 1) return text` The difference${against} is ${beyond === 1 ? 'beyond' : 'within'} chance.`
  const which =
    beyond === total
      ? total === 2
        ? 'Both'
        : `All ${countText(total)}`
      : `${countText(beyond)} of ${countText(total)}`
  const others = unknown === 0 ? '' : ` Nothing is known about chance in ${countText(unknown)} of them.`
  return text` ${which} differences${against} ${beyond === 1 ? 'is' : 'are'} beyond chance.${others}`
}

function pooled({ comparisons }: ChosenAnswers): string[] {
  const texts = comparisons.flatMap((comparison) =>
    pooledTexts(comparison).map((text) => (comparisons.length === 1 ? ` ${text}.` : ` In ${comparison.id}, ${text}.`)),
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
  return text` ${parts}.`
}
