import { open } from 'node:fs/promises'
import { type FileMetaData, parquetMetadata } from 'hyparquet'
import { listText } from '../../base/text/amount-text.ts'
import { cutToBytes } from '../../base/text/fit-text.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'

/** Larger footers are left to the reader of the whole file; a column of a row group takes a few hundred bytes. */
const MAX_FOOTER_BYTES = 16 << 20
const MAX_NAME_BYTES = 100

/**
 * Refuses a file that says in its footer that it has no columns, or that columns are encrypted.
 *
 * A file with encrypted columns may have a footer that everybody can read (Parquet Modular Encryption, "plaintext
 * footer"): it looks like any other, and the pages of those columns look like damage. A footer that cannot be read is
 * left to the reader of the whole file.
 *
 * @throws {UnreadableFileError}
 */
export async function refuseByFooter(path: string): Promise<void> {
  const metadata = await readFooter(path)
  if (metadata === null) return
  const { schema, row_groups: groups } = metadata
  // Only the root.
  if (schema.length === 1) {
    throw new UnreadableFileError(
      'The Parquet file has no columns. Check what was written into it, and write it again with the columns of the table.',
    )
  }
  const encrypted = new Set<string>()
  for (const { columns } of groups) {
    for (const [i, column] of columns.entries()) {
      if (column.crypto_metadata === undefined && column.encrypted_column_metadata === undefined) continue
      encrypted.add(column.meta_data?.path_in_schema.join('.') ?? leafNames(metadata)[i] ?? `column ${i + 1}`)
    }
  }
  if (encrypted.size === 0) return
  const names = [...encrypted].map((name) => `"${cutToBytes(name, MAX_NAME_BYTES)}"`)
  throw new UnreadableFileError(
    `The Parquet file has encrypted columns: ${listText(names, 5)}. Write it without encryption, or without these columns, and send it again.`,
  )
}

/** Null where it is too large or damaged. */
async function readFooter(path: string): Promise<FileMetaData | null> {
  const bytes = await footerBytes(path)
  if (bytes === null) return null
  try {
    return parquetMetadata(bytes, { geoparquet: false })
  } catch {
    // Damage has no error of its own in the library.
    return null
  }
}

async function footerBytes(path: string): Promise<Buffer | null> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const end = Buffer.alloc(8)
    if (size < 12 || (await file.read(end, 0, 8, size - 8)).bytesRead < 8) return null
    const length = end.readUInt32LE(0) + 8
    if (length > Math.min(size, MAX_FOOTER_BYTES)) return null
    const footer = Buffer.alloc(length)
    await file.read(footer, 0, length, size - length)
    return footer
  } finally {
    await file.close()
  }
}

/** Names of the columns in the order of a row group's chunks. */
function leafNames({ schema }: FileMetaData): string[] {
  return schema.filter(({ num_children: children }, i) => i > 0 && (children ?? 0) === 0).map(({ name }) => name)
}
