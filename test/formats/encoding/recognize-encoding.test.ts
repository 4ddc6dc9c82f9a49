import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../../src/base/raw-table.ts'
import { readTable } from '../../../src/formats/read-table.ts'
import { UnreadableFileError } from '../../../src/formats/reading/unreadable-file-error.ts'
import { readColumn } from '../read-column.ts'
import { tempFolder } from '../temp-folder.ts'

const folder = tempFolder()
let files = 0

async function read(bytes: Uint8Array, encoding?: string): Promise<RawTable> {
  const path = folder.write(`text-${files++}.csv`, bytes)
  return readTable(path, { tempDir: folder.path, ...(encoding === undefined ? {} : { encoding }) })
}

async function refusal(bytes: Uint8Array, encoding?: string): Promise<string> {
  const error = await read(bytes, encoding).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UnreadableFileError)
  return (error as UnreadableFileError).detail
}

/** Answers of surveys in the language, with its own words for the columns. */
const ANSWERS: Record<string, readonly string[]> = {
  pl: ['mężczyzna', 'kobieta', 'zdecydowanie się zgadzam', 'średnie', 'wyższe', 'wieś', 'Łódź', 'trudno powiedzieć'],
  cs: ['muž', 'žena', 'rozhodně souhlasím', 'spíše nesouhlasím', 'středoškolské', 'vzdělání', 'nevím', 'Plzeň'],
  hu: ['férfi', 'nő', 'teljesen egyetértek', 'középfokú', 'felsőfokú', 'nem tudom', 'végzettség', 'Győr'],
  ru: ['мужской', 'женский', 'полностью согласен', 'среднее', 'высшее', 'не знаю', 'образование', 'Казань'],
  uk: ['чоловік', 'жінка', 'цілком згоден', 'середня', 'вища', 'не знаю', 'освіта', 'Львів'],
  es: ['mujer', 'hombre', 'muy de acuerdo', 'educación primaria', 'formación profesional', 'no sé', 'años', 'Málaga'],
  de: ['männlich', 'weiblich', 'stimme überhaupt nicht zu', 'weiß nicht', 'Universität', 'häufig', 'größer', 'Köln'],
  fr: ['homme', 'femme', 'tout à fait d’accord', 'ne sait pas', 'études supérieures', 'très souvent', 'âgé', 'Orléans'],
  el: ['άνδρας', 'γυναίκα', 'συμφωνώ απόλυτα', 'λύκειο', 'πανεπιστήμιο', 'δεν ξέρω', 'εκπαίδευση', 'Πάτρα'],
  tr: ['erkek', 'kadın', 'kesinlikle katılıyorum', 'ilköğretim', 'üniversite', 'bilmiyorum', 'yaş', 'İzmir'],
  ar: ['ذكر', 'أنثى', 'أوافق بشدة', 'ثانوي', 'جامعي', 'لا أعرف', 'التعليم', 'القاهرة'],
  zh: ['男', '女', '非常同意', '高中', '大学', '不知道', '教育程度', '北京'],
  ja: ['男性', '女性', 'とてもそう思う', '高校', '大学', 'わからない', '学歴', '東京'],
  ko: ['남성', '여성', '매우 동의함', '고등학교', '대학교', '모름', '학력', '서울'],
}

/** Header in the language, three columns of answers beside numbers, as a spreadsheet writes them. */
function survey(language: string, rows: number): string {
  const words = ANSWERS[language]!
  const lines = Array.from({ length: rows }, (_, i) =>
    [i + 1, words[i % 2], words[2 + (i % 3)], words[5 + ((i * 7) % 3)], (i * 37) % 90].join(';'),
  )
  return `${['no', words[6], 'q2', words[7], 'score'].join(';')}\r\n${lines.join('\r\n')}\r\n`
}

