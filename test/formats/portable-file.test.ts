import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/formats/read-table.ts'
import { readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()

const REFUSAL =
  'The file is an SPSS portable file (.por), which cannot be read. Open it in SPSS, or in the free PSPP, and save it as .sav.'

async function refusal(bytes: Buffer): Promise<string> {
  // The name says nothing.
  const path = folder.write('table.csv', bytes)
  const error = await readTable(path, { tempDir: folder.path }).catch((thrown: unknown) => thrown)
  return (error as { detail: string }).detail
}

const field = (text: string) => text.padEnd(40)

/** A small file as PSPP writes it: the same name five times, the table of characters, then the dictionary and data. */
const TABLE =
  '0'.repeat(64) +
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz .<(+|&[]!$*);^-/|,%_>?`:$@\'="000000~-00001234567890' +
  '00-()0{}\\'
const PORTABLE =
  field('ASCII SPSS PORT FILE').repeat(5) +
  TABLE.padEnd(256, '0') +
  'SPSSPORTA8/202611236/22545' +
  '21/6/GNU pspp  - 1.6.2' +
  '41/5G/70/1/V5/0/0/5/8/0/5/8/0/F1/2/3/Z'
const lines = (text: string, end: string) =>
  (text.match(/.{1,80}/gs) ?? []).map((line) => line.padEnd(80, 'Z') + end).join('')

/** In EBCDIC, as mainframes write it. */
const CODES = new Map<string, number>([
  [' ', 0x40],
  ...[...'ABCDEFGHI'].map((letter, i): [string, number] => [letter, 0xc1 + i]),
  ...[...'JKLMNOPQR'].map((letter, i): [string, number] => [letter, 0xd1 + i]),
  ...[...'STUVWXYZ'].map((letter, i): [string, number] => [letter, 0xe2 + i]),
  ...[...'0123456789'].map((digit, i): [string, number] => [digit, 0xf0 + i]),
])
const ebcdic = (text: string) => Buffer.from([...text].map((character) => CODES.get(character) ?? 0x6f))

describe('an SPSS portable file is refused by its name, with a remedy', () => {
  it.each([
    ['as PSPP writes it', Buffer.from(lines(PORTABLE, '\r\n'))],
    ['with line feeds alone', Buffer.from(lines(PORTABLE, '\n'))],
    [
      'as SPSS writes it, with its name in EBCDIC first',
      Buffer.concat([ebcdic(field('EBCDIC SPSS PORT FILE')), Buffer.from(lines(PORTABLE, '\r\n')).subarray(40)]),
    ],
    [
      'whose lines lost their blanks at the end',
      Buffer.from(
        `${lines(PORTABLE, '\n')
          .split('\n')
          .map((line) => line.trimEnd())
          .join('\n')}`,
      ),
    ],
    ['of a mainframe', ebcdic(PORTABLE)],
    ['cut short', Buffer.from(lines(PORTABLE, '\r\n')).subarray(0, 100)],
  ])('%s', async (_, bytes) => {
    expect(await refusal(bytes)).toBe(REFUSAL)
  })

  it.each([
    ['in its header', 'ASCII SPSS PORT FILE,year\na,1\nb,2\n', 'ASCII SPSS PORT FILE'],
    ['as the header of its only column', 'ASCII SPSS PORT FILE\na\nb\n', 'ASCII SPSS PORT FILE'],
    ['in a cell behind others', `id,what\na,${field('ASCII SPSS PORT FILE')}\nb,x\n`, 'id'],
  ])('but a table with the same words is read: %s', async (_, text, column) => {
    const table = await readTable(folder.write('words.csv', Buffer.from(text)), { tempDir: folder.path })
    expect(readColumn(table, column)).toEqual(['a', 'b'])
  })
})
