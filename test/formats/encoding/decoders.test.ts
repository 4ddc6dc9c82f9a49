import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { decodeAll, ENCODINGS, encodingOf, openDecoder } from '../../../src/formats/encoding/decoders.ts'

/** Every byte from 0x80 on, or every pair of bytes that begins there. */
function sequences(isMultibyte: boolean): Buffer[] {
  const leads = Array.from({ length: 0x7f }, (_, i) => 0x80 + i)
  if (!isMultibyte) return [...leads, 0xff].map((byte) => Buffer.from([byte]))
  return leads.slice(1).flatMap((lead) => Array.from({ length: 0xbf }, (_, i) => Buffer.from([lead, 0x40 + i])))
}

const MULTIBYTE = new Set(['gb18030', 'gbk', 'big5', 'shift_jis', 'euc-jp', 'euc-kr'])
const OTHER_NAMES: Record<string, string> = {
  'euc-kr': 'cp949',
  'windows-874': 'windows874',
  shift_jis: 'cp932',
  ibm866: 'cp866',
}
/** Letters that Apple changed after the table that the second library has: the euro, its own logo, the Ohm sign. */
const CHANGED = new Set(['macintosh db', 'macintosh f0', 'macintosh bd'])

describe('an encoding', () => {
  const compared = ENCODINGS.filter((name) => !/^utf|2022|cyrillic/.test(name))
  it.each(compared)('%s is decoded letter by letter as by another library', async (name) => {
    let letters = 0
    for (const bytes of sequences(MULTIBYTE.has(name))) {
      const other = iconv.decode(bytes, OTHER_NAMES[name] ?? name)
      // Pairs without a letter are replaced, by one sign or two.
      if (/[\ufffd\x80-\x9f\ue000-\uf8ff]/.test(other) || CHANGED.has(`${name} ${bytes.toString('hex')}`)) continue
      letters++
      expect(`${bytes.toString('hex')} ${await decodeAll(bytes, name)}`).toBe(`${bytes.toString('hex')} ${other}`)
    }
    expect(letters).toBeGreaterThan(MULTIBYTE.has(name) ? 6_000 : 40)
  })

  it('has the syllables that Windows adds to EUC-KR, and the euro sign of Windows-1252 and Mac Roman', async () => {
    expect(await decodeAll(Buffer.from([0x8c, 0x63, 0xb0, 0xa1]), 'euc-kr')).toBe('똠가')
    expect(await decodeAll(Buffer.from([0x80, 0x93, 0xe9]), 'windows-1252')).toBe('€“é')
    expect(await decodeAll(Buffer.from([0xdb, 0x8e]), 'macintosh')).toBe('€é')
  })

  it.each(['gb18030', 'shift_jis', 'euc-kr', 'utf-16le', 'utf-8', 'windows-1251'] as const)(
    '%s is decoded across pieces that cut its letters',
    async (name) => {
      const text =
        { gb18030: '北京,上海\n', shift_jis: '東京,大阪\n', 'euc-kr': '서울,부산\n' }[name as string] ?? 'Орёл,Ковров\n'
      const bytes = iconv.encode(text, OTHER_NAMES[name] ?? name)
      const decode = await openDecoder(name)
      let decoded = ''
      for (const byte of bytes) decoded += decode(Buffer.from([byte]))
      expect(decoded + decode(null)).toBe(text)
    },
  )
})

describe('the name of an encoding', () => {
  it.each([
    ['windows-1251', 'windows-1251'],
    ['CP1251', 'windows-1251'],
    [' latin1 ', 'windows-1252'],
    ['sjis', 'shift_jis'],
    ['mac', 'macintosh'],
    ['UTF-16', 'utf-16le'],
    ['cp949', null],
    ['ks_c_5601-1987', 'euc-kr'],
    ['klingon', null],
    ['', null],
    ['x-user-defined', null],
  ])('%j stands for %s', (label, encoding) => {
    expect(encodingOf(label)).toBe(encoding)
  })
})
