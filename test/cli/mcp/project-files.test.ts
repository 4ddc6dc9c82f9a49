import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { fileOfProject, filesOfProject } from '../../../src/cli/mcp/project-files.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'whatif-mcp-files-')))
const root = join(base, 'project')
for (const folder of ['data', '.whatif', 'node_modules']) mkdirSync(join(root, folder), { recursive: true })
writeFileSync(join(base, 'outside.csv'), 'a,b\n1,2\n')
for (const name of [
  'data/panel.csv',
  '.env',
  '.whatif/state.json',
  'server.pem',
  'credentials.json',
  'node_modules/x.csv',
])
  writeFileSync(join(root, name), 'a,b\n1,2\n')
writeFileSync(join(root, 'a.study.yaml'), 'version: 1\n')
symlinkSync(join(base, 'outside.csv'), join(root, 'link.csv'))
symlinkSync(base, join(root, 'linked'))
symlinkSync(join(root, 'data'), join(root, 'inner'))
execFileSync('mkfifo', [join(root, 'pipe.csv')])
afterAll(() => rmSync(base, { recursive: true, force: true }))

describe('a file that a client of whatif mcp names', () => {
  it.each(['data/panel.csv', './data/panel.csv', 'data//panel.csv', 'data\\panel.csv'])('may be %s', async (named) => {
    expect(await fileOfProject(root, named)).toBe(join('data', 'panel.csv'))
  })

  it.each([
    ['/etc/passwd', /absolute/],
    [join(root, 'data/panel.csv'), /absolute/],
    ['C:\\panel.csv', /absolute/],
    ['\\\\server\\panel.csv', /absolute/],
    ['../outside.csv', /upwards/],
    ['data/../../outside.csv', /upwards/],
    ['data/../data/panel.csv', /upwards/],
    ['.env', /hidden/],
    ['.whatif/state.json', /hidden/],
    ['link.csv', /a link leads to it/],
    ['linked/outside.csv', /a link leads to it/],
    ['inner/panel.csv', /a link leads to it/],
    ['pipe.csv', /not a regular file/],
    ['data', /folder/],
    ['data/none.csv', /there is no such file/],
    ['data/panel.csv/x', /there is no such file/],
    ['server.pem', /private key or of credentials/],
    ['credentials.json', /private key or of credentials/],
    ['', /not the path of a file/],
    ['a\0b', /not the path of a file/],
  ])('is refused as %j', async (named, why) => {
    await expect(fileOfProject(root, named)).rejects.toThrow(why)
  })

  it('is told with what would move a terminal as text', async () => {
    await expect(fileOfProject(root, 'x\u001b[2J.csv')).rejects.toThrow('x\\x1b[2J.csv')
  })
})

it('the files of a project are tables and studies that are no links, not hidden and not installed', async () => {
  const { files, left } = await filesOfProject(root)
  expect(files.map(({ path }) => path)).toEqual(['a.study.yaml', 'data/panel.csv'])
  expect(left).toBe(false)
})
