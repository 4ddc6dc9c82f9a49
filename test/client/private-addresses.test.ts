import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { LookupFunction } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { guardedLookup, kindOfAddress, mayLeadTo } from '../../src/base/private-addresses.ts'
import { checkedAddress, refusedAddress } from '../../src/client/address-rules.ts'
import { inScope } from '../../src/client/call-scope.ts'
import { downloadArtifact } from '../../src/client/download-artifact.ts'
import { ReplyStream } from '../../src/client/reply-stream.ts'
import { createTransport } from '../../src/client/transport.ts'
import { failure, fakeClock, useRig } from './client-rig.ts'
import { type ScriptedService, startScriptedService } from './scripted-service.ts'

describe('the kind of an address', () => {
  it.each([
    [
      'loopback',
      ['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '::1', '::', '::ffff:127.0.0.1', '::ffff:7f00:1'],
    ],
    ['loopback', ['::127.0.0.1', '64:ff9b::127.0.0.1', '2002:7f00:1::']],
    [
      'link-local',
      ['169.254.169.254', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
    ],
    ['link-local', ['64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::1']],
    ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '198.19.0.1', '192.0.0.8']],
    [
      'private',
      ['fc00::1', 'fd12:3456::1', 'fec0::1', '::ffff:10.0.0.1', '::ffff:c0a8:101', '64:ff9b:1::1', 'ff02::1'],
    ],
    ['private', ['224.0.0.1', '255.255.255.255', 'localhost', '']],
    ['public', ['1.1.1.1', '172.15.0.1', '172.32.0.1', '100.128.0.1', '169.253.0.1', '192.0.1.1', '223.255.255.255']],
    ['public', ['2606:4700::1111', '::ffff:1.1.1.1', '64:ff9b::101:101', '2002:101:101::', 'fbff::1', 'fe00::1']],
  ] as const)('%s: %j', (kind, addresses) => {
    for (const address of addresses) expect([address, kindOfAddress(address)]).toEqual([address, kind])
  })
})

describe('the rule for addresses to which a service may lead its client', () => {
  it.each([
    ['public', ['public']],
    ['private', ['public', 'private']],
    ['link-local', ['public', 'private', 'link-local']],
    ['loopback', ['public', 'private', 'link-local', 'loopback']],
  ] as const)('from a %s address to %j', (service, targets) => {
    const all = ['public', 'private', 'link-local', 'loopback'] as const
    expect(all.filter((target) => mayLeadTo(service, target))).toEqual(targets)
  })
})

describe('a name', () => {
  const answering = (addresses: readonly string[]): LookupFunction => {
    return (_host, { all }, done) =>
      all
        ? done(
            null,
            addresses.map((address) => ({ address, family: 4 })),
          )
        : done(null, addresses[0]!, 4)
  }
  const resolved = (addresses: readonly string[], all: boolean) =>
    new Promise((settle) => {
      const guarded = guardedLookup((host, at) => refusedAddress('public', host, at), answering(addresses))
      guarded('storage.test', { all }, (error, found) => settle(error ?? found))
    })

  it.each([true, false])('with a private address is refused, even if it is one of many (all: %s)', async (all) => {
    const refusal = {
      message: expect.stringContaining('leads to a private address'),
      located: expect.stringContaining('(storage.test, which is 10.0.0.1)'),
    }
    expect(await resolved(['10.0.0.1'], all)).toMatchObject(refusal)
    if (all) expect(await resolved(['1.1.1.1', '10.0.0.1'], all)).toMatchObject(refusal)
  })

  it('with public addresses is resolved unchanged', async () => {
    expect(await resolved(['1.1.1.1'], false)).toBe('1.1.1.1')
    expect(await resolved(['1.1.1.1'], true)).toEqual([{ address: '1.1.1.1', family: 4 }])
  })
})

