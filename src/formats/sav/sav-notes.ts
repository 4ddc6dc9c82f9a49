/** Notes for a researcher about how the variables of a system file were read. */

import type { RawColumn } from '../../base/raw-table.ts'
import { countText, listText, plural } from '../../base/text/amount-text.ts'
import { shortened } from '../../base/text/fit-text.ts'
import type { SavDictionary } from './sav-dictionary.ts'
import type { LabelReading, SavNumberColumn } from './sav-number-column.ts'
import { LISTED } from './sav-response-sets.ts'
import type { SavVariable } from './sav-variables.ts'

/** A column with what there is to say about it. */
export interface FinishedColumn {
  readonly column: RawColumn
  /** Null for string variables. */
  readonly labels: LabelReading | null
}

/** Columns with separate notes; the others share one. */
const MAX_LABEL_NOTES = 20
/** Characters of a label in a note. */
const MAX_LABEL = 40

const namesOf = (columns: readonly { readonly name: string }[]): string =>
  listText(
    columns.map(({ name }) => `"${name}"`),
    LISTED,
  )

/** Notes on what the dictionary says of variables: missing values, formats, the weight. */
export function variableNotes(
  { weightElement }: SavDictionary,
  variables: readonly SavVariable[],
  numbers: readonly SavNumberColumn[],
): string[] {
  const notes: string[] = []
  const names = (some: readonly SavNumberColumn[]) => namesOf(some.map(({ variable }) => variable))
  const declared = variables.filter(({ hasUserMissing }) => hasUserMissing)
  if (declared.length > 0) notes.push(`Values declared missing in SPSS were read as missing: ${namesOf(declared)}.`)
  const durations = numbers.filter(({ isDuration }) => isDuration)
  if (durations.length > 0) notes.push(`Times of day and durations were read as seconds: ${names(durations)}.`)
  const strange = numbers.filter(({ hasStrangeDates }) => hasStrangeDates)
  if (strange.length > 0) {
    notes.push(`Dates before 1582-10-14 or after the year 9999 were read as missing: ${names(strange)}.`)
  }
  const weight = variables.find(({ offset }) => offset === (weightElement - 1) * 8)
  if (weight !== undefined) {
    notes.push(`The file is weighted by "${weight.name}"; the weights were read as a column, not applied.`)
  }
  return notes
}

/**
 * Notes on what the values and their labels showed.
 *
 * @param remarks on the texts of string variables.
 */
export function readingNotes(columns: readonly FinishedColumn[], remarks: readonly string[]): string[] {
  const fromTexts = (...types: readonly RawColumn['type'][]) =>
    namesOf(
      columns
        .filter(({ column, labels }) => labels === null && types.includes(column.type))
        .map(({ column }) => column),
    )
  const numbers = fromTexts('number')
  const dates = fromTexts('date', 'date-time')
  return [
    ...(numbers === '' ? [] : [`String variables that hold numbers were read as numbers: ${numbers}.`]),
    ...(dates === '' ? [] : [`String variables that hold dates were read as dates: ${dates}.`]),
    ...remarks,
    ...wordNotes(columns),
    ...oddNotes(columns),
    ...labelNotes(
      columns,
      ({ noAnswers }) => noAnswers,
      (subject, isOne, labels) =>
        `${subject} ${isOne ? 'was' : 'were'} kept as numbers; values labelled as no answer were read as missing (${labels}).`,
    ),
    ...labelNotes(
      columns,
      ({ onNumbers }) => onNumbers,
      (subject, isOne, labels) =>
        `${subject} ${isOne ? 'has' : 'have'} labels for only some of ${isOne ? 'its' : 'their'} values and ` +
        `${isOne ? 'was' : 'were'} kept as numbers (${labels}). Declare codes that are not amounts as missing in SPSS.`,
    ),
  ]
}

/** Labels such as "NA", which may mean something else. */
function wordNotes(columns: readonly FinishedColumn[]): string[] {
  const found = columns.filter(({ labels }) => labels !== null && labels.missingWords.size > 0)
  const notes = found
    .slice(0, MAX_LABEL_NOTES)
    .flatMap(({ column: { name }, labels }) =>
      [...labels!.missingWords].map(
        ([word, rows]) => `Column "${name}": the label "${word}" was read as missing (${plural(rows, 'value')}).`,
      ),
    )
  return withRest(notes, found.slice(MAX_LABEL_NOTES))
}

/** Codes without a label, which are not quoted: the column may be one that is dropped. */
function oddNotes(columns: readonly FinishedColumn[]): string[] {
  const odd = columns.filter(({ labels }) => labels !== null && labels.odd.codes > 0)
  const notes = odd.slice(0, MAX_LABEL_NOTES).map(({ column: { name }, labels }) => {
    const { codes, rows, present } = labels!.odd
    return (
      `Column "${name}" has ${plural(codes, 'code')} without a label, in ${countText(rows)} of ${countText(present)} rows; ` +
      `${codes === 1 ? 'it' : 'each'} was kept as a level of its own.`
    )
  })
  return withRest(notes, odd.slice(MAX_LABEL_NOTES))
}

/** Notes about labels on columns of numbers; columns with the same labels share one. */
function labelNotes(
  columns: readonly FinishedColumn[],
  labelsOf: (reading: LabelReading) => ReadonlyMap<number, string>,
  noteOf: (subject: string, isOne: boolean, labels: string) => string,
): string[] {
  const groups = new Map<string, RawColumn[]>()
  for (const { column, labels } of columns) {
    const shown = labels === null ? '' : labelList(labelsOf(labels))
    if (shown !== '') groups.set(shown, [...(groups.get(shown) ?? []), column])
  }
  const all = [...groups]
  const notes = all
    .slice(0, MAX_LABEL_NOTES)
    .map(([labels, group]) =>
      noteOf(`${group.length === 1 ? 'Column' : 'Columns'} ${namesOf(group)}`, group.length === 1, labels),
    )
  return withRest(
    notes,
    all.slice(MAX_LABEL_NOTES).flatMap(([, group]) => group.map((column) => ({ column }))),
  )
}

function withRest(notes: readonly string[], more: readonly { readonly column: RawColumn }[]): string[] {
  if (more.length === 0) return [...notes]
  return [...notes, `The same holds for ${more.length} more: ${namesOf(more.map(({ column }) => column))}.`]
}

function labelList(labels: ReadonlyMap<number, string>): string {
  return listText(
    [...labels]
      .sort(([one], [other]) => one - other)
      .map(([value, label]) => `${value} = ${shortened(label, MAX_LABEL)}`),
    LISTED,
  )
}
