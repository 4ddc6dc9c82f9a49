import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/formats/read-table.ts'
import { UnreadableFileError } from '../../src/formats/reading/unreadable-file-error.ts'
import { type XlsEncryption, xlsBytes } from './ole-bytes.ts'
import { readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
const HEADER = ['age', 'score']
const ROWS = Array.from({ length: 60 }, (_, i) => [18 + (i % 40), i / 2])

async function refusal(bytes: Uint8Array): Promise<string> {
  const error = await readTable(folder.write('book.xls', bytes), { tempDir: folder.path }).catch(
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(UnreadableFileError)
  return (error as UnreadableFileError).detail
}

describe('an .xls workbook with a password', () => {
  it('is read when it is saved without the password', async () => {
    const table = await readTable(folder.write('book.xls', xlsBytes(HEADER, ROWS)), { tempDir: folder.path })
    expect(table.rowCount).toBe(60)
    expect(readColumn(table, 'score').slice(0, 3)).toEqual([0, 0.5, 1])
  })

  it.each([
    ['xor', 'XOR obfuscation'],
    ['rc4', 'RC4 with 40 bits'],
    ['rc4-cryptoapi', 'RC4 by the CryptoAPI'],
  ] satisfies [XlsEncryption, string][])('is refused by name: %s', async (encryption, named) => {
    for (const isWriteProtected of [false, true]) {
      expect(await refusal(xlsBytes(HEADER, ROWS, encryption, isWriteProtected))).toBe(
        `The workbook is encrypted with a password (${named}). Save it without a password, or export CSV. ` +
          'If Excel opens it without asking for one, switch off the protection of the workbook before you save.',
      )
    }
  })

  it('is read when it is only write-protected', async () => {
    const bytes = xlsBytes(HEADER, ROWS, null, true)
    expect((await readTable(folder.write('book.xls', bytes), { tempDir: folder.path })).rowCount).toBe(60)
  })
})

it('a large .xlsx workbook with a password is recognized wherever its directory lies', async () => {
  const cells = Array.from({ length: 9_000 }, (_, i) => [
    `answer ${(i * 7_919) % 100_003}`,
    i,
    (i * 31) % 977,
    `${i * i}`,
  ])
  const bytes = await writeXlsx({
    sheets: [{ name: 'Data', rows: [['a', 'b', 'c', 'd'], ...cells] }],
    encryption: { password: 'x', spinCount: 1_000 },
  })
  expect(bytes.length).toBeGreaterThan(3 * 65_536)
  expect(await refusal(bytes)).toBe('The workbook has a password. Save it without a password, or export CSV.')
})

const shared = resolve(import.meta.dirname, '../../../shared/data/formats/excel/Absenteeism_at_work.xls')

it.skipIf(!existsSync(shared))('a workbook of Excel to which an encryption record is added is refused', async () => {
  const bytes = readFileSync(shared)
  const bof = bytes.indexOf(Buffer.from([0x09, 0x08, 0x10, 0x00, 0x00, 0x06, 0x05, 0x00]))
  expect(bof % 512).toBe(0)
  const filePass = Buffer.from([0x2f, 0x00, 0x06, 0x00, 0x00, 0x00, 0x0a, 0x9a, 0xe7, 0x83])
  filePass.copy(bytes, bof + 20)
  expect(await refusal(bytes)).toMatch(/^The workbook is encrypted with a password \(XOR obfuscation\)\./)
})
