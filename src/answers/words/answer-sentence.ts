import { cutInMiddle } from '../../base/text/fit-text.ts'
import { type Answer, answerWords } from './answer-text.ts'
import { numberWord } from './quantile-text.ts'

/** A piece of a sentence: its own words, a name of a study or its data, or what is to be seen first. Not escaped. */
export interface SentencePart {
  readonly kind: 'words' | 'name' | 'strong'
  readonly text: string
}

/** Characters of a name in a sentence; tables have the whole name. */
const MOST_NAME = 48

/**
 * An answer as a sentence: `With region north, purchase.intent Yes rises from 34.7 % to 47.3 %: +12.6 points, 95 % interval 9.1 to 16.1`.
 *
 * @param nameOf Of a scenario.
 */
export function answerSentence(answer: Answer, nameOf: (scenario: string) => string): SentencePart[] {
  const { from, to, difference, interval } = answerWords(answer)
  const { column, level, quantile, where } = answer
  const outcome =
    level === null ? [words(`the ${numberWord(quantile)} of `), name(column)] : [name(column), words(' '), name(level)]
  const verb = (answer.difference ?? 0) < 0 ? 'falls' : 'rises'
  return [
    words('With '),
    name(nameOf(answer.scenario)),
    words(', '),
    ...outcome,
    ...(where === null ? [] : [words(' in rows with '), name(where)]),
    words(` ${verb} from ${from} to ${to}: `),
    { kind: 'strong', text: difference },
    ...(interval === '' ? [] : [words(`, 95 % interval ${interval}`)]),
  ]
}

const words = (text: string): SentencePart => ({ kind: 'words', text })
const name = (text: string): SentencePart => ({ kind: 'name', text: cutInMiddle(text, MOST_NAME) })
