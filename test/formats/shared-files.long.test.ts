import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/formats/read-table.ts'
import { UnreadableFileError } from '../../src/formats/reading/unreadable-file-error.ts'
import { checkConsistency } from './read-column.ts'
import type { SharedFile } from './shared-index.d.ts'
import { checkReading, SHARED_FOLDERS, sharedFiles, tableShape } from './shared-index.js'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
const isThere = SHARED_FOLDERS.some((path) => sharedFiles(path).length > 0)

async function read({ path }: SharedFile) {
  try {
    const table = await readTable(path, { tempDir: folder.path })
    checkConsistency(table)
    return tableShape(table)
  } catch (error) {
    if (error instanceof UnreadableFileError) return { refused: error.detail }
    throw error
  }
}

describe.skipIf(!isThere).each(SHARED_FOLDERS)('files that others wrote: %s', (path) => {
  it.each(sharedFiles(path))('$name is read like by other programs, or refused in words', async (file) => {
    const reading = await read(file)
    expect({ reading, ...checkReading(file, reading) }).toMatchObject({ isMet: true })
  })
})

describe.skipIf(!isThere)('the table of results', () => {
  it('has a line of at most 100 columns for every file, and every expectation is met', () => {
    const script = resolve(import.meta.dirname, '../../scripts/formats-table.js')
    const { status, stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
    const lines = stdout.trimEnd().split('\n')
    const files = SHARED_FOLDERS.flatMap((path) => sharedFiles(path))
    for (const { name } of files) expect(lines.some((line) => line.includes(`/${name} `))).toBe(true)
    expect(lines.filter((line) => line.length > 100)).toEqual([])
    expect(lines.at(-1)).toBe(`${files.length} of ${files.length} files meet their entry.`)
    expect(status).toBe(0)
  })
})
