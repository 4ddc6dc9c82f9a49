import { listText } from '../../base/text/amount-text.ts'
export interface NamedColumns {
  readonly names: readonly string[]
  readonly notes: readonly string[]
}

/**
 * Turns the headers of a file into unique names: surrounding blanks are removed, an empty header becomes `column.N` (N
 * from 1), a repeated one gets `.1`, `.2`. Nothing else changes: `purchase_intent` stays as it is.
 */
export function nameColumns(headers: readonly string[]): NamedColumns {
  const trimmed = headers.map((header) => header.replaceAll(/^[\s\ufeff\0]+|[\s\ufeff\0]+$/g, ''))
  const taken = new Set(trimmed.filter((name) => name !== ''))
  const used = new Set<string>()
  const repeated = new Set<string>()
  const empty: string[] = []
  const names = trimmed.map((header, i) => {
    if (header !== '' && !used.has(header)) {
      used.add(header)
      return header
    }
    let name = header === '' ? `column.${i + 1}` : header
    for (let n = 1; used.has(name) || taken.has(name); n++)
      name = header === '' ? `column.${i + 1}.${n}` : `${header}.${n}`
    used.add(name)
    if (header === '') empty.push(name)
    else repeated.add(header)
    return name
  })
  const notes: string[] = []
  if (empty.length === 1) notes.push(`1 column has no name and is called ${list(empty)}.`)
  if (empty.length > 1) notes.push(`${empty.length} columns have no name and are called ${list(empty)}.`)
  if (repeated.size > 0) notes.push(`Repeated names were made unique with .1, .2: ${list([...repeated])}.`)
  return { names, notes }
}

/** At most five of the names, in quotes, and how many more there are. */
export function list(names: readonly string[]): string {
  return listText(
    names.map((name) => `"${name}"`),
    5,
  )
}
