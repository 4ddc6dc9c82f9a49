import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packFolder, unpackFolder } from '../../../src/service/store/packed-folder.ts'

describe('a packed folder', () => {
  let root: string
  let umask: number
  beforeEach(() => {
    umask = process.umask(0)
    root = mkdtempSync(join(tmpdir(), 'whatif-packed-'))
    mkdirSync(join(root, 'source/inner/empty'), { recursive: true })
    writeFileSync(join(root, 'source/inner/bytes'), Buffer.from([0, 10, 255, 10, 91]))
    writeFileSync(join(root, 'source/nothing'), '')
    writeFileSync(join(root, 'packed'), packFolder(join(root, 'source')))
    unpackFolder(join(root, 'packed'), join(root, 'copy'))
  })
  afterEach(() => {
    process.umask(umask)
    rmSync(root, { recursive: true, force: true })
  })

  it('comes back byte for byte, with empty folders and empty files', () => {
    const entries = readdirSync(join(root, 'copy'), { recursive: true }).sort()
    expect(entries).toEqual(['inner', 'inner/bytes', 'inner/empty', 'nothing'])
    expect([...readFileSync(join(root, 'copy/inner/bytes'))]).toEqual([0, 10, 255, 10, 91])
    expect(readFileSync(join(root, 'copy/nothing'))).toHaveLength(0)
  })

  it.skipIf(process.platform === 'win32')('can be read by its owner alone, whatever the umask is', () => {
    const mode = (path: string) => (statSync(join(root, 'copy', path)).mode & 0o777).toString(8)
    expect(['.', 'inner', 'inner/bytes'].map(mode)).toEqual(['700', '700', '600'])
  })
})
