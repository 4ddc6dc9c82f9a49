import type { RawTable } from '../../src/base/raw-table.ts'

export interface TableShape {
  /** Rows of the file, with those that a reader drops because they are empty or repeat the header. */
  readonly rows: number
  /** Columns of the file, with those that cannot be modelled. */
  readonly columns: number
}

export interface SharedFile {
  readonly name: string
  readonly path: string
  readonly expected: {
    readonly accept: boolean | 'either'
    readonly rows: number | null
    readonly columns: number | null
    readonly also_acceptable?: readonly TableShape[]
  }
}

/** Folders of files with an index, below the shared data. */
export const SHARED_FOLDERS: readonly string[]

/** The files of a folder's index; none where the shared data are not there. */
export function sharedFiles(folder: string): readonly SharedFile[]

export function tableShape(table: RawTable): TableShape

/** What a file should give, in words, and whether it gave that. */
export function checkReading(
  file: SharedFile,
  reading: TableShape | { readonly refused: string },
): { readonly expected: string; readonly isMet: boolean }

/** `176 x 48`. */
export function shapeText(shape: TableShape): string
