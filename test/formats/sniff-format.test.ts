import { describe, expect, it } from 'vitest'
import { sniffFormat } from '../../src/formats/reading/sniff-format.ts'
import { UnreadableFileError } from '../../src/formats/reading/unreadable-file-error.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
const bytes = (...parts: (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))

describe('a file is recognized by its content', () => {
  it.each([
    ['csv', bytes('a,b\n1,2\n')],
    ['csv', bytes('a\tb\n1\t2\n')],
    ['csv', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le')],
    ['csv', Buffer.from('a,b\n1,2\n', 'utf16le')],
    ['csv', bytes('PAR1,PAR2\n1,2\n')],
    ['csv', bytes('ORCID,GIF89\n1,2\n')],
    ['csv', bytes('caf\xe9;na\xefve\n1;2\n')],
    ['parquet', bytes('PAR1', [0, 1, 2, 0, 0, 0, 3, 4], 'PAR1')],
    ['arrow', bytes('ARROW1', [0, 0, 255, 255, 0, 0, 1, 2])],
    ['xlsx', bytes('PK\x03\x04', 'xl/worksheets/sheet1.xml')],
    ['xlsb', bytes('PK\x03\x04', 'xl/workbook.bin')],
    ['xls', bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0])],
    ['sav', bytes('$FL2@(#) SPSS')],
    ['zsav', bytes('$FL3@(#) SPSS')],
  ])('as %s', async (format, content) => {
    expect(await sniffFormat(folder.write('misleading.pdf', content))).toBe(format)
  })
})

describe('a file is refused in words', () => {
  it.each([
    ['empty', bytes(''), /empty/],
    ['a PDF', bytes('%PDF-1.7\n'), /PDF document/],
    ['a PNG', bytes('\x89PNG\r\n\x1a\n', [0, 0, 0]), /PNG image/],
    ['gzip', bytes([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), /gzip; unpack it first/],
    ['a zip', bytes('PK\x03\x04', [0, 0], 'data.csv'), /zip archive; unpack it first/],
    ['a Word document', bytes('PK\x03\x04', [0, 0], 'word/document.xml'), /Word document/],
    ['a login page', bytes('\n<!DOCTYPE html><html>'), /web page/],
    ['encrypted Parquet', bytes('PARE', [0, 1, 0, 0], 'PARE'), /encrypted/],
    ['encrypted SPSS', bytes([0x1c, 0, 0, 0, 0, 0, 0, 0], 'ENCRYPTEDSAV'), /password/],
    ['random bytes', bytes([1, 2, 3, 0, 5, 6, 0, 0, 9, 200]), /neither text nor/],
  ])('%s', async (_, content, detail) => {
    const error = await sniffFormat(folder.write('data.csv', content)).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UnreadableFileError)
    expect((error as UnreadableFileError).detail).toMatch(detail)
  })
})
