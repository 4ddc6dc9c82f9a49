import { words } from '../../base/language/language.ts'
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
  const { sentence, shareOutcome, numberOutcome } = words().answers
  return sentence<SentencePart>({
    scenario: name(nameOf(answer.scenario)),
    outcome:
      level === null ? numberOutcome(numberWord(quantile), name(column)) : shareOutcome(name(column), name(level)),
    rows: where === null ? null : name(where),
    falls: (answer.difference ?? 0) < 0,
    ...{ from, to, interval },
    difference: { kind: 'strong', text: difference },
  }).flatMap((part) => (typeof part !== 'string' ? [part] : part === '' ? [] : [{ kind: 'words', text: part }]))
}

const name = (text: string): SentencePart => ({ kind: 'name', text: cutInMiddle(text, MOST_NAME) })
