import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../src/formats/raw-table.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { UnreadableFileError } from '../../src/formats/unreadable-file-error.ts'
import { checkConsistency } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const shared = resolve(import.meta.dirname, '../../../shared/data')
const folder = tempFolder()

interface Indexed {
  readonly name: string
  readonly format: string
  readonly expected: {
    readonly accept: boolean | 'either'
    readonly rows: number | null
    readonly columns: number | null
    readonly also_acceptable?: readonly { readonly rows: number; readonly columns: number }[]
  }
}

function index(path: string): Indexed[] {
  const file = resolve(shared, path, 'index.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { files: Indexed[] }).files : []
}

async function read(path: string): Promise<RawTable | UnreadableFileError> {
  try {
    return await readTable(path, { tempDir: folder.path })
  } catch (error) {
    if (error instanceof UnreadableFileError) return error
    throw error
  }
}

/** Files of which "either" is expected, and what this reader decides. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'nullpadding.csv': /different numbers of fields/,
  'bad.csv': /1 row of 4 has more fields than the 3 of the header \(line 2\)/,
  'hadoop_lz4_compressed.parquet': /LZ4/,
  'invalid_utf8_dictionary.parquet': /not UTF-8/,
  'hotel-encrypted.sav': /with a password\. Save it without/,
  'pass_protected.xlsx': /password/,
  'empty-sheets.xlsx': /header but no rows/,
  // Text by its content, whatever its name says.
  'too_small.xls': /header but no rows/,
}

/** Files that are read in another way than by those who wrote the index, for a reason. */
const OTHERWISE: Readonly<Record<string, { readonly rows: number; readonly columns: number }>> = {
  // No header row: its first row is a date and a number, as all others are.
  'date_1904.xlsx': { rows: 3, columns: 2 },
  // No header row either; the index has no numbers. One of the rows is empty.
  'any_sheets.xlsb': { rows: 5, columns: 2 },
}

describe
  .skipIf(!existsSync(shared))
  .each(['formats/csv', 'formats/parquet', 'formats/excel', 'formats/sav', 'surveys'])(
  'files that others wrote: %s',
  (path) => {
    const files = index(path)

    it.each(files)('$name is read as others read it, or refused in words', async ({ name, expected }) => {
      const result = await read(resolve(shared, path, name))
      const refusal = REFUSED[name]
      if (expected.accept === false || refusal !== undefined) {
        expect(expected.accept).not.toBe(true)
        expect(result).toBeInstanceOf(UnreadableFileError)
        expect((result as UnreadableFileError).detail).toMatch(refusal ?? /./)
        return
      }
      if (result instanceof UnreadableFileError) throw result
      checkConsistency(result)
      const found = {
        rows: result.rowCount + result.droppedRows.empty + result.droppedRows.repeatedHeader,
        columns: result.columns.length + (result.skippedColumns ?? []).length,
      }
      const otherwise = OTHERWISE[name]
      if (otherwise !== undefined) {
        expect(expected.accept).toBe('either')
        expect(found).toEqual(otherwise)
        return
      }
      const { rows, columns, also_acceptable = [] } = expected
      expect([
        { rows, columns },
        ...also_acceptable.map((also) => ({ rows: also.rows, columns: also.columns })),
      ]).toContainEqual(found)
    })
  },
)
