import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkReportPlace, writeReportFile } from '../../../src/cli/files/report-files.ts'

let folder: string
const file = () => ({
  name: 'report',
  path: join(folder, 'reports/run.md'),
  content: '<!-- report -->\nnew\n',
  mark: '<!-- report',
})

beforeEach(async () => {
  folder = await fs.mkdtemp(join(tmpdir(), 'whatif-report-'))
})
afterEach(() => fs.rm(folder, { recursive: true, force: true }))

async function write(overwrite = false): Promise<void> {
  await checkReportPlace(fs, file(), overwrite)
  await writeReportFile(fs, file())
}

async function there(text: string): Promise<void> {
  await fs.mkdir(join(folder, 'reports'))
  await fs.writeFile(file().path, text)
}

describe('a report', () => {
  it.each([
    ['nothing', null],
    ['an earlier report', '<!-- report -->\nold\n'],
    ['an empty file', ''],
  ])('is written where there is %s, and leaves no other file', async (_, text) => {
    if (text !== null) await there(text)
    await write()
    expect(await fs.readFile(file().path, 'utf8')).toBe(file().content)
    expect(await fs.readdir(join(folder, 'reports'))).toEqual(['run.md'])
  })

  it.each(['my notes\n', '<!-- rep', ' <!-- report -->\n'])(
    'does not replace a file that begins %j without the option',
    async (text) => {
      await there(text)
      await expect(write()).rejects.toThrow(
        'the file exists and is not such a report; move it away or pass --overwrite',
      )
      expect(await fs.readFile(file().path, 'utf8')).toBe(text)
      await write(true)
      expect(await fs.readFile(file().path, 'utf8')).toBe(file().content)
    },
  )

  it.each([true, false])('is not written through a link (overwrite: %s)', async (overwrite) => {
    await there('')
    await fs.rm(file().path)
    await fs.writeFile(join(folder, 'private'), 'mine')
    await fs.symlink(join(folder, 'private'), file().path)
    await expect(write(overwrite)).rejects.toThrow('it is a symbolic link')
    expect(await fs.readFile(join(folder, 'private'), 'utf8')).toBe('mine')
  })

  it('does not replace a folder', async () => {
    await fs.mkdir(file().path, { recursive: true })
    await expect(write(true)).rejects.toThrow('it is a folder')
  })

  it('does not change a neighbouring file with the name of a temporary one', async () => {
    await there('')
    await fs.writeFile(`${file().path}.tmp`, 'mine')
    await write()
    expect(await fs.readFile(`${file().path}.tmp`, 'utf8')).toBe('mine')
  })

  it('that cannot be written is reported and leaves no partial file', async () => {
    await there('')
    const full = { ...fs, rename: () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })) }
    await expect(writeReportFile(full, file())).rejects.toThrow('it cannot be written (ENOSPC)')
    expect(await fs.readdir(join(folder, 'reports'))).toEqual(['run.md'])
  })
})
