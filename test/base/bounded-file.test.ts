import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readBoundedText, UNREADABLE_TEXT } from '../../src/base/bounded-file.ts'

let folder: string

beforeAll(async () => {
  folder = await fs.mkdtemp(join(tmpdir(), 'bounded-file-'))
  await fs.writeFile(join(folder, 'text'), '\uFEFFgrüße\n')
  await fs.writeFile(join(folder, 'latin1'), Buffer.from([0x67, 0xfc]))
  execFileSync('mkfifo', [join(folder, 'pipe')])
})

afterAll(async () => await fs.rm(folder, { recursive: true }))

it('reads a file of at most the given size, without its byte order mark', async () => {
  expect(await readBoundedText(fs, join(folder, 'text'), 11)).toBe('grüße\n')
})

it.each([
  ['a larger file', 'text', 'it has more than 10 bytes'],
  ['bytes that are not UTF-8', 'latin1', 'it is not UTF-8 text'],
  ['a folder', '.', 'it is not a regular file'],
  ['a pipe, without waiting for a writer', 'pipe', 'it is not a regular file'],
  ['a missing file', 'none', 'there is no such file'],
  ['a path below a file', 'text/none', 'it cannot be read (ENOTDIR)'],
])('refuses %s', async (_what, name, message) => {
  await expect(readBoundedText(fs, join(folder, name), 10)).rejects.toMatchObject({ code: UNREADABLE_TEXT, message })
})
