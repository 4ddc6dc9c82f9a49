import { expect, it } from 'vitest'
import { countUtf8OfFile } from '../../src/formats/csv/detect-encoding.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
// Longer than a piece of the file, and no piece ends between two of its letters.
const LONG = `x${'ä'.repeat(700_000)}\n`

it('valid UTF-8 has no invalid byte, wherever its pieces end', async () => {
  expect(await countUtf8OfFile(folder.write('valid.csv', LONG), 0)).toMatchObject({ invalid: 0 })
})

it('invalid bytes are counted from the first one on, with the letters of their piece and of later pieces', async () => {
  const bytes = Buffer.concat([Buffer.from(LONG), Buffer.from([0xe9, 0x41, 0xc3])])
  const path = folder.write('invalid.csv', bytes)
  const { multibyte, invalid } = await countUtf8OfFile(path, 0)
  expect(invalid).toBe(2)
  expect(multibyte).toBeLessThan(700_000)
  expect(multibyte).toBeGreaterThan(100_000)
  expect(await countUtf8OfFile(path, Buffer.byteLength(LONG))).toEqual({ multibyte: 0, invalid: 2 })
})
