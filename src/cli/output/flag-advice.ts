import type { InspectedDataset } from '../../runner/datasets/inspect-dataset.ts'

/** The words with which messages on the reading of a file say where a declaration belongs. */
const PLACE = / (?:in|from) the dataset's entry of the study/g

const FLAGS: Readonly<Record<string, string>> = {
  sheet: '--sheet',
  encoding: '--encoding',
  header_rows: '--header-rows',
}

/**
 * A message on the reading of a file, for a command that read it without a study: it names the option in place of the
 * declaration. Other messages stay as they are.
 */
export function flagAdvice(message: string): string {
  return message
    .split(/(?<=[.;]) /)
    .map((sentence, at, sentences) => {
      const isContinued = / there\.$/.test(sentence) && sentences.slice(0, at).some((one) => one.search(PLACE) >= 0)
      return isContinued || sentence.search(PLACE) >= 0 ? withFlags(sentence) : sentence
    })
    .join(' ')
}

function withFlags(sentence: string): string {
  return sentence
    .replace(PLACE, '')
    .replace(/ there\.$/, '.')
    .replace(/"(sheet|encoding|header_rows)(?:: ([\w-]+))?"/g, (_, key: string, value?: string) =>
      value === undefined ? FLAGS[key]! : `${FLAGS[key]} ${value}`,
    )
    .replace(/would declare it/, 'would say so')
    .replace(/\bdeclare\b/g, 'pass')
    .replace(/\bDeclare\b/g, 'Pass')
    .replace(/\bor remove it\b/, 'or leave it out')
    .replace(/^Remove\b/, 'Leave out')
}

/** A dataset whose notes on the reading of its file name the options of the command line. */
export function withFlagAdvice(found: InspectedDataset): InspectedDataset {
  const { dataset, declared } = found
  const { cleaning_summary: cleaning } = dataset
  return {
    ...found,
    ...(cleaning?.notes !== undefined && {
      dataset: { ...dataset, cleaning_summary: { ...cleaning, notes: cleaning.notes.map(flagAdvice) } },
    }),
    ...(declared !== undefined && { declared: declared.map((one) => ({ ...one, text: flagAdvice(one.text) })) }),
  }
}
