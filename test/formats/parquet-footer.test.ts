import { createCipheriv } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/formats/read-table.ts'
import { UnreadableFileError } from '../../src/formats/reading/unreadable-file-error.ts'
import { readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'
import { binary, i32, i64, list, struct, type Thrift } from './thrift-bytes.ts'

const folder = tempFolder()
const NUMBERS = Array.from({ length: 60 }, (_, i) => i % 7)

async function refusal(path: string): Promise<string> {
  const error = await readTable(path, { tempDir: folder.path }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UnreadableFileError)
  return (error as UnreadableFileError).detail
}

/**
 * A file with columns of whole numbers, of which some are encrypted (Parquet Modular Encryption, AES_GCM_V1, footer in
 * plain text): every page header and page is a module of length, nonce, ciphertext and tag.
 */
function parquet(columns: readonly { readonly name: string; readonly key: 'none' | 'footer' | 'column' }[]): Buffer {
  const chunks: Buffer[] = []
  const metas: Thrift[] = []
  let at = 4
  for (const { name, key } of columns) {
    const data = Buffer.alloc(4 * NUMBERS.length)
    for (const [i, value] of NUMBERS.entries()) data.writeInt32LE(value, 4 * i)
    const page = struct([
      [1, i32(NUMBERS.length)],
      [2, i32(0)],
      [3, i32(3)],
      [4, i32(3)],
    ])
    const body = key === 'none' ? data : sealed(data)
    const header = struct([
      [1, i32(0)],
      [2, i32(data.length)],
      [3, i32(body.length)],
      [5, page],
    ]).bytes
    const chunk = Buffer.concat([key === 'none' ? header : sealed(header), body])
    const meta = struct([
      [1, i32(1)],
      [2, list(5, [i32(0), i32(3)])],
      [3, list(8, [binary(name)])],
      [4, i32(0)],
      [5, i64(NUMBERS.length)],
      [6, i64(chunk.length)],
      [7, i64(chunk.length)],
      [9, i64(at)],
    ])
    // ColumnCryptoMetaData: 1 = with the footer's key, 2 = with a key of the column.
    const crypto = key === 'footer' ? struct([[1, struct([])]]) : struct([[2, struct([[1, list(8, [binary(name)])]])]])
    metas.push(
      struct([
        [2, i64(at)],
        [3, meta],
        ...(key === 'none' ? [] : ([[8, crypto]] as const)),
        ...(key === 'column' ? ([[9, sealedText(meta.bytes)]] as const) : []),
      ]),
    )
    chunks.push(chunk)
    at += chunk.length
  }
  const schema = [
    struct([
      [4, binary('schema')],
      [5, i32(columns.length)],
    ]),
    ...columns.map(({ name }) =>
      struct([
        [1, i32(1)],
        [3, i32(0)],
        [4, binary(name)],
      ]),
    ),
  ]
  const group = struct([
    [1, list(12, metas)],
    [2, i64(at - 4)],
    [3, i64(NUMBERS.length)],
  ])
  const isEncrypted = columns.some(({ key }) => key !== 'none')
  const footer = struct([
    [1, i32(2)],
    [2, list(12, schema)],
    [3, i64(NUMBERS.length)],
    [4, list(12, columns.length === 0 ? [] : [group])],
    // EncryptionAlgorithm: AES_GCM_V1.
    ...(isEncrypted ? ([[8, struct([[1, struct([])]])]] as const) : []),
  ]).bytes
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.length)
  return Buffer.concat([Buffer.from('PAR1'), ...chunks, footer, length, Buffer.from('PAR1')])
}

function sealed(bytes: Buffer): Buffer {
  const nonce = Buffer.alloc(12, 5)
  const cipher = createCipheriv('aes-128-gcm', Buffer.alloc(16, 3), nonce)
  const text = Buffer.concat([cipher.update(bytes), cipher.final()])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(12 + text.length + 16)
  return Buffer.concat([length, nonce, text, cipher.getAuthTag()])
}

function sealedText(bytes: Buffer): Thrift {
  const content = sealed(bytes)
  return { type: 8, bytes: Buffer.concat([Buffer.from([(content.length & 127) | 128, content.length >> 7]), content]) }
}

describe('a Parquet file with a footer in plain text', () => {
  it('is read if nothing in it is encrypted', async () => {
    const path = folder.write(
      'plain.parquet',
      parquet([
        { name: 'age', key: 'none' },
        { name: 'score', key: 'none' },
      ]),
    )
    const table = await readTable(path, { tempDir: folder.path })
    expect(readColumn(table, 'score')).toEqual(NUMBERS)
  })

  it.each(['footer', 'column'] as const)(
    'is refused with the names of its encrypted columns: by the key of the %s',
    async (key) => {
      const columns = [
        { name: 'age', key: 'none' as const },
        { name: 'income', key },
        { name: 'postcode', key },
      ]
      expect(await refusal(folder.write(`${key}.parquet`, parquet(columns)))).toBe(
        'The Parquet file has encrypted columns: "income", "postcode". Write it without encryption, or without these columns, and send it again.',
      )
    },
  )
})

it('a Parquet file without columns is refused as such', async () => {
  expect(await refusal(folder.write('none.parquet', parquet([])))).toBe(
    'The Parquet file has no columns. Check what was written into it, and write it again with the columns of the table.',
  )
})

it('a footer that claims a wrong length is reported as damage, not as encryption', async () => {
  const bytes = parquet([{ name: 'age', key: 'none' }])
  bytes.writeUInt32LE(bytes.length * 2, bytes.length - 8)
  expect(await refusal(folder.write('long.parquet', bytes))).toMatch(/damaged or was cut short/)
})

const shared = resolve(import.meta.dirname, '../../../shared/data/formats/parquet/encrypted_footer_pare.parquet')

it.skipIf(!existsSync(shared))('a file with an encrypted footer is refused as such', async () => {
  expect(await refusal(shared)).toBe(
    'The Parquet file is encrypted, its list of columns included. Write it without encryption and send it again.',
  )
})
