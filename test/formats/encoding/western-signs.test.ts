import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../../src/base/raw-table.ts'
import { readTable } from '../../../src/formats/read-table.ts'
import { UnreadableFileError } from '../../../src/formats/reading/unreadable-file-error.ts'
import { columnOf } from '../read-column.ts'
import { tempFolder } from '../temp-folder.ts'

const folder = tempFolder()
let files = 0

const read = async (bytes: Uint8Array): Promise<RawTable> =>
  readTable(folder.write(`signs-${files++}.csv`, bytes), { tempDir: folder.path })

/** A table whose answers are these texts in turn. */
const table = (answers: readonly string[]) =>
  `id,answer,score\n${Array.from({ length: 40 }, (_, i) => `${i},"${answers[i % answers.length]}",${i % 6}`).join('\n')}\n`

async function answersOf(bytes: Uint8Array): Promise<readonly string[]> {
  const column = columnOf(await read(bytes), 'answer')
  return 'dictionary' in column ? column.dictionary : []
}

/** Texts of surveys in English, most of which only have signs beyond ASCII. */
const ENGLISH: readonly (readonly [string, readonly string[]])[] = [
  ['apostrophes', ['I can’t say', 'Nobody’s business', 'We’ll see', 'no']],
  ['ages', ['16–19', '20–29', '30–39', 'over 39']],
  ['amounts', ['up to £9,999', '£10,000–£29,999', '£30,000 or more']],
  ['dashes between words', ['Maybe – not sure', 'Yes — at once']],
  ['dashes without blanks', ['never—ever', 'always—really']],
  ['quotes', ['“so so”', 'fine', '‘good’']],
  ['bullets', ['• red', '• blue']],
  ['degrees', ['15 °C', '35 °C', '5 °C']],
  ['degrees of two scales', ['15 °C', '59 °F']],
  ['squares', ['under 45 m²', '45 m² or more']],
  ['parts of an hour', ['½ hour', '¾ hour', 'an hour']],
  ['tolerances', ['x ± 3 sd', 'mean ± se']],
  ['products', ['3 × 5', '6 × 9']],
  ['ordinals', ['1º', '2º', '5ª']],
  ['units behind such a blank', ['15\u00a0kg', '35\u00a0%', '7\u00a0€']],
  ['signs behind such a blank', ['Oui\u00a0!', 'Non']],
  ['cents', ['50¢', '75¢']],
  ['per mille', ['5‰', '7\u00a0‰']],
  ['trade marks', ['Colour®', 'Taste™']],
  ['a word from French', ['naïve', 'sceptical']],
  ['another one', ['fiancée', 'friend']],
]

describe.each([
  // In Mac Roman the first are valid UTF-8, and the second have a quotation mark.
  [
    'windows-1252',
    [
      ...ENGLISH,
      ['degrees behind a blank that does not break', ['15\u00a0°C', '35\u00a0°C']],
      ['an acute for an apostrophe', ['don´t', 'I´m', 'no']],
    ] as const,
  ],
  [
    'macintosh',
    ENGLISH.filter(([, texts]) => iconv.decode(iconv.encode(texts.join(), 'macintosh'), 'macintosh') === texts.join()),
  ],
])('texts in English with a few signs, in %s', (encoding, cases) => {
  it.each(cases)('are read as written: %s', async (_, texts) => {
    const bytes = iconv.encode(table(texts), encoding)
    expect(await answersOf(bytes)).toEqual(await answersOf(Buffer.from(table(texts))))
  })
})

describe('a tie', () => {
  it.each([
    ['provinces', ['Ávila', 'Cádiz', 'Lérida', 'Orense', 'A Coruña', 'Castellón', 'Jaén', 'Álava', 'Málaga', 'León']],
    ['a country', ['België', 'Nederland']],
  ])('goes to Windows-1252, and a note names the others: %s', async (_, texts) => {
    const read1252 = await read(iconv.encode(table(texts), 'windows-1252'))
    expect(read1252.notes[0]).toMatch(
      /^The text was read as Windows-1252, but its bytes fit windows-125[07].* as well\./,
    )
    const column = columnOf(read1252, 'answer')
    expect('dictionary' in column && [...column.dictionary].sort()).toEqual([...texts].sort())
  })

  it('does not take letters from other languages', async () => {
    for (const [encoding, texts] of [
      ['windows-1250', ['muž', 'žena', 'nevím', 'středoškolské']],
      ['windows-1257', ['visiškai sutinku', 'vidurinis', 'aukštasis', 'nežinau']],
      ['koi8-r', ['мужской', 'женский', '3 в неделю']],
      ['big5', ['男', '女']],
      ['gb18030', ['高中', '大学', '20 岁']],
      ['shift_jis', ['18歳', '30歳以上', '東京']],
      ['euc-kr', ['남성', '여성']],
    ] as const) {
      const expected = await answersOf(Buffer.from(table(texts)))
      expect(await answersOf(iconv.encode(table(texts), encoding)), encoding).toEqual(expected)
    }
  })
})

describe('two stray bytes', () => {
  const rows = '1,2,3\n'.repeat(30)
  const withHeader = (header: readonly number[], body = rows) =>
    Buffer.concat([Buffer.from(header), Buffer.from(`\n${body}`)])
  const header = [...Buffer.from('id,te'), 0x80, ...Buffer.from('p,co'), 0x80, ...Buffer.from('t')]

  it('in a header refuse no file, and a note says how they were read', async () => {
    const found = await read(withHeader(header))
    expect(found.columns.map(({ name }) => name)).toEqual(['id', 'te€p', 'co€t'])
    expect(found.notes).toEqual([
      'Only 2 bytes of the header are beyond ASCII, too few to recognize an encoding. They were read as Windows-1252. ' +
        `If letters look wrong, declare another encoding in the dataset's entry of the study, such as "encoding: macintosh".`,
    ])
  })

  it('among the answers are refused as before', async () => {
    const body = Buffer.concat([Buffer.from(`id,a,b\n${rows}`), Buffer.from(header), Buffer.from('\n')])
    await expect(read(body)).rejects.toThrow(UnreadableFileError)
  })
})
