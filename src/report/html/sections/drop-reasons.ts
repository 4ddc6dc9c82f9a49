/** Why cleaning left a column out, as the end of the sentence "it …". Reasons of other services are shown as they are. */
const WORDS: Readonly<Record<string, string>> = {
  constant: 'has one value in all rows',
  near_zero_variance: 'has the same value in nearly all rows',
  mostly_missing: 'is mostly empty',
  identifier: 'names single rows or people',
  free_text: 'is free text',
  too_many_levels: 'has too many different values',
  unmodelled: 'cannot be modelled',
  case_weight: 'holds the weights of the rows',
  survey_design: 'says how the rows were drawn',
}

export const dropReason = (reason: string): string =>
  Object.hasOwn(WORDS, reason) ? WORDS[reason]! : reason.replaceAll('_', ' ')