const LANGUAGES: readonly (readonly [encoding: string, named: string, languages: readonly string[]])[] = [
  ['windows-1250', 'Windows-1250', ['pl', 'cs', 'hu']],
  ['windows-1251', 'Windows-1251', ['ru', 'uk']],
  ['windows-1252', 'Windows-1252', ['es', 'de', 'fr']],
  ['windows-1253', 'Windows-1253', ['el']],
  ['windows-1254', 'Windows-1254', ['tr']],
  ['windows-1256', 'Windows-1256', ['ar']],
  ['macintosh', 'Mac Roman (macintosh)', ['es', 'de', 'fr']],
  ['gb18030', 'GB18030 (gb18030)', ['zh']],
  ['shift_jis', 'Shift-JIS (shift_jis)', ['ja']],
  ['euc-kr', 'EUC-KR (euc-kr)', ['ko']],
]
const CASES = LANGUAGES.flatMap(([encoding, named, languages]) =>
  languages.map((language) => [encoding, language, named]),
)

describe('the encoding of a survey is recognized and named', () => {
  it.each(CASES as [string, string, string][])('%s, %s', async (encoding, language, named) => {
    const text = survey(language, 60)
    const table = await read(iconv.encode(text, encoding))
    const expected = await read(Buffer.from(text))
    expect(table.columns).toEqual(expected.columns)
    expect(table.notes[0]).toMatch(/^The text (is in|was read as) /)
    expect(table.notes[0]).toContain(named)
    expect(table.notes[0]).toMatch(/declare .*"encoding: [a-z0-9_-]+"/)
  })

  it.each(CASES as [string, string, string][])(
    '%s, %s, by a column of names beside English text',
    async (encoding, language) => {
      const names = ANSWERS[language]!
      const lines = Array.from(
        { length: 200 },
        (_, i) => `${i},${i % 3 === 0 ? 'yes' : 'no'},${names[(i * 5) % 8]},${i % 90}`,
      )
      const text = `id,agrees,answer,score\n${lines.join('\n')}\n`
      expect((await read(iconv.encode(text, encoding))).columns).toEqual((await read(Buffer.from(text))).columns)
    },
  )

  it.each([
    ['little', 'utf16le', 'ru'],
    ['little', 'utf16le', 'zh'],
    ['big', 'utf16be', 'ja'],
    ['big', 'utf16be', 'ar'],
  ])('UTF-16 without a mark, with the %s end first, in %s %s', async (_, encoding, language) => {
    const text = survey(language, 40)
    const table = await read(iconv.encode(text, encoding, { addBOM: false }))
    expect(table.columns).toEqual((await read(Buffer.from(text))).columns)
    expect(table.notes[0]).toBe('The text is in UTF-16.')
  })
})

describe('a large file', () => {
  it('is recognized by a word after its first megabytes, and letters that pieces cut stay whole', async () => {
    const plain = Array.from({ length: 60_000 }, (_, i) => `${i},yes,plain text of row ${i % 97}\n`).join('')
    const cities = Array.from(
      { length: 80_000 },
      (_, i) => `${i},yes,${['서울', '똠방각하', '부산광역시'][i % 3]}\n`,
    ).join('')
    const bytes = iconv.encode(`id,agrees,city\n${plain}${cities}`, 'cp949')
    expect(bytes.length).toBeGreaterThan(3 << 20)
    const table = await read(bytes)
    expect(table.notes).toContainEqual(expect.stringContaining('EUC-KR'))
    expect(table.notes.join()).not.toContain('not readable')
    expect(new Set(readColumn(table, 'city').slice(-3))).toEqual(new Set(['서울', '똠방각하', '부산광역시']))
  })
})

