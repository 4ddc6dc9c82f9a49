import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ignoreFromGit } from '../../src/cli/files/new-files.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'whatif-ignored-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** What `init` in a folder of the project asks for. */
async function ignoreIn(folder: string, text: string) {
  await writeFile(join(root, '.gitignore'), text)
  const out = folder === '.' ? 'out' : `${folder}/out`
  const isChanged = await ignoreFromGit(root, [
    { name: '.whatif', place: '.whatif' },
    { name: 'out', place: out },
  ])
  return { isChanged, text: await readFile(join(root, '.gitignore'), 'utf8') }
}

describe('the .gitignore that init finds', () => {
  it.each([
    ['.', '.whatif/\nout/\n'],
    ['.', '/.whatif\r\n/out/**\r\n'],
    ['.', '.whatif\n!out/\n'],
    ['studies', '.whatif/\n/studies/out/\n'],
    ['studies', '.whatif/\n**/out\n'],
  ])('stays unchanged where it covers these files already, in %s: %j', async (folder, text) => {
    expect(await ignoreIn(folder, text)).toEqual({ isChanged: false, text })
  })

  it.each([
    ['.', 'node_modules/', 'node_modules/\n.whatif/\nout/\n'],
    ['.', '# out/\r\nlayout/\r\n', '# out/\r\nlayout/\r\n.whatif/\r\nout/\r\n'],
    // It covers the project's own folder only.
    ['studies', '.whatif/\n/out/\n', '.whatif/\n/out/\nout/\n'],
  ])('gets the missing parts, in %s: %j', async (folder, text, after) => {
    expect(await ignoreIn(folder, text)).toEqual({ isChanged: true, text: after })
  })
})