describe('an artifact of a remote service', () => {
  const rig = useRig()
  let folder: string
  let inside: ScriptedService
  let lookups: number
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whatif-private-'))
    inside = await startScriptedService()
    lookups = 0
  })
  afterEach(async () => {
    await inside.close()
    await rm(folder, { recursive: true })
  })

  /** Every name resolves to this machine. */
  const lookup: LookupFunction = (_host, { all }, done) => {
    lookups++
    if (all) done(null, [{ address: '127.0.0.1', family: 4 }])
    else done(null, '127.0.0.1', 4)
  }
  const remote = (allowPrivateAddresses = false) =>
    rig.connect({ baseUrl: 'https://service.test', authUrl: rig.service.url, lookup, allowPrivateAddresses })
  const port = () => new URL(inside.url).port
  const fetched = (url: string, client = remote()) =>
    failure(client.downloadArtifact({ url, path: join(folder, 'rows.csv') }))

  it.each([
    ['this machine', '127.0.0.1', 'this machine'],
    ['this machine by IPv6', '[::1]', 'this machine'],
    ['this machine, mapped', '[::ffff:127.0.0.1]', 'this machine'],
    ['this machine in another spelling', '0x7f.1', 'this machine'],
    ['the credentials of a cloud', '169.254.169.254', 'a link-local address'],
    ['a private network', '192.168.0.1', 'a private address'],
    ['a unique local address', '[fd00::1]', 'a private address'],
  ])('at %s is refused before anything is sent', async (_, host, where) => {
    expect(await fetched(`https://${host}:${port()}/x`)).toMatchObject({
      kind: 'reply',
      message: `The artifact address that the service gave leads to ${where}; it was not fetched. If the storage of the service lies in your own network, pass --allow-private-addresses or set WHATIF_ALLOW_PRIVATE_ADDRESSES=1; otherwise report it to the operator of the service.`,
    })
    expect(rig.clock.waits).toEqual([])
    expect(await readdir(folder)).toEqual([])
  })

  it('at a name of a private address is refused by the address that the socket connects to, after one look-up', async () => {
    const error = await fetched(`https://storage.test:${port()}/x`)
    expect(error).toMatchObject({ kind: 'reply', located: expect.stringContaining('storage.test, which is 127.0.0.1') })
    expect(error.message, 'files name no host').not.toContain('storage.test')
    expect(lookups).toBe(1)
  })

  it('is requested at a private address if that is allowed', async () => {
    // The listener there speaks no TLS, which shows that the client connected to it.
    expect(await fetched(`https://storage.test:${port()}/x`, remote(true))).toMatchObject({ kind: 'network' })
  })

  it('behind a redirect is refused as well', async () => {
    const clock = fakeClock()
    const transport = createTransport({ ...clock, lookup })
    const base = checkedAddress('https://service.test', 'address of the service')
    const location = `https://storage.test:${port()}/x`
    const redirecting = {
      ...transport,
      open: async () => ({
        status: 302,
        peer: '203.0.113.7',
        header: (name: string) => (name === 'location' ? location : null),
        body: new ReplyStream({ pause: () => {}, resume: () => {}, drop: () => {} }),
      }),
    }
    const refusal = (host: string, address: string) => refusedAddress('public', host, address)
    const bearer = { get: async () => 'token', discard: () => false }
    const service = { base, bearer, secrets: [], refusal }
    const download = { url: '/v1/generations/gen_1/artifact', path: join(folder, 'rows.csv') }
    const error = await failure(
      inScope({ call: undefined, limitMs: 60_000, closing: transport.closing, now: clock.now }, (scope) =>
        downloadArtifact(redirecting, scope, service, download),
      ),
    )
    expect(error).toMatchObject({ kind: 'reply', message: expect.stringContaining('leads to this machine') })
    await transport.close()
  })

  it('may have a private address when the service is on this machine', async () => {
    expect(refusedAddress('loopback', 'storage.test', '127.0.0.1')).toBe(null)
    const transport = createTransport({})
    const url = new URL(rig.service.url)
    expect(transport.reachedAt(url.origin)).toBe(null)
    const reply = await transport.open({ method: 'GET', url, headers: {} }, new AbortController().signal)
    reply.body.destroy()
    expect(transport.reachedAt(url.origin)).toBe('loopback')
    await transport.close()
  })
})