describe('bytes that fit several encodings', () => {
  const words = (...cells: readonly string[]) =>
    Array.from({ length: 60 }, (_, i) => `${i},${cells[i % cells.length]}`).join('\n')

  it('are read as the likelier encoding, and the note names the other one', async () => {
    const table = await read(iconv.encode(`id,name\n${words('año', 'señora', 'no')}\n`, 'windows-1252'))
    expect(readColumn(table, 'name').slice(0, 2)).toEqual(['año', 'señora'])
    expect(table.notes[0]).toMatch(
      /^The text was read as .+, but its bytes fit .+ as well\. If letters look wrong, declare "encoding: /,
    )
  })

  it('are refused when no encoding is likelier, and read as the declared encoding', async () => {
    const bytes = iconv.encode(`id,answer\n${words('أنثى', 'none')}\n`, 'windows-1256')
    const detail = await refusal(bytes)
    expect(detail).toMatch(
      /^The text is not UTF-8, and its bytes fit .*windows-1256.* alike, but each encoding gives other letters\./,
    )
    expect(detail).toMatch(/Declare the right one in the dataset's entry of the study, such as "encoding: [a-z0-9-]+"/)
    const table = await read(bytes, 'windows-1256')
    expect(readColumn(table, 'answer').slice(0, 2)).toEqual(['أنثى', 'none'])
    expect(table.notes[0]).toBe('The text was read as windows-1256, as declared.')
  })

  it('are refused by name in a DOS code page', async () => {
    const bytes = iconv.encode(`id,name\n${words('Männer', 'Frauen', 'früher', 'möglich')}\n`, 'cp850')
    expect(await refusal(bytes)).toMatch(
      /^The text seems to be in the DOS code page (437|850|852), which cannot be read\./,
    )
  })

  it('are refused when they are text in no encoding', async () => {
    const noise = Array.from({ length: 40 }, (_, i) => `a${String.fromCharCode(0x80 + ((i * 53) % 128))}B`)
    const bytes = Buffer.from(`id,name\n${words(...noise)}\n`, 'latin1')
    expect(await refusal(bytes)).toMatch(
      /^The text is not UTF-8, and no other encoding that can be recognized fits its bytes\./,
    )
  })

  it('are noted with one encoding where several give the same text', async () => {
    const table = await read(iconv.encode(`price,note\n${words('12 €', 'über')}\n`, 'windows-1252'))
    expect(table.notes[0]).not.toMatch(/windows-1254|windows-1258/)
  })
})

describe('a declared encoding', () => {
  const text = survey('ru', 20)

  it.each(['windows-1251', 'CP1251', 'koi8-r'])('%s is used', async (encoding) => {
    const table = await read(iconv.encode(text, encoding), encoding)
    expect(table.columns).toEqual((await read(Buffer.from(text))).columns)
  })

  it('is used for text that begins with ASCII, and may be UTF-8', async () => {
    expect((await read(Buffer.from(text), 'utf-8')).columns).toEqual((await read(Buffer.from(text))).columns)
    const damaged = Buffer.concat([Buffer.from(text), Buffer.from([0x32, 0x31, 0x3b, 0xff, 0x0d, 0x0a])])
    expect((await read(damaged, 'utf-8')).notes).toContain('1 character was not readable and became "\ufffd".')
  })

  it('may be UTF-16 in the byte order that a mark states', async () => {
    const bytes = iconv.encode(text, 'utf16be', { addBOM: true })
    expect((await read(bytes, 'utf-16')).columns).toEqual((await read(Buffer.from(text))).columns)
  })

  it('is refused under an unknown name with a list of the known names', async () => {
    expect(await refusal(Buffer.from(text), 'klingon')).toMatch(
      /^"klingon" is not an encoding that can be read\. Declare one of: utf-8, .*windows-1251, .*macintosh, .*gb18030, /,
    )
  })

  it.each([
    ['utf-8', iconv.encode(text, 'windows-1251')],
    ['euc-kr', iconv.encode(survey('ar', 20), 'windows-1256')],
  ])('is refused when the bytes are not in %s', async (encoding, bytes) => {
    expect(await refusal(bytes, encoding)).toMatch(
      /^The file is declared to be in [a-z0-9-]+, but \d+ of its \d+ bytes or characters beyond ASCII cannot be read in that encoding\. Correct "encoding"/,
    )
  })

  it('is refused together with the byte order mark of another encoding', async () => {
    expect(await refusal(iconv.encode(text, 'utf16le', { addBOM: true }), 'windows-1251')).toBe(
      'The file is declared to be in windows-1251, but begins with the byte order mark of utf-16le. Correct "encoding" in the dataset\'s entry of the study, or remove it.',
    )
  })

  it('is refused for a file that is not delimited text', async () => {
    expect(await refusal(Buffer.from('PAR1\0\0\0\0\0\0PAR1'), 'windows-1251')).toMatch(
      /^An encoding is declared, but the file is no delimited text/,
    )
  })
})
