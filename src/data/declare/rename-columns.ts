import type { RawTable } from '../../base/raw-table.ts'
import type { Declarations } from '../../study/declarations.ts'
import { DeclarationError, type DeclarationFault, meant, quoted } from './declaration-error.ts'

/** The names that a study gives to columns of its file. */
export class StudyNames {
  readonly #byFile: ReadonlyMap<string, string>
  readonly #byStudy: ReadonlyMap<string, string>

  constructor(columns: Declarations['columns'] = {}) {
    this.#byStudy = new Map(Object.entries(columns))
    this.#byFile = new Map(Object.entries(columns).map(([name, inFile]) => [inFile, name]))
  }

  /** The study's name of a column of the file. */
  of(inFile: string): string {
    return this.#byFile.get(inFile) ?? inFile
  }

  /** The name in the file of a column that a declaration names. */
  inFile(name: string): string {
    return this.#byStudy.get(name) ?? name
  }

  /** The study's name, where a name of the file was written instead of it; null: the study has no other name for it. */
  writtenFor(inFile: string): string | null {
    return this.#byFile.get(inFile) ?? null
  }

  /**
   * The table under the study's names. A column that has no label keeps its name in the file as one: this is often the text
   * of the question.
   *
   * @throws {DeclarationError} when a column does not exist, or two columns would have one name.
   */
  rename(table: RawTable): RawTable {
    if (this.#byStudy.size === 0) return table
    const inFile = new Set(table.columns.map(({ name }) => name))
    const faults: DeclarationFault[] = []
    for (const [column, source] of this.#byStudy) {
      if (!inFile.has(source)) {
        const found = `the file has no column ${quoted(source)}`
        faults.push({ key: 'columns', column, found, advice: meant(source, inFile) })
      } else if (source !== column && inFile.has(column) && !this.#byFile.has(column)) {
        const found = 'the file has another column of this name'
        faults.push({ key: 'columns', column, found, advice: 'choose another name, or name that column as well' })
      }
    }
    if (faults.length > 0) throw new DeclarationError(faults)
    const columns = table.columns.map((column) => {
      const name = this.of(column.name)
      return name === column.name ? column : { ...column, name, label: column.label ?? column.name }
    })
    return { ...table, columns }
  }
}
