import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { standInFault } from '../../src/base/stand-in-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'whatif-stand-in-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function fault(content: string | Buffer): Promise<string | null> {
  const path = join(folder, 'file')
  writeFileSync(path, content)
  return await standInFault(fs, path)
}

const ours = ['<<<<<<< HEAD', '3,Lyon', '=======', '4,Nice', '>>>>>>> wave-2']
const table = (...between: readonly string[]) => ['id,town', '1,Metz', ...between, '9,Lille', ''].join('\n')
const MARKS = (lines: string) =>
  `has marks of an unresolved merge in ${lines}. Keep one side of each conflict and remove the marks`

describe('a file that stands for the data', () => {
  it.each([
    [
      'Git LFS',
      `version https://git-lfs.github.com/spec/v1\noid sha256:${'0f'.repeat(32)}\nsize 31337\n`,
      'is a Git LFS pointer and not the data. Fetch the data with "git lfs pull"; in CI, check out with "lfs: true"',
    ],
    [
      'DVC',
      'outs:\r\n- md5: 0123456789abcdef0123456789abcdef\r\n  size: 99\r\n  path: people.csv\r\n',
      'is a DVC file that stands for the data. Fetch the data with "dvc pull", and name the file that it brings',
    ],
    [
      'DVC, imported',
      'md5: 0123456789abcdef0123456789abcdef\nfrozen: true\nouts:\n  - hash: md5\n    path: people.csv\n',
      'is a DVC file that stands for the data. Fetch the data with "dvc pull", and name the file that it brings',
    ],
    [
      'git-annex',
      `/annex/objects/SHA256E-s99--${'0f'.repeat(32)}.csv\n`,
      'is a git-annex pointer and not the data. Fetch the data with "git annex get"',
    ],
  ])('is named: %s', async (_, content, expected) => {
    expect(await fault(content)).toBe(expected)
  })

  it.each([
    ['whose header has the words of one', 'version,oid,size\n1,2,3\n'],
    ['of one column that is called like a list of one', 'outs:\nleft\nright\n'],
    ['that mentions the address of one', 'url\nversion https://git-lfs.github.com/spec/v1\n'],
  ])('is not assumed for a table %s', async (_, content) => {
    expect(await fault(content)).toBeNull()
  })
})

describe('marks of an unresolved merge', () => {
  it.each<[string, string, string]>([
    ['between rows', table(...ours), 'lines 3, 5 and 7'],
    ['with line ends of Windows', table(...ours).replaceAll('\n', '\r\n'), 'lines 3, 5 and 7'],
    ['with the common ancestor', table(...ours.toSpliced(2, 0, '||||||| 1a2b3c', '2,Lyon')), 'lines 3, 5, 7 and 9'],
    ['on the first line', `${ours.join('\n')}\n`, 'lines 1, 3 and 5'],
    ['of which one was removed', table(...ours.slice(1)), 'lines 4 and 6'],
    ['in many places', table(...ours, '5,Brest', ...ours), 'lines 3, 5, 7, 9, 11 and 1 more'],
    ['behind a text in quotes', table('2,"two\nlines"', ...ours), 'lines 5, 7 and 9'],
    [
      'behind the first megabyte',
      `${table('2,Lyon').repeat(60_000)}${ours.join('\n')}`,
      'lines 240001, 240003 and 240005',
    ],
  ])('are found by their lines: %s', async (_, content, lines) => {
    expect(await fault(content)).toBe(MARKS(lines))
  })

  it('are found in UTF-16, with and without a byte order mark', async () => {
    const wide = Buffer.from(table('2,Łódź', ...ours), 'utf16le')
    const found = MARKS('lines 4, 6 and 8')
    expect(await fault(wide)).toBe(found)
    expect(await fault(Buffer.concat([Buffer.from([0xff, 0xfe]), wide]))).toBe(found)
    expect(await fault(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(wide).swap16()]))).toBe(found)
    expect(await fault(Buffer.from(table('<<<<<<< best of all,Lyon'), 'utf16le'))).toBeNull()
  })

  it.each([
    ['a first cell that begins like one', table('<<<<<<< best of all,Lyon')],
    ['a line of equal signs', table('=======', '=======')],
    ['one of each in the wrong sequence', table('>>>>>>> x', '<<<<<<< y')],
    ['a text in quotes with a whole conflict', table(`2,"${ours.join('\n')}"`)],
    ['marks that are longer', table('<<<<<<<<', '========', '>>>>>>>>')],
    ['bytes that are no text', Buffer.concat([Buffer.alloc(2), Buffer.from(table(...ours))])],
  ])('are not assumed for %s', async (_, content) => {
    expect(await fault(content)).toBeNull()
  })
})
