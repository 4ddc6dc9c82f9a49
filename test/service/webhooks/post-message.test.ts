import type { LookupFunction } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WebhookAddresses } from '../../../src/service/settings/settings.ts'
import { PAUSES_MS, pauseAfter } from '../../../src/service/webhooks/delivery-schedule.ts'
import { postMessage } from '../../../src/service/webhooks/post-message.ts'
import { faultOfAddress } from '../../../src/service/webhooks/webhook-address.ts'
import { type Receiver, startReceiver } from './receiver.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(async () => await receiver.close())

/** A name server that answers with these addresses, one question after the other, and counts the questions. */
function nameServer(...answers: readonly (readonly string[])[]) {
  const asked = { count: 0 }
  const lookup: LookupFunction = (_host, options, done) => {
    const found = answers[Math.min(asked.count++, answers.length - 1)] as readonly string[]
    const addresses = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    if (options.all) return done(null, addresses)
    done(null, addresses[0]!.address, addresses[0]!.family)
  }
  return { lookup, asked }
}

const send = async (url: string, allowed: WebhookAddresses, lookup?: LookupFunction) =>
  await postMessage(
    { url, headers: { 'content-type': 'application/json' }, body: '{}' },
    { allowed, timeoutMs: 300, signal: new AbortController().signal, lookup },
  )

describe('the address of a webhook', () => {
  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::10.0.0.1]/',
    'https://10.1.2.3/',
    'https://192.168.0.1/',
    'https://172.16.0.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
    'https://0.0.0.0/',
  ])('%s is not public', async (url) => {
    expect(faultOfAddress(url, 'public')).toBe('must be on a public address')
    await expect(send(url, 'public')).rejects.toThrow('The address must be on a public address.')
  })

  it.each(['https://169.254.169.254/', 'https://[fe80::1]/', 'http://[::ffff:169.254.169.254]/'])(
    '%s is never allowed',
    (url) => {
      expect(faultOfAddress(url, 'private')).toBe('must be on a public address')
    },
  )

  it.each([['https://receiver.example/a?b=c'], ['https://8.8.8.8/'], ['https://[2606:4700::1111]:8443/']])(
    '%s is public',
    (url) => {
      expect(faultOfAddress(url, 'public')).toBeNull()
    },
  )

  it('may be http where the operator allows private addresses', () => {
    expect(faultOfAddress('http://receiver.example/', 'public')).toBe('must be https')
    expect(faultOfAddress('http://receiver.example/', 'private')).toBeNull()
  })
})

describe('a name', () => {
  const port = () => new URL(receiver.url).port

  it.each([
    ['this machine', ['127.0.0.1']],
    ['the private network', ['10.0.0.7']],
    ['the local link', ['169.254.169.254']],
    ['a public and a private address', ['192.0.2.1', '127.0.0.1']],
    ['an IPv6 address of this machine', ['::1']],
  ])('that leads to %s is refused', async (_where, addresses) => {
    const { lookup } = nameServer(addresses)
    const before = receiver.deliveries.length
    await expect(send(`https://receiver.example:${port()}/`, 'public', lookup)).rejects.toThrow(
      'The name of the host leads to an address that is not public.',
    )
    expect(receiver.deliveries).toHaveLength(before)
  })

  it('is resolved once: what it leads to a moment later does not count', async () => {
    const { lookup, asked } = nameServer(['192.0.2.1'], ['127.0.0.1'])
    const before = receiver.deliveries.length
    await expect(send(`https://receiver.example:${port()}/`, 'public', lookup)).rejects.toThrow()
    expect(asked.count).toBe(1)
    expect(receiver.deliveries).toHaveLength(before)
  })

  it('that leads to the private network is reached where the operator allows it', async () => {
    const { lookup } = nameServer(['127.0.0.1'])
    expect(await send(`http://receiver.example:${port()}/`, 'private', lookup)).toMatchObject({ status: 204 })
    expect(receiver.deliveries.at(-1)?.headers.host).toBe(`receiver.example:${port()}`)
    const { lookup: toCloud } = nameServer(['169.254.169.254'])
    await expect(send('http://receiver.example/', 'private', toCloud)).rejects.toThrow('not public')
  })
})

describe('an attempt without an answer', () => {
  it.each([
    ['http://127.0.0.1:1/', 'The connection was refused.'],
    ['http://nobody.invalid/', 'The name of the host is not known.'],
  ])('to %s says why', async (url, message) => {
    await expect(send(url, 'private')).rejects.toThrow(message)
  })

  it('says that the receiver speaks no TLS', async () => {
    await expect(send(receiver.url.replace('http:', 'https:'), 'private')).rejects.toThrow(/TLS|connection broke/)
  })
})

describe('the pauses between attempts', () => {
  it('fit into 72 hours and use most of them', () => {
    const sum = PAUSES_MS.reduce((total, pause) => total + pause, 0)
    expect(sum).toBeLessThan(72 * 3_600_000)
    expect(sum).toBeGreaterThan(71 * 3_600_000)
  })

  it('grow, vary by a tenth, and end', () => {
    expect(pauseAfter(1, null, { random: () => 0 })).toBe(5_000)
    expect(pauseAfter(1, null, { random: () => 1 })).toBe(4_500)
    expect(pauseAfter(10, null)).toBeNull()
  })

  it('follow Retry-After within a day', () => {
    expect(pauseAfter(1, '120')).toBe(120_000)
    expect(pauseAfter(1, '999999999')).toBe(86_400_000)
    expect(pauseAfter(1, 'Wed, 21 Oct 2026 07:28:00 GMT', { random: () => 0 })).toBe(5_000)
  })
})
