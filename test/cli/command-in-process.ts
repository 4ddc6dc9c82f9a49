import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import { main } from '../../src/cli/main.ts'

const STUDY = 'version: 1\nname: a\ndatasets: { p: { file: p.csv } }\nscenarios: { x: { rows: 1, seed: 1 } }\n'

/** For the tests of a file: they run in a folder of their own with a study, `a.study.yaml`, and its seed file, `p.csv`. */
export function inStudyFolder(fill: (folder: string) => Promise<void> = async () => {}): void {
  let folder: string
  const home = process.cwd()
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'whatif-cli-')))
    await writeFile(join(folder, 'package.json'), '{}\n')
    await writeFile(join(folder, 'a.study.yaml'), STUDY)
    await writeFile(join(folder, 'p.csv'), 'a,b\n1,2\n')
    await fill(folder)
    process.chdir(folder)
    for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0)
  })
  afterAll(async () => {
    process.chdir(home)
    await rm(folder, { recursive: true, force: true })
  })
  afterEach(() => {
    process.exitCode = 0
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  })
}

/** Runs a command line in this process, with no service named. */
export async function whatif(line: string, env: Record<string, string> = {}) {
  for (const [name, value] of Object.entries({ WHATIF_BASE_URL: '', WHATIF_OPERATOR_TOKEN: '', ...env }))
    vi.stubEnv(name, value)
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      said[name] += chunk
      return true
    })
  await main(['node', 'whatif', ...line.split(' ')])
  return { ...said, code: process.exitCode }
}
