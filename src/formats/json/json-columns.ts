import { nameColumns } from '../columns/column-names.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import type { JsonRecord } from './json-records.ts'
import { type CellKind, takeCells } from './record-cells.ts'

/** As many as a sheet may have. */
const MAX_COLUMNS = 5_000

/** A name in the records, with what they have under it. */
export interface JsonColumn {
  /** Unique in the file: `address.city` of a record within a record. */
  readonly name: string
  readonly kinds: ReadonlySet<CellKind>
  /** Whether it is a name of a record within the records. */
  readonly isPart: boolean
  /** Its place, from 0. */
  readonly at: number
}

/** The columns of the records by their names, in the sequence in which the file first has them. */
export class JsonColumns {
  readonly #columns = new Map<string, { readonly path: readonly string[]; readonly kinds: Set<CellKind> }>()
  #records = 0

  get records(): number {
    return this.#records
  }

  add(record: JsonRecord): void {
    this.#records++
    takeCells(record, (path, kind) => {
      const key = keyOf(path)
      const known = this.#columns.get(key)
      if (known !== undefined) known.kinds.add(kind)
      else {
        if (this.#columns.size === MAX_COLUMNS) throw tooMany(record)
        this.#columns.set(key, { path, kinds: new Set([kind]) })
      }
    })
  }

  /** By key, in sequence, with the notes about their names. */
  named(): { readonly columns: ReadonlyMap<string, JsonColumn>; readonly notes: readonly string[] } {
    const { names, notes } = nameColumns([...this.#columns.values()].map(({ path }) => path.join('.')))
    const columns = [...this.#columns].map(
      ([key, { path, kinds }], at) => [key, { name: names[at]!, kinds, isPart: path.length > 1, at }] as const,
    )
    return { columns: new Map(columns), notes }
  }
}

/** Names may hold points themselves. */
export const keyOf = (path: readonly string[]): string => (path.length === 1 ? path[0]! : JSON.stringify(path))

function tooMany({ number }: JsonRecord): UnreadableFileError {
  return new UnreadableFileError(
    `The records have more than ${MAX_COLUMNS} different names by record ${number}. ` +
      'A name stands for a column: write the same names in each record.',
  )
}
