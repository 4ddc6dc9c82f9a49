import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { completeSettings, OPERATOR_TOKEN_FILE } from '../../../src/service/settings/complete-settings.ts'
import { type RunningService, startService } from '../../../src/service/start-service.ts'
import { migrate } from '../../../src/service/store/migrate.ts'
import { MIGRATIONS } from '../../../src/service/store/migrations.ts'
import { openEmbeddedDatabase } from '../../../src/service/store/pglite-database.ts'
import { ask } from './test-service.ts'

const OPERATOR = 'operator-token-of-the-tests'

let dataDir: string
const running: RunningService[] = []

// One folder for all: making its database takes seconds, opening it again does not.
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'whatif-start-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const service of running.splice(0)) await service.close()
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

async function start(options: Partial<Parameters<typeof startService>[0]> = {}): Promise<RunningService> {
  const service = await startService({ dataDir, operatorToken: OPERATOR, rateLimits: false, ...options })
  running.push(service)
  return service
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(url, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } })

/** Signup, approval, claim. */
async function becomeClient({ baseUrl }: RunningService): Promise<Record<string, string>> {
  const signup = await post(`${baseUrl}/v1/signup`, { company_name: 'A', contact_email: 'a@b.example' })
  const requestId = signup.body.request_id
  await post(`${baseUrl}/operator/v1/signups/${requestId}/approve`, {}, { authorization: `Bearer ${OPERATOR}` })
  const status = await ask(`${baseUrl}/v1/signup/${requestId}`)
  return (await post(`${baseUrl}/v1/credential-claims`, { claim_token: status.body.credential_claim_token })).body
}

const mint = async (service: RunningService, credentials: Record<string, string>) =>
  await post(`${service.authUrl}/oauth/token`, { ...credentials, audience: service.baseUrl })

describe('a service that is started', () => {
  it('listens, keeps credentials over a restart, and no secret of them in its files', async () => {
    const first = await start()
    expect(first.operatorToken).toBe(OPERATOR)
    expect(await ask(`${first.baseUrl}/healthz`)).toMatchObject({ status: 200, body: { status: 'ok' } })
    const credentials = await becomeClient(first)
    const { access_token: token } = (await mint(first, credentials)).body
    const authorization = `Bearer ${token}`
    const list = await ask(`${first.baseUrl}/v1/datasets`, { headers: { authorization } })
    expect(list.body).toMatchObject({ datasets: [] })
    await first.close()
    await first.close()
    await expect(fetch(`${first.baseUrl}/healthz`)).rejects.toThrow()

    const secrets = [credentials.client_secret as string, token as string, OPERATOR]
    for (const file of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
      const path = join(dataDir, file)
      if (!statSync(path).isFile()) continue
      const bytes = readFileSync(path)
      for (const secret of secrets) expect([file, bytes.includes(secret)]).toEqual([file, false])
    }

    const second = await start()
    expect((await mint(second, credentials)).status).toBe(200)
    expect((await mint(second, { ...credentials, client_secret: 'wrong' })).status).toBe(401)
  })

  it('shows its public address without a trailing slash', async () => {
    const service = await start({ publicUrl: 'https://service.example/base/' })
    expect(service).toMatchObject({ baseUrl: 'https://service.example/base', authUrl: 'https://service.example/base' })
  })

  it.each([
    ['all of its migrations', 0],
    ['the last of its migrations', MIGRATIONS.length - 1],
  ])('updates a data folder that lacks its queues and %s', async (_name, count) => {
    const older = mkdtempSync(join(tmpdir(), 'whatif-older-'))
    try {
      const db = await openEmbeddedDatabase(older)
      await db.exec('drop schema public cascade; create schema public')
      if (count > 0) await migrate(db, MIGRATIONS.slice(0, count))
      await db.close()
      const service = await start({ dataDir: older })
      const { access_token: token } = (await mint(service, await becomeClient(service))).body
      const list = await ask(`${service.baseUrl}/v1/datasets`, { headers: { authorization: `Bearer ${token}` } })
      expect(list.body).toMatchObject({ datasets: [] })
      await service.close()
    } finally {
      rmSync(older, { recursive: true, force: true })
    }
  })

  it('closes everything that it opened if it cannot listen', async () => {
    const blocker = createServer()
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = blocker.address() as { port: number }
      await expect(start({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    } finally {
      blocker.close()
    }
    expect((await ask(`${(await start()).baseUrl}/healthz`)).status).toBe(200)
  })

  it('refuses a folder whose keys another master key sealed, and releases the folder', async () => {
    await (await start()).close()
    await expect(start({ masterKey: 'another master key of 32 characters' })).rejects.toThrow(/another master key/)
    await start()
  })

  it('refuses a folder that another service uses', async () => {
    await start()
    await expect(start({ lockTimeoutMs: 0 })).rejects.toMatchObject({ code: 'data_folder_in_use' })
  })
})

describe('settings that are left out', () => {
  it('have defaults', () => {
    expect(completeSettings({ dataDir })).toMatchObject({
      host: '127.0.0.1',
      port: 0,
      publicUrl: null,
      masterKey: null,
      operatorToken: null,
      rateLimits: true,
      logLevel: 'silent',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    })
  })

  it('are not read from the environment, which belongs to the command line', () => {
    vi.stubEnv('WHATIF_MASTER_KEY', 'a master key from the environment')
    vi.stubEnv('WHATIF_OPERATOR_TOKEN', 'token-from-the-environment')
    vi.stubEnv('DATABASE_URL', 'postgresql://elsewhere.example/x')
    expect(completeSettings({ dataDir })).toMatchObject({ masterKey: null, operatorToken: null, databaseUrl: null })
  })

  it.skipIf(process.platform === 'win32')('are read from a private file in the data folder', () => {
    const path = join(dataDir, OPERATOR_TOKEN_FILE)
    writeFileSync(path, 'token-from-the-file\n', { mode: 0o600 })
    expect(completeSettings({ dataDir }).operatorToken).toBe('token-from-the-file')
    chmodSync(path, 0o644)
    expect(() => completeSettings({ dataDir })).toThrow('can be read by others')
    expect(completeSettings({ dataDir, operatorToken: null }).operatorToken).toBeNull()
    rmSync(path)
  })

  it.each(['api', 'worker'] as const)('do not include the role %s alone without a database to share', (role) => {
    expect(() => completeSettings({ dataDir, role })).toThrow(`the role ${role} needs a database`)
    expect(completeSettings({ dataDir, role, databaseUrl: 'postgresql://db.example/whatif' })).toMatchObject({ role })
  })

  it.each(['ftp://x', 'service.example', 'https://x?y', 'https://x/#y', 'https://u:p@x'])(
    'do not include the public address %s',
    (publicUrl) => {
      expect(() => completeSettings({ dataDir, publicUrl })).toThrow(
        'the public address is invalid: expected an http or https address',
      )
    },
  )

  it.each(['short', '', 'with white space in it', 'schlüssel-des-betreibers'])(
    'do not include the operator token %j, which no header could carry or anybody could guess',
    (operatorToken) => {
      expect(() => completeSettings({ dataDir, operatorToken })).toThrow('at least 16 characters')
    },
  )
})
