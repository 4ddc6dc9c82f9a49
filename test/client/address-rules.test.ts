import { describe, expect, it } from 'vitest'
import {
  addressUnder,
  artifactAddress,
  checkedAddress,
  isLoopback,
  redirectAddress,
} from '../../src/client/address-rules.ts'
import { createServiceClient } from '../../src/client/create-service-client.ts'
import { ServiceError } from '../../src/client/service-error.ts'

const SERVICE = checkedAddress('https://service.example', 'address of the service')
const LOCAL = checkedAddress('http://127.0.0.1:8080', 'address of the service')

describe('the address of a service', () => {
  it.each([
    ['https://service.example', 'https://service.example/'],
    ['https://service.example/', 'https://service.example/'],
    ['https://service.example:8443/api/', 'https://service.example:8443/api'],
    ['http://localhost:3000', 'http://localhost:3000/'],
    ['http://127.0.0.1', 'http://127.0.0.1/'],
    ['http://127.255.0.7:1', 'http://127.255.0.7:1/'],
    ['http://127.1:1', 'http://127.0.0.1:1/'],
    ['http://[::1]:8080', 'http://[::1]:8080/'],
  ])('%s is %s', (address, href) => {
    expect(checkedAddress(address, 'address').href).toBe(href)
  })

  it.each([
    ['http://service.example', 'must be https (http://service.example is not, and not on this machine)'],
    ['http://localhost.evil.example', 'must be https'],
    ['http://127.0.0.1.evil.example', 'must be https'],
    ['http://128.0.0.1', 'must be https'],
    ['http://[::2]', 'must be https'],
    ['http://[::ffff:10.0.0.1]', 'must be https'],
    ['ftp://localhost', 'must be https'],
    ['file:///etc/passwd', 'must be https'],
    ['https://user:hunter2@service.example', 'must not contain a user name or password'],
    ['https://service.example?x=1', 'must not have a query or a fragment'],
    ['https://service.example#x', 'must not have a query or a fragment'],
    ['service.example', 'is not an address'],
    ['', 'is not an address'],
  ])('%s is refused: it %s', (address, why) => {
    const check = () => checkedAddress(address, 'address of the service')
    expect(check).toThrow(ServiceError)
    expect(check).toThrow(`The address of the service ${why}`)
    expect(check).not.toThrow('hunter2')
  })

  it('is checked with that of the identity provider before anything is sent', () => {
    const options = { baseUrl: 'https://service.example', clientId: 'c', clientSecret: 'canary-secret' }
    const make = (more: object) => () => createServiceClient({ ...options, ...more })
    expect(make({ authUrl: 'http://idp.example' })).toThrow('The address of the identity provider must be https')
    expect(make({ tokenUrl: 'http://idp.example/oauth/token' })).toThrow(
      'The address of the token operation must be https',
    )
    expect(make({ baseUrl: 'http://service.example', authUrl: 'https://idp.example' })).toThrow(
      'The address of the service',
    )
    expect(make({})).toThrow('a secret is never sent to a guessed address')
    expect(make({})).not.toThrow('canary')
  })

  it.each([
    ['https://service.example', 'https://service.example/v1/jobs/j'],
    ['https://service.example/api/', 'https://service.example/api/v1/jobs/j'],
  ])('%s is extended to %s', (base, href) => {
    expect(addressUnder(checkedAddress(base, 'address'), '/v1/jobs/j').href).toBe(href)
  })

  it('is recognized when it is on this machine', () => {
    expect(isLoopback(LOCAL)).toBe(true)
    expect(isLoopback(SERVICE)).toBe(false)
  })
})

describe('the address of an artifact', () => {
  const API = checkedAddress('https://service.example/api', 'address')

  it.each([
    { base: SERVICE, value: '/v1/a?sig=1', href: 'https://service.example/v1/a?sig=1', own: true },
    { base: SERVICE, value: 'v1/a', href: 'https://service.example/v1/a', own: true },
    { base: SERVICE, value: '@evil.example/a', href: 'https://service.example/@evil.example/a', own: true },
    { base: SERVICE, value: ':8080/a', href: 'https://service.example/:8080/a', own: true },
    { base: SERVICE, value: '/../../a', href: 'https://service.example/a', own: true },
    { base: API, value: '/v1/a', href: 'https://service.example/api/v1/a', own: true },
    { base: API, value: '/api/v1/a', href: 'https://service.example/api/v1/a', own: true },
    { base: SERVICE, value: 'https://service.example/v1/a', href: 'https://service.example/v1/a', own: true },
    { base: SERVICE, value: 'HTTPS://SERVICE.EXAMPLE:443/v1/a', href: 'https://service.example/v1/a', own: true },
    { base: SERVICE, value: 'https://bucket.example/a?sig=1', href: 'https://bucket.example/a?sig=1', own: false },
    { base: SERVICE, value: 'https://service.example:8443/a', href: 'https://service.example:8443/a', own: false },
    {
      base: SERVICE,
      value: 'https://service.example.evil.example/',
      href: 'https://service.example.evil.example/',
      own: false,
    },
    { base: LOCAL, value: 'http://127.0.0.1:9000/a', href: 'http://127.0.0.1:9000/a', own: false },
    { base: LOCAL, value: 'http://127.0.0.1:8080/a', href: 'http://127.0.0.1:8080/a', own: true },
  ])('$value is $href (own: $own)', ({ base, value, href, own }) => {
    const address = artifactAddress(base, value)
    expect({ href: address.url.href, own: address.own }).toEqual({ href, own })
  })

  it.each([
    ['http://service.example/a', 'leads to another host without https'],
    ['http://bucket.example/a', 'leads to another host without https'],
    ['//bucket.example/a', 'names a host without a scheme'],
    ['/\\bucket.example/a', 'has a character that is not allowed in addresses'],
    ['\\\\bucket.example/a', 'has a character that is not allowed in addresses'],
    ['/\t/bucket.example/a', 'has a character that is not allowed in addresses'],
    [' https://bucket.example/a', 'has a character that is not allowed in addresses'],
    ['https://a:b@bucket.example/', 'contains a user name or password'],
    ['https://', 'is not an address'],
    ['httpx/y', 'is not an address'],
    ['http:a', 'leads to another host without https'],
    ['data:text/csv,a', 'has the scheme data:'],
    ['file:///etc/passwd', 'has the scheme file:'],
  ])('%j is refused: it %s', (value, why) => {
    expect(() => artifactAddress(SERVICE, value)).toThrow(`The artifact address that the service gave ${why}`)
  })

  it('is checked by the same rules after a redirect', () => {
    const from = new URL('https://bucket.example/a/b')
    expect(redirectAddress(SERVICE, from, '../c?x=1').href).toBe('https://bucket.example/c?x=1')
    expect(redirectAddress(SERVICE, from, '//other.example/c').href).toBe('https://other.example/c')
    expect(() => redirectAddress(SERVICE, from, 'http://bucket.example/c')).toThrow('without https')
    expect(() => redirectAddress(SERVICE, from, 'https://[')).toThrow('is not an address')
    expect(() => redirectAddress(SERVICE, from, '/\\evil.example')).toThrow('is not an address')
  })
})
