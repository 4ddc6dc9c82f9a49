import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeStateFolder } from '../../src/local/project-root.ts'
import { rig, useRig } from './use-rig.ts'

useRig()

let umask: number
beforeEach(() => {
  // The mask of a user who shares by default: private files set their own mode.
  umask = process.umask(0o002)
})
afterEach(() => {
  process.umask(umask)
})

const mode = async (path: string) => ((await stat(join(rig.root, path))).mode & 0o777).toString(8)

/** Mode of every file and folder below `.whatif`, itself included. */
async function modes(root = '.whatif'): Promise<Record<string, string>> {
  const entries = await readdir(join(rig.root, root), { recursive: true })
  const paths = [root, ...entries.map((entry) => `${root}/${entry}`)]
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await mode(path)] as const)))
}

describe.skipIf(process.platform === 'win32')('the state of a study', () => {
  const STATE = '.whatif/studies/demo/embedded'
  const OPEN = { '.whatif': '700', '.whatif/studies': '700', '.whatif/studies/demo': '700', [STATE]: '700' }
  const CLOSED = { ...OPEN, [`${STATE}/journal.ndjson`]: '600', [`${STATE}/state.json`]: '600' }

  it('is readable by its owner only, unlike the results', async () => {
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(await modes()).toEqual(CLOSED)
    for (const path of ['out', 'out/demo', 'out/demo/runs']) expect([path, await mode(path)]).toEqual([path, '775'])
    for (const path of ['manifest.json', 'base.csv']) expect(await mode(`out/demo/${path}`)).toMatch(/^6[46]4$/)
  })

  it('is made private where it was open, by an earlier version or from an archive', async () => {
    await rig.run()
    for (const path of Object.keys(CLOSED)) await chmod(join(rig.root, path), path.includes('.json') ? 0o644 : 0o755)
    await rig.run()
    expect(await modes()).toEqual(CLOSED)
  })

  it('is private in the folder of --out too, which is itself a folder of results', async () => {
    const out = join(rig.root, 'results')
    expect(await rig.run({ request: { out } })).toMatchObject({ exitCode: 0 })
    expect(await mode('results')).toBe('775')
    expect(new Set(Object.values(await modes('results/.whatif')))).toEqual(new Set(['700', '600']))
  })

  it('is private in the folder of the embedded service, even if the user made it', async () => {
    await mkdir(join(rig.root, '.whatif'), { mode: 0o777 })
    makeStateFolder(rig.root)
    expect(await mode('.whatif')).toBe('700')
  })
})
