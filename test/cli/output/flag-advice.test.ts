import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import iconv from 'iconv-lite'
import { afterAll, describe, expect, it } from 'vitest'
import { flagAdvice } from '../../../src/cli/output/flag-advice.ts'
import { readTable } from '../../../src/formats/read-table.ts'
import { UnreadableFileError } from '../../../src/formats/reading/unreadable-file-error.ts'

const folder = mkdtempSync(join(tmpdir(), 'whatif-advice-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What readers say of a file: the notes of its table, or why it is refused. */
async function messagesOn(bytes: Uint8Array, options: { encoding?: string } = {}): Promise<readonly string[]> {
  const path = join(folder, 'table.csv')
  writeFileSync(path, bytes)
  try {
    return (await readTable(path, { tempDir: folder, ...options })).notes
  } catch (error) {
    if (error instanceof UnreadableFileError) return [error.detail]
    throw error
  }
}

const answers = (...texts: readonly string[]) =>
  `id,answer\n${Array.from({ length: 40 }, (_, i) => `${i},${texts[i % texts.length]}`).join('\n')}\n`
const rows = Array.from({ length: 9 }, (_, i) => `${20 + i},${i % 4},town ${i}`).join('\n')

describe('a message on the reading of a file without a study names the option', () => {
  it.each<[string, Uint8Array, { encoding?: string }, string]>([
    [
      'a recognized encoding',
      iconv.encode(answers('José', 'Zoë', 'Björk'), 'windows-1252'),
      {},
      'If letters look wrong, pass another encoding, such as --encoding windows-1250.',
    ],
    [
      'an encoding that is likelier than another one',
      iconv.encode(answers('België', 'Nederland'), 'windows-1252'),
      {},
      'If letters look wrong, pass --encoding windows-1257.',
    ],
    [
      'encodings that fit alike',
      iconv.encode(answers('أنثى', 'none'), 'windows-1256'),
      {},
      'Pass the right one, such as --encoding windows-1256, or save the file as UTF-8.',
    ],
    [
      'no encoding that fits',
      Buffer.from(answers('a\xb2B', 'a\xe7B', 'a\x9cB', 'a\xd1B', 'a\x86B', 'a\xbbB', 'a\xf0B'), 'latin1'),
      {},
      'Save the file as UTF-8, or pass its encoding, such as --encoding ibm866.',
    ],
    [
      'a code page of DOS',
      iconv.encode(answers('Männer', 'Frauen', 'früher', 'möglich'), 'cp850'),
      {},
      'If it has another encoding, pass it, such as --encoding windows-1252.',
    ],
    [
      'an encoding that is not that of the file',
      iconv.encode(answers('мужской', 'женский'), 'windows-1251'),
      { encoding: 'utf-8' },
      'Correct --encoding, or leave it out to have the encoding recognized.',
    ],
    ['a file that is no text', Buffer.from('PAR1\0\0\0\0\0\0PAR1'), { encoding: 'latin1' }, 'Leave out --encoding.'],
    [
      'a row that may belong to the header',
      Buffer.from(`age,children,town\nin years,below 18,of residence\n${rows}\n`),
      {},
      'If it belongs to the header, pass --header-rows 2.',
    ],
    [
      'a header of two rows',
      Buffer.from(`age,children,town\nHow old?,How many?,Where?\n${rows}\n`),
      {},
      'This was inferred from their texts; --header-rows 2 would say so. If row 2 is data, pass --header-rows 1.',
    ],
  ])('on %s', async (_, bytes, options, advice) => {
    const messages = (await messagesOn(bytes, options)).map(flagAdvice)
    expect(messages.join('\n')).toContain(advice)
    expect(messages.join('\n')).not.toContain('of the study')
  })

  it.each([
    'Row 3 looks like a second header, but there is no other one there.',
    'Column "encoding" has one answer or none. Remove it from the study there.',
    '`weight`: declare another column in the study.',
  ])('and no other message changes: %s', (message) => {
    expect(flagAdvice(message)).toBe(message)
  })
})
