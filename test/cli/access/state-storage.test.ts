import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chosenState } from '../../../src/cli/access/state-storage.ts'
import { withState } from '../../../src/local/chosen-state.ts'

const KEYS = { WHATIF_S3_ACCESS_KEY_ID: 'id', WHATIF_S3_SECRET_ACCESS_KEY: 'canary-secret' }

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'whatif-state-'))
})

afterEach(async () => await rm(root, { recursive: true, force: true }))

const file = (text: string) => writeFile(join(root, 'whatif.state.yaml'), text)
const chosen = async (env: NodeJS.ProcessEnv, flags = {}) => {
  const state = await chosenState(flags, { ...KEYS, ...env }, root)
  await state?.store.close()
  return state
}

describe('the place of the state', () => {
  it('is this disk unless something says otherwise', async () => {
    expect(await chosen({})).toBeNull()
    expect(await chosen({ WHATIF_STATE: '' })).toBeNull()
  })

  it('is said by a variable or by the file of the project, and the variable wins', async () => {
    expect(await chosen({ WHATIF_STATE: 's3://team-state' })).toMatchObject({ scope: undefined, reads: [] })
    await file('bucket: s3://team-state/whatif\nreads: [main]\n')
    expect(await chosen({}, { scope: 'pr-1' })).toMatchObject({ scope: 'pr-1', reads: ['main'] })
    // A run of main itself reads no other scope.
    expect(await chosen({})).toMatchObject({ scope: undefined, reads: [] })
    expect(await chosen({}, { scope: 'pr-1', reads: ['release'] })).toMatchObject({ reads: ['release'] })
    expect(await chosen({ WHATIF_STATE: 'none' })).toBeNull()
    await file('bucket: s3://team-state/whatif\nscope: nightly\n')
    expect(await chosen({})).toMatchObject({ scope: 'nightly', reads: [] })
  })

  it('adds to the options what the file says', async () => {
    await file('bucket: s3://team-state\nreads: [main]\n')
    const flags = { scope: 'pr-1', select: ['a'] }
    expect(withState(flags, await chosen({}, flags))).toEqual({ scope: 'pr-1', reads: ['main'], select: ['a'] })
    expect(withState(flags, null)).toBe(flags)
  })
})

describe('what is refused', () => {
  it.each([
    ['s3:/team', 'expected s3://BUCKET or s3://BUCKET/PREFIX'],
    ['https://store.example.org/team', 'expected s3://BUCKET'],
    ['s3://Team', 'expected s3://BUCKET'],
    ['s3://team/../other', 'expected s3://BUCKET'],
    ['s3://key:secret@team/x', 'expected s3://BUCKET'],
  ])('WHATIF_STATE=%s', async (text, said) => {
    await expect(chosen({ WHATIF_STATE: text })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(`WHATIF_STATE: ${said}`),
    })
  })

  it.each([
    ['', 'expected keys and values'],
    ['- s3://team\n', 'expected keys and values'],
    ['bucket: [\n', 'it is not YAML'],
    ['reads: [main]\n', 'expected a text under "bucket"'],
    ['bucket: s3://team\nendpoint: https://store.example.org\n', 'there is no key "endpoint"'],
    ['bucket: s3://team\nsecret: canary\n', 'there is no key "secret"'],
    ['bucket: s3://team\nreads: main\n', 'expected a list under "reads"'],
    ['bucket: s3://team\nreads: [../main]\n', 'is no label of a scope'],
    ['bucket: s3://team\nscope: a/b\n', 'is no label of a scope'],
    ['bucket: team\n', 'expected s3://BUCKET'],
    [`bucket: s3://team # ${'x'.repeat(70_000)}\n`, 'it has more than 65536 bytes'],
  ])('a file of the project: %j', async (text, said) => {
    await file(text)
    await expect(chosen({})).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/^whatif\.state\.yaml: /),
    })
    await expect(chosen({})).rejects.toThrow(said)
  })

  it('a link to a device in place of the file', async () => {
    await symlink('/dev/zero', join(root, 'whatif.state.yaml'))
    await expect(chosen({})).rejects.toThrow('it is not a regular file')
  })

  it('half a key, an address with a path, and options without a bucket', async () => {
    const WHATIF_STATE = 's3://team'
    await expect(chosen({ WHATIF_STATE, WHATIF_S3_SECRET_ACCESS_KEY: '' })).rejects.toMatchObject({ exitCode: 5 })
    await expect(chosen({ WHATIF_STATE, WHATIF_S3_ENDPOINT: 'https://store.example.org/team' })).rejects.toThrow(
      'WHATIF_S3_ENDPOINT: expected the address of the storage',
    )
    await expect(chosen({}, { reads: ['main'] })).rejects.toThrow('--reads is about the state in a bucket')
    await expect(chosen({}, { download: ['*'] })).rejects.toThrow('--download is about the state in a bucket')
  })
})
