import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { secretsOf } from '../../../src/cli/access/connection.ts'
import { writeStoredEntry } from '../../../src/cli/access/stored-credentials.ts'
import { main } from '../../../src/cli/main.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'whatif-secrets-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

describe('secrets that are hidden before anything is printed', () => {
  it('are those of the environment, of the file that it names, and of the stored service', async () => {
    const service = 'https://service.example.org'
    const file = join(home, 'credentials.json')
    await writeFile(file, '{"client_id":"c","client_secret":"from-file"}', { mode: 0o600 })
    const env = { HOME: home, WHATIF_CLIENT_SECRET: 'from-environment', WHATIF_CREDENTIALS_FILE: file }
    await writeStoredEntry(env, service, { service, client_secret: 'stored' })
    expect(await secretsOf({ service }, env)).toEqual(['from-environment', 'from-file', 'stored'])
    expect(await secretsOf({}, { HOME: home, WHATIF_BASE_URL: service })).toEqual(['stored'])
    expect(await secretsOf({ service: 'https://other.example.org' }, { HOME: home })).toEqual([])
    const ofBucket = { WHATIF_S3_SECRET_ACCESS_KEY: 'of-bucket', AWS_SESSION_TOKEN: 'of-role' }
    expect(await secretsOf({}, { HOME: home, ...ofBucket })).toEqual(['of-bucket', 'of-role'])
  })

  it.each(['{', '[]', '{"client_secret":7}'])(
    'are none where the file holds %s: the command that needs it reports that',
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

describe('a command in GitHub Actions masks its secrets before it says anything', () => {
  const SECRET = 'canary-client-secret'
  const TOKEN = 'canary-operator-token'
  const STORED = 'canary-stored-secret'
  const service = 'https://service.example.org'
  const address = 'postgresql://user:pass%40word-canary@db.example.org/x'

  let said = ''
  beforeAll(() => {
    // Once: the guard of the streams keeps the writer that it finds first.
    for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0)
    vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
      said += chunk
      return true
    })
    vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
  })
  afterAll(() => vi.restoreAllMocks())
  afterEach(() => {
    process.exitCode = 0
    vi.unstubAllEnvs()
  })

  async function saidBy(line: string, variables: Readonly<Record<string, string>>): Promise<void> {
    const env = { GITHUB_ACTIONS: 'true', HOME: home, XDG_CONFIG_HOME: home, ...variables }
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    await writeStoredEntry(process.env, service, { service, client_secret: STORED })
    said = ''
    await main(['node', 'whatif', ...line.split(' ')])
  }

  it.each([
    ...['run', 'resume', 'plan', 'validate', 'lock', 'status', 'unlock'].map((name) => [`${name} none.study.yaml`]),
    ...['init none.csv', 'inspect none.csv', 'datasets --service ftp://s.example.org', 'auth rotate'].map((c) => [c]),
  ])('%s', async (line) => {
    await saidBy(line, { WHATIF_CLIENT_SECRET: SECRET, WHATIF_BASE_URL: '' })
    expect(said.split('\n')[0]).toBe(`::add-mask::${SECRET}`)
    expect(said).toContain('\nerror: ')
  })

  it('auth, including stored secrets', async () => {
    await saidBy(`auth status --service ${service}`, { WHATIF_CLIENT_SECRET: '', WHATIF_BASE_URL: '' })
    expect(said.split('\n')[0]).toBe(`::add-mask::${STORED}`)
  })

  it('operator', async () => {
    await saidBy('operator tenants', { WHATIF_OPERATOR_TOKEN: TOKEN, WHATIF_BASE_URL: '' })
    expect(said).toBe(
      `::add-mask::${TOKEN}\nerror: no service is configured\nSet WHATIF_BASE_URL, or pass --service URL.\n`,
    )
  })

  it('serve, and only the password of a database address', async () => {
    const key = join(home, 'key')
    await writeFile(key, 'canary-access-key\n')
    await saidBy('serve', {
      DATABASE_URL: address,
      WHATIF_S3_SECRET_ACCESS_KEY_FILE: key,
      WHATIF_SERVE_PORT: 'x',
    })
    const masked = [address.replace('%', '%25'), 'pass%2540word-canary', 'pass@word-canary', 'canary-access-key']
    expect(said.split('\n').slice(0, 4)).toEqual(masked.map((text) => `::add-mask::${text}`))
  })

  it('no command where it reads none', async () => {
    await saidBy('run none.study.yaml', { GITHUB_ACTIONS: '', WHATIF_CLIENT_SECRET: SECRET })
    expect(said).not.toContain('add-mask')
  })
})
