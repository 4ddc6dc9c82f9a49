import { listText } from '../../base/text/amount-text.ts'
import type { SavDecoder } from './sav-encoding.ts'
import type { SavVariable } from './sav-variables.ts'

/** Columns that are answers to one question with several possible answers. */
interface ResponseSet {
  readonly name: string
  readonly label: string
  /** The value that means "ticked"; null when each variable holds any of the answers. */
  readonly countedValue: string | null
  /** Short names of the variables, in upper case, as Latin-1. */
  readonly members: readonly string[]
}

const MAX_NOTES = 20

/**
 * Notes on multiple-response sets: their variables are separate columns like all others, and a table does not record
 * which of them belong together.
 *
 * @param records extension records 7 and 19.
 */
export function responseSetNotes(
  records: readonly (Buffer | undefined)[],
  decoder: SavDecoder,
  variables: readonly SavVariable[],
): string[] {
  const names = new Map(variables.map(({ shortName, name }) => [shortName, name]))
  const sets = records.flatMap((record) => (record === undefined ? [] : responseSets(record, decoder)))
  const notes = sets.slice(0, MAX_NOTES).map(({ name, label, countedValue, members }) => {
    const columns = members.map((member) => `"${names.get(member) ?? member}"`)
    return (
      `Multiple-response set ${name}${label === '' ? '' : ` (${label})`}: ${listText(columns, LISTED)} were read as separate columns` +
      `${countedValue === null ? '' : `, in which ${countedValue} means that the answer was chosen`}.`
    )
  })
  return sets.length > MAX_NOTES
    ? [...notes, `There are ${sets.length - MAX_NOTES} more multiple-response sets.`]
    : notes
}

/**
 * One set per line, such as `$b=D3 Yes 5 Label v1 v2`, `$a=C 5 Label v1 v2` or `$c=E 1 3 Yes 5 Label v1 v2`: texts
 * follow their lengths in bytes. A line of another shape is skipped, since nothing in the data depends on it.
 */
function responseSets(record: Buffer, decoder: SavDecoder): ResponseSet[] {
  const sets: ResponseSet[] = []
  for (const line of record.toString('latin1').split('\n')) {
    const head = /^(\$[^=]{0,64})=(C|D|E \d+) ?/.exec(line)
    if (head === null) continue
    const [start, name, kind] = head as unknown as [string, string, string]
    const counted = kind === 'C' ? { text: null, end: start.length } : sizedText(line, start.length)
    const label = counted === null ? null : sizedText(line, counted.end + (kind === 'C' ? 0 : 1))
    if (counted === null || label === null) continue
    const members = line
      .slice(label.end)
      .split(/[ \0]+/)
      .filter((member) => member !== '')
    sets.push({
      name: decoder.decode(Buffer.from(name, 'latin1')),
      label: decoder.decode(Buffer.from(label.text ?? '', 'latin1')),
      countedValue: counted.text === null ? null : decoder.decode(Buffer.from(counted.text, 'latin1')).trim(),
      members: members.map((member) => member.toUpperCase()),
    })
  }
  return sets
}

/** A text after its length, at `at`; null when there is none. */
function sizedText(line: string, at: number): { readonly text: string | null; readonly end: number } | null {
  const [digits, length] = /^(\d{1,6}) /.exec(line.slice(at, at + 8)) ?? []
  if (digits === undefined || length === undefined) return null
  const start = at + digits.length
  const end = start + Number(length)
  return end > line.length ? null : { text: line.slice(start, end), end }
}

/** Names and labels that a note lists. */
export const LISTED = 5
