import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { networkOf } from '../../../src/service/http/rate-limits.ts'
import type { Settings } from '../../../src/service/settings/settings.ts'
import { type ServiceEvent, ServiceEvents } from '../../../src/service/telemetry/service-events.ts'
import {
  OPERATOR_TOKEN,
  openTestStore,
  startTestService,
  type TestService,
  type TestStore,
} from '../http/test-service.ts'

const DAY_MS = 24 * 3_600_000
const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` }

let folder: string
let store: TestStore
let service: TestService
const running: TestService[] = []
const emitted: ServiceEvent[] = []
let counter = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'whatif-claims-'))
  store = await openTestStore()
})
afterAll(async () => {
  for (const each of running) await each.close()
  await store?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A service behind a proxy that states the origin of a request; what happens in it is added to `emitted`. */
async function start(settings: Partial<Settings>): Promise<void> {
  const events = new ServiceEvents()
  events.listen((event) => emitted.push(event))
  service = await startTestService(store, { settings: { trustedProxies: ['127.0.0.1'], ...settings }, events })
  running.push(service)
}

const from = (address: string) => ({ 'x-forwarded-for': address })
const newEmail = () => `claims${++counter}@example.com`
const signup = async (address = '192.0.2.1', contactEmail = newEmail()) =>
  (await service.post('/v1/signup', { company_name: 'A', contact_email: contactEmail }, from(address))).body
const approve = async (requestId: string) =>
  (await service.post(`/operator/v1/signups/${requestId}/approve`, undefined, operator)).body
const statusOf = async (requestId: string) => (await service.get(`/v1/signup/${requestId}`)).body
const claim = async (token: string, address = '192.0.2.1') =>
  await service.post('/v1/credential-claims', { claim_token: token }, from(address))
const listed = async (requestId: string) => {
  const { signups } = (await service.get('/operator/v1/signups?limit=100', operator)).body
  return signups.find((entry: { request_id: string }) => entry.request_id === requestId)
}

describe('a claim token that the operator distributes', () => {
  beforeAll(async () => await start({ claims: 'operator' }))

  it('is not shown to somebody who knows the e-mail address', async () => {
    const contactEmail = newEmail()
    const { request_id: requestId } = await signup('192.0.2.1', contactEmail)
    await approve(requestId)
    const again = await signup('203.0.113.66', contactEmail)
    expect(again).toEqual({ request_id: requestId, status: 'approved' })
    expect(await statusOf(again.request_id)).toEqual({
      request_id: requestId,
      status: 'approved',
      client_id: expect.stringMatching(/^cli_/),
    })
  })

  it('is in the answer to the approval and can be claimed once', async () => {
    const { request_id: requestId } = await signup()
    const approved = await approve(requestId)
    expect(approved).toMatchObject({
      status: 'approved',
      credential_claim_token: expect.stringMatching(/^clm_/),
      claim_expires_at: new Date(service.clock.nowMs + 7 * DAY_MS).toISOString(),
    })
    expect(await approve(requestId)).toEqual(approved)
    expect(await listed(requestId)).not.toHaveProperty('credential_claim_token')
    const claimed = await claim(approved.credential_claim_token)
    expect(claimed.body).toMatchObject({ client_id: approved.client_id, client_secret: expect.any(String) })
    expect(await approve(requestId)).not.toHaveProperty('credential_claim_token')
  })

  it('is renewed only by the operator after it expired', async () => {
    const contactEmail = newEmail()
    const { request_id: requestId } = await signup('192.0.2.1', contactEmail)
    const { credential_claim_token: first, client_id: clientId } = await approve(requestId)
    service.clock.nowMs += 7 * DAY_MS + 1
    const tokens = async () =>
      (await store.db.query('select 1 from claim_tokens where client_id = $1', [clientId])).length
    await signup('192.0.2.1', contactEmail)
    expect(await tokens()).toBe(1)
    const { credential_claim_token: second } = await approve(requestId)
    expect(await tokens()).toBe(2)
    expect([(await claim(first)).status, (await claim(second)).status]).toEqual([400, 200])
  })
})

describe('a first claim', () => {
  beforeAll(async () => await start({ claims: 'status' }))

  it.each([
    ['the same address', '192.0.2.7', '192.0.2.7', false],
    ['another address', '192.0.2.7', '203.0.113.66', true],
    ['the same network of one IPv6 host', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9', false],
    ['another IPv6 network', '2001:db8:1:2::1', '2001:db8:1:3::1', true],
  ])(
    'from %s is shown to the operator, and reported if the network differs from that of the signup',
    async (_name, asker, claimer, elsewhere) => {
      const { request_id: requestId } = await signup(asker)
      const { client_id: clientId } = await approve(requestId)
      const { credential_claim_token: token } = await statusOf(requestId)
      emitted.length = 0
      expect((await claim(token, claimer)).status).toBe(200)
      expect(await listed(requestId)).toMatchObject({ claimed_at: expect.any(String), claimed_elsewhere: elsewhere })
      expect(emitted).toEqual(elsewhere ? [{ type: 'credentials.claimed_elsewhere', clientId }] : [])
    },
  )

  it('removes the address, which is stored as a hash until then', async () => {
    const hashes = async () =>
      (await store.db.query(`select address_hash from signups where address_hash is not null`)).length
    const before = await hashes()
    const { request_id: requestId } = await signup('192.0.2.77')
    const declined = await signup('192.0.2.77')
    expect(await hashes()).toBe(before + 2)
    const rows = await store.db.query<{ address_hash: string }>(
      'select address_hash, row_to_json(signups)::text as row from signups where request_id = any($1::text[])',
      [[requestId, declined.request_id]],
    )
    expect(JSON.stringify(rows)).not.toContain('192.0.2.77')
    expect(rows[0]?.address_hash).not.toBe(rows[1]?.address_hash)
    await service.post(`/operator/v1/signups/${declined.request_id}/decline`, undefined, operator)
    await approve(requestId)
    await claim((await statusOf(requestId)).credential_claim_token)
    expect(await hashes()).toBe(before)
  })
})

describe('the network of a peer address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0001:0002:3:4:5:6', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['no address', 'no address'],
  ])('of %s is %s', (address, network) => expect(networkOf(address)).toBe(network))
})

describe('the command after an approval', () => {
  /** Writes its arguments to a file. */
  const write = (name: string): readonly string[] => {
    const script = join(folder, 'write.mjs')
    writeFileSync(
      script,
      `import { renameSync, writeFileSync } from 'node:fs'
       const path = process.argv[2]
       writeFileSync(path + '.part', JSON.stringify({ args: process.argv.slice(3), env: process.env }))
       renameSync(path + '.part', path)`,
    )
    return [process.execPath, script, join(folder, name), '$(touch injected)', ';']
  }
  const read = async (name: string) => {
    await expect.poll(() => existsSync(join(folder, name))).toBe(true)
    return JSON.parse(readFileSync(join(folder, name), 'utf8'))
  }

  it('gets the request and the contact in its environment, gets no secret of the service, and runs without a shell', async () => {
    vi.stubEnv('WHATIF_MASTER_KEY', 'canary-of-the-master-key')
    await start({ claims: 'status', onApproval: write('first.json') })
    // Letters that an e-mail address may have, and that a shell would run.
    const contactEmail = `$(touch\${IFS}injected)\`id\`${counter}@example.com`.replaceAll(/[()]/g, '')
    const { request_id: requestId } = await signup('192.0.2.1', contactEmail)
    const { client_id: clientId } = await approve(requestId)
    const { args, env } = await read('first.json')
    vi.unstubAllEnvs()
    expect(args).toEqual(['$(touch injected)', ';'])
    const ours = Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('WHATIF_')))
    expect(ours).toEqual({
      WHATIF_REQUEST_ID: requestId,
      WHATIF_CONTACT_EMAIL: contactEmail.toLowerCase(),
      WHATIF_CLIENT_ID: clientId,
    })
  })

  it('gets the claim token where the operator hands them out, and is run once', async () => {
    await start({ claims: 'operator', onApproval: write('second.json') })
    const { request_id: requestId } = await signup()
    const { credential_claim_token: token } = await approve(requestId)
    expect((await read('second.json')).env.WHATIF_CLAIM_TOKEN).toBe(token)
    rmSync(join(folder, 'second.json'))
    emitted.length = 0
    await start({ claims: 'operator', onApproval: [join(folder, 'missing')] })
    await approve(requestId)
    const next = await signup()
    const { client_id: clientId } = await approve(next.request_id)
    // If the first approval were reported again, its failure would precede this one.
    const fault = 'it cannot be started (ENOENT)'
    await expect.poll(() => emitted).toEqual([{ type: 'approval_command.failed', clientId, fault }])
  })

  it('is reported when it fails, and the approval stays', async () => {
    await start({ onApproval: [process.execPath, '-e', 'process.exit(3)'] })
    emitted.length = 0
    const { request_id: requestId } = await signup()
    const { client_id: clientId, status } = await approve(requestId)
    expect(status).toBe('approved')
    await expect.poll(() => emitted).toEqual([{ type: 'approval_command.failed', clientId, fault: 'it ended with 3' }])
  })
})
