import { listText, plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { shortened } from '../../base/text/fit-text.ts'
import { WhatifError } from '../../base/whatif-error.ts'
import { suggest } from '../../study/diagnostics/did-you-mean.ts'

/** Keys of a dataset in a study that declare something about its file, as the file spells them. */
export type DeclarationKey =
  | 'weight'
  | 'design'
  | 'drop'
  | 'columns'
  | 'recode'
  | 'missing'
  | 'types'
  | 'levels'
  | 'bands'
  | 'nets'
  | 'nps'
  | 'scores'
  | 'differences'
  | 'rules'
  | 'sheet'
  | 'header_rows'
  | 'encoding'
  | 'decimal'
  | 'multiple'
  | 'fill_down'
  | 'dates'

/** What a declaration did, or how the file was read, for a researcher. Quotes no value of a dropped column. */
export interface DeclarationRemark {
  readonly key: DeclarationKey | 'file'
  /** A sentence. */
  readonly text: string
}

/** A declaration that the data contradict. Quotes no value of a dropped column. */
export interface DeclarationFault {
  readonly key: DeclarationKey
  readonly column: string
  /** What was found; follows the column's name. */
  readonly found: string
  /** What to write instead; null where the finding says it. */
  readonly advice: string | null
}

/** Collects what the declarations of one table find. */
export interface Findings {
  readonly remarks: DeclarationRemark[]
  readonly faults: DeclarationFault[]
  /** Columns that are dropped: their values are never quoted. */
  readonly dropped: ReadonlySet<string>
}

/** Faults that a message lists; further ones are counted. */
const MOST_FAULTS = 20

/**
 * The data contradict what the study declares about them, or cannot be read for it. All contradictions are reported
 * together.
 */
export class DeclarationError extends WhatifError {
  /** A text for each fault, at most 20. */
  readonly texts: readonly string[]

  constructor(faults: readonly (DeclarationFault | string)[], options: { readonly cause?: unknown } = {}) {
    const texts = faults.slice(0, MOST_FAULTS).map((fault) => (typeof fault === 'string' ? fault : faultText(fault)))
    const more = faults.length - texts.length
    if (more > 0) texts.push(`and ${more} more`)
    super('declarations', texts.join('; '), options)
    this.texts = texts
  }
}

/** `` `drop` of "agee": the file has no such column; did you mean "age"? `` */
function faultText({ key, column, found, advice }: DeclarationFault): string {
  return `\`${key}\` of ${quoted(column)}: ${found}${advice === null ? '' : `; ${advice}`}`
}

/** The advice for a name that is not among the columns. */
export function meant(name: string, columns: Iterable<string>): string {
  const names = [...columns]
  const likely = suggest(name, names)
  return likely.length > 0
    ? `did you mean ${likely.map(quoted).join(' or ')}?`
    : `the columns are ${listText(names.map(quoted), 10)}`
}

const LONGEST_SHOWN = 60

/** A name or a value of the file, safe to print. */
export function quoted(text: string): string {
  return `"${escapeText(shortened(text, LONGEST_SHOWN))}"`
}

const MOST_ROWS = 5

/** `2 values in rows 3 and 8`: rows are counted from 1 below the header, without empty ones. */
export function rowsText(rows: readonly number[], what: string): string {
  const shown = rows.slice(0, MOST_ROWS).map((row) => String(row + 1))
  const place = rows.length === 1 ? `row ${shown[0]}` : `rows ${listText(shown, MOST_ROWS)}`
  const more = rows.length > MOST_ROWS ? ' …' : ''
  return `${plural(rows.length, what)} (${place}${more})`
}
