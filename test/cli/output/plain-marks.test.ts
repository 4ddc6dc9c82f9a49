import { expect, it } from 'vitest'
import { guardStream } from '../../../src/cli/output/output-guard.ts'
import { isPlainLocale, withPlainMarks } from '../../../src/cli/output/plain-marks.ts'

it.each([
  ['a terminal of another encoding', { LANG: 'de_DE.ISO-8859-1' }, true],
  ['the C locale', { LANG: 'C' }, true],
  ['the C locale for all, whatever else is set', { LC_ALL: 'C', LANG: 'en_US.UTF-8' }, true],
  ['the POSIX locale for letters', { LC_CTYPE: 'POSIX', LANG: 'en_US.UTF-8' }, true],
  ['UTF-8', { LANG: 'en_US.UTF-8' }, false],
  ['UTF-8 in another spelling', { LANG: 'C', LC_ALL: 'C.utf8' }, false],
  ['no locale', { LANG: '' }, false],
])('%s decides whether marks are plain', (_, env, isPlain) => {
  expect(isPlainLocale(env)).toBe(isPlain)
})

it('marks become ASCII, and letters of names stay', () => {
  expect(withPlainMarks('✓ café  12 of 12 · 34.7 % → 47.3 %, ±2 …')).toBe(
    '+ café  12 of 12 - 34.7 % -> 47.3 %, +-2 ...',
  )
  expect(withPlainMarks('┌─┬─┐│█⠋')).toBe('+-+-+|#*')
})

it('a stream has plain marks only where it is told to', () => {
  const written = (isPlain: boolean): string => {
    let text = ''
    const stream = {
      write: (chunk: string | Uint8Array) => {
        text += String(chunk)
        return true
      },
    }
    guardStream(stream, isPlain)
    stream.write('✗ base\n')
    stream.write(Buffer.from('✓ more\n'))
    return text
  }
  expect(written(true)).toBe('x base\n+ more\n')
  expect(written(false)).toBe('✗ base\n✓ more\n')
})
