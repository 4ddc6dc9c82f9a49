import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../src/base/raw-table.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { UnreadableFileError } from '../../src/formats/reading/unreadable-file-error.ts'
import { checkConsistency, readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()

async function read(bytes: string | Uint8Array): Promise<RawTable | UnreadableFileError> {
  try {
    return await readTable(folder.write('any.csv', bytes), { tempDir: folder.path, threads: 1 })
  } catch (error) {
    if (error instanceof UnreadableFileError) return error
    throw error
  }
}

const piece = fc.constantFrom(
  ...['a', 'b', '1', '2', '0', ',', ',', ',', ';', '"', '"', "'", '\n', '\n', '\r\n', '\r', '\t', '|', ' ', '\0', 'é'],
  ...['.', '-', '/', 'x y', 'NA', '2020-01-01', '1.5', '\ufeff', '\\', '\u00a0', '""', '1,5', '007', 'true'],
)
const scraps = fc.array(piece, { maxLength: 50 }).map((pieces) => pieces.join(''))

describe('a file of any bytes', () => {
  it('gives a consistent table or a refusal in words, never a crash', async () => {
    const bytes = fc.oneof(
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
      { weight: 2, arbitrary: scraps.map((text) => Buffer.from(text)) },
      { weight: 4, arbitrary: scraps.map((text) => Buffer.from(`h,k\n1,x\n2,y\n3,z\n${text}`)) },
      { weight: 1, arbitrary: scraps.map((text) => Buffer.from(`h;k\n1;x\n${text}`, 'latin1')) },
      { weight: 1, arbitrary: scraps.map((text) => Buffer.from(`\ufeffh\tk\n1\tx\n${text}`, 'utf16le')) },
    )
    await fc.assert(
      fc.asyncProperty(bytes, async (content) => {
        const result = await read(content)
        if (result instanceof UnreadableFileError) expect(result.detail).toMatch(/^[A-Z\d].*\.$/s)
        else checkConsistency(result)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a table of any texts', () => {
  const cell = fc.oneof(
    fc.constantFrom(
      '',
      'plain',
      'with "quotes"',
      'a,b',
      'two\nlines',
      'mac\rline',
      'crlf\r\nline',
      "it's",
      '=SUM(A1)',
      'ünï',
      '🦆',
    ),
    fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !text.includes('\0')),
  )
  const tables = fc
    .tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 1, max: 12 }))
    .chain(([width, rows]) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: rows, maxLength: rows }),
    )

  it.each([
    { delimiter: ',', lineEnd: '\n' },
    { delimiter: ',', lineEnd: '\r\n' },
    { delimiter: ';', lineEnd: '\n' },
    { delimiter: '\t', lineEnd: '\r\n' },
  ])(
    'written in quotes with $delimiter and $lineEnd is read cell by cell',
    async ({ delimiter, lineEnd }) => {
      await fc.assert(
        fc.asyncProperty(tables, async (rows) => {
          // The first column keeps rows from being empty and the file from looking like one column of text.
          const named = rows.map((row, i) => [`row ${i}`, ...row.map((text) => `${text}x`)])
          const header = named[0]!.map((_, i) => `name ${i}`)
          const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
          const file = [header, ...named].map((row) => row.map(quoted).join(delimiter) + lineEnd).join('')
          const table = await read(file)
          if (table instanceof UnreadableFileError) throw table
          checkConsistency(table)
          expect(table.rowCount).toBe(rows.length)
          for (const [i, name] of header.entries()) {
            const expected = named.map((row) => row[i]!.replace(/^[\s\ufeff]+|[\s\ufeff]+$/g, ''))
            expect(readColumn(table, name).map(String)).toEqual(expected)
          }
        }),
        { numRuns: 8 },
      )
    },
    60_000,
  )
})
