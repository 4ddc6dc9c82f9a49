import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resolveConnection } from '../../../src/cli/access/connection.ts'
import { writeStoredEntry } from '../../../src/cli/access/stored-credentials.ts'
import { makeDoubleProject } from '../double-project.ts'

const SERVICE = 'https://service.example.org'
const ELSEWHERE = 'https://auth.example.org'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'whatif-connection-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const base = () => ({ HOME: home, XDG_CONFIG_HOME: home, WHATIF_BASE_URL: SERVICE })
const own = () => ({ ...base(), WHATIF_CLIENT_ID: 'c', WHATIF_CLIENT_SECRET: 's' })

async function credentialsFile(more: object): Promise<string> {
  const file = join(home, 'credentials.json')
  await writeFile(file, JSON.stringify({ client_id: 'c', client_secret: 's', ...more }), { mode: 0o600 })
  return file
}

describe('the identity provider', () => {
  it('is the service itself unless another is configured', async () => {
    expect(await resolveConnection({}, own())).toMatchObject({ baseUrl: SERVICE, authUrl: SERVICE })
    const named = await resolveConnection({ service: `${SERVICE}/api/` }, own())
    expect(named).toMatchObject({ baseUrl: `${SERVICE}/api`, authUrl: `${SERVICE}/api` })
  })

  it('is the service itself where the variable is empty, as a CI system passes one that is not set', async () => {
    expect(await resolveConnection({}, { ...own(), WHATIF_AUTH_URL: '' })).toMatchObject({ authUrl: SERVICE })
  })

  it('is the one that a file of credentials names', async () => {
    const file = await credentialsFile({ token_url: `${ELSEWHERE}/oauth/token` })
    const found = await resolveConnection({}, { ...base(), WHATIF_CREDENTIALS_FILE: file })
    expect(found).toMatchObject({ authUrl: ELSEWHERE })
    await credentialsFile({})
    expect(await resolveConnection({}, { ...base(), WHATIF_CREDENTIALS_FILE: file })).toMatchObject({
      authUrl: SERVICE,
    })
  })

  it('is the one that is stored with the credentials', async () => {
    const entry = { service: SERVICE, client_id: 'c', client_secret: 's', token_url: `${ELSEWHERE}/oauth/token` }
    await writeStoredEntry(base(), SERVICE, entry)
    expect(await resolveConnection({}, base())).toMatchObject({ authUrl: ELSEWHERE })
  })

  it('is the one that the command names, before all others', async () => {
    const file = await credentialsFile({ auth_url: 'https://file.example.org' })
    const env = { ...base(), WHATIF_CREDENTIALS_FILE: file, WHATIF_AUTH_URL: ELSEWHERE }
    expect(await resolveConnection({}, env)).toMatchObject({ authUrl: ELSEWHERE })
    const named = await resolveConnection({ authUrl: 'https://flag.example.org' }, env)
    expect(named).toMatchObject({ authUrl: 'https://flag.example.org' })
  })
})

describe('a run with no identity provider named', () => {
  it('gets its token from the service', async () => {
    const { project, env, remove } = await makeDoubleProject({ sharesProcess: true })
    try {
      const { WHATIF_AUTH_URL: _none, ...rest } = env
      const { code, stderr } = await project.whatif(['run', 'demo.study.yaml'], { env: rest })
      expect(code, stderr).toBe(0)
    } finally {
      await remove()
    }
  })

  it('names the address and the variable to set, when the service gives no token', async () => {
    const { project, double, env, remove } = await makeDoubleProject({ sharesProcess: true })
    try {
      double.intercept = ({ path }) => (path === '/oauth/token' ? { status: 404, json: {} } : undefined)
      const { WHATIF_AUTH_URL: _none, ...rest } = env
      const { code, stderr } = await project.whatif(['run', 'demo.study.yaml'], { env: rest })
      expect(code).toBe(5)
      expect(stderr).toContain(`The identity provider at ${double.url}/oauth/token gave no token: 404`)
      expect(stderr).toContain('set WHATIF_AUTH_URL')
    } finally {
      await remove()
    }
  })
})
