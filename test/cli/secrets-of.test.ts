import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { secretsOf } from '../../src/cli/connection.ts'
import { writeStoredEntry } from '../../src/cli/stored-credentials.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'whatif-secrets-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

describe('secrets that are hidden before anything is printed', () => {
  it('are those of the environment, of the file that it names, and of the service that is stored', async () => {
    const service = 'https://service.example.org'
    const file = join(home, 'credentials.json')
    await writeFile(file, '{"client_id":"c","client_secret":"from-file"}', { mode: 0o600 })
    const env = { HOME: home, WHATIF_CLIENT_SECRET: 'from-environment', WHATIF_CREDENTIALS_FILE: file }
    await writeStoredEntry(env, service, { service, client_secret: 'stored' })
    expect(await secretsOf({ service }, env)).toEqual(['from-environment', 'from-file', 'stored'])
    expect(await secretsOf({}, { HOME: home, WHATIF_BASE_URL: service })).toEqual(['stored'])
    expect(await secretsOf({ service: 'https://other.example.org' }, { HOME: home })).toEqual([])
  })

  it.each(['{', '[]', '{"client_secret":7}'])(
    'are none where the file holds %s: who needs it says so',
    async (text) => {
      const file = join(home, 'credentials.json')
      await writeFile(file, text, { mode: 0o600 })
      const env = { HOME: home, WHATIF_CREDENTIALS_FILE: file, WHATIF_BASE_URL: 'not an address' }
      expect(await secretsOf({}, env)).toEqual([])
      await chmod(file, 0o644)
      expect(await secretsOf({}, env)).toEqual([])
      expect(await secretsOf({}, { ...env, WHATIF_CREDENTIALS_FILE: join(home, 'none') })).toEqual([])
    },
  )
})
