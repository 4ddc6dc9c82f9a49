import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/base/sha256.ts'
import { expectedLock, lockedFindings } from '../../src/runner/datasets/study-lock.ts'
import { otherLineEnds } from '../../src/runner/files/line-ends.ts'
import type { HashedSeedFile } from '../../src/runner/files/seed-files.ts'
import { loadStudy } from '../../src/study/load/load-study.ts'
import { makeProject, type Project } from '../cli/project-folder.ts'

const LF = 'age,answer\n31,Yes\n\n52,"a\rb"\n'
const CRLF = LF.replaceAll('\n', '\r\n')

let project: Project
beforeAll(async () => {
  project = await makeProject()
})
afterAll(() => project.remove())

async function ends(text: string, recorded: string, chunkBytes?: number): Promise<string | null> {
  await project.write('panel.csv', text)
  const path = join(project.root, 'panel.csv')
  return otherLineEnds(fs, path, sha256Hex(recorded), new AbortController().signal, chunkBytes)
}

describe('a file that is not the recorded one', () => {
  it.each([1, 2, 3, 5, 7, 1000])('differs in its line ends alone, read %d bytes at a time', async (chunkBytes) => {
    expect(await ends(CRLF, LF, chunkBytes)).toBe('CRLF')
    expect(await ends(LF, CRLF, chunkBytes)).toBe('LF')
    expect(await ends(`${CRLF}\r`, `${LF}\r`, chunkBytes)).toBe('CRLF')
  })

  it('differs in more than its line ends', async () => {
    expect(await ends(CRLF.replace('31', '32'), LF)).toBeNull()
    expect(await ends(LF.replace('\n\n', '\n'), LF)).toBeNull()
    expect(await ends(LF.replace('\r', ''), LF)).toBeNull()
  })
})

/** A study with the digest of the file in `sha256`, and the findings of `validate --offline`. */
async function pinned(file: string, recorded: string): Promise<string> {
  await project.write('panel.csv', file)
  await project.write(
    'a.study.yaml',
    `version: 1
name: a
datasets: { panel: { file: panel.csv, sha256: ${sha256Hex(recorded)} } }
scenarios: { a: { rows: 10, seed: 1 } }
`,
  )
  return (await project.whatif(['plan', 'a.study.yaml'])).stderr
}

it('the pin of a study says that only the line ends differ, and not of another file', async () => {
  expect(await pinned(CRLF, LF)).toContain('only the line ends differ (CRLF here, LF before)')
  expect(await pinned(CRLF, LF)).toContain('"panel.csv -text"')
  const other = await pinned(CRLF.replace('31', '32'), LF)
  expect(other).toContain('the study pins')
  expect(other).not.toContain('line ends')
})

describe('a declared file of which the same is sent', () => {
  const { study } = loadStudy(
    'version: 1\nname: a\ndatasets: { panel: { file: panel.csv, drop: [age] } }\nscenarios: { a: { rows: 10, seed: 1 } }\n',
    { filename: 'a.study.yaml' },
  )
  const seedFile = (text: string, sent: string, lineEnds?: 'CRLF'): HashedSeedFile => ({
    path: '/p/panel.csv',
    sha256: sha256Hex(sent),
    bytes: sent.length,
    fileSha256: sha256Hex(text),
    fileBytes: text.length,
    remarks: [],
    ...(lineEnds && { lineEnds }),
  })
  const known = (file: HashedSeedFile) => ({ seeds: new Map([['panel', file]]), facts: new Map() })
  const lock = expectedLock(study!, null, known(seedFile(LF, 'sent')))
  const findings = (file: HashedSeedFile) =>
    lockedFindings(study!, { path: '/p/a.study.lock.json', name: 'a.study.lock.json', lock }, known(file))

  it('is accepted with other line ends', () => {
    expect(findings(seedFile(CRLF, 'sent', 'CRLF'))).toEqual([])
  })

  it('is refused if it differs in more, or if another file is sent', () => {
    expect(findings(seedFile(`${LF}60,No\n`, 'sent'))).toMatchObject([{ code: 'S2303' }])
    const [refused] = findings(seedFile(CRLF, 'other', 'CRLF'))
    expect(refused?.detail).toContain('panel.sent: ')
    expect(refused?.detail).toContain('only the line ends differ')
  })
})
