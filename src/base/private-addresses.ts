import { lookup as dnsLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'

/**
 * The kind of a network address. `private`: of a private network (RFC 1918, unique local, shared, and unrouted ranges).
 * `link-local`: of the local link only, where clouds serve the credentials of a machine.
 */
export type AddressKind = 'public' | 'private' | 'link-local' | 'loopback'

/** The first match counts. IPv4 as bytes and prefix length. */
const RANGES_4: readonly (readonly [AddressKind, readonly number[], number])[] = [
  ['loopback', [127], 8],
  // "This host": Linux connects it to itself.
  ['loopback', [0], 8],
  ['link-local', [169, 254], 16],
  ['private', [10], 8],
  ['private', [172, 16], 12],
  ['private', [192, 168], 16],
  ['private', [100, 64], 10],
  ['private', [192, 0, 0], 24],
  ['private', [198, 18], 15],
  // Multicast, reserved, broadcast.
  ['private', [224], 3],
]

/** The same for IPv6 addresses without an embedded IPv4 address. */
const RANGES_6: readonly (readonly [AddressKind, readonly number[], number])[] = [
  ['link-local', [0xfe, 0x80], 10],
  ['private', [0xfe, 0xc0], 10],
  ['private', [0xfc], 7],
  ['private', [0xff], 8],
  // Translated to IPv4 within a private network (RFC 8215).
  ['private', [0x00, 0x64, 0xff, 0x9b, 0x00, 0x01], 48],
]

/** Prefixes that embed an IPv4 address, and its offset: mapped, compatible, NAT64, 6to4. */
const EMBEDDED: readonly (readonly [prefix: readonly number[], bits: number, at: number])[] = [
  [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 96, 12],
  [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 96, 12],
  [[0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], 96, 12],
  [[0x20, 0x02], 16, 2],
]

/** @param address as a socket or a name server gives it; any other text is not public. */
export function kindOfAddress(address: string): AddressKind {
  const version = isIP(address)
  if (version === 4) return kindIn(RANGES_4, address.split('.').map(Number))
  if (version !== 6) return 'private'
  const bytes = bytesOf6(address.replace(/%.*$/, ''))
  if (bytes.slice(0, 15).every((byte) => byte === 0) && bytes[15]! <= 1) return 'loopback'
  const embedded = EMBEDDED.find(([prefix, bits]) => startsWith(bytes, prefix, bits))
  if (embedded !== undefined) return kindIn(RANGES_4, bytes.slice(embedded[2], embedded[2] + 4))
  return kindIn(RANGES_6, bytes)
}

function kindIn(ranges: typeof RANGES_4, bytes: readonly number[]): AddressKind {
  return ranges.find(([, prefix, bits]) => startsWith(bytes, prefix, bits))?.[0] ?? 'public'
}

function startsWith(bytes: readonly number[], prefix: readonly number[], bits: number): boolean {
  for (let i = 0; i * 8 < bits; i++) {
    const mask = 0xff << Math.max(0, 8 * (i + 1) - bits)
    if (((bytes[i]! ^ (prefix[i] ?? 0)) & mask & 0xff) !== 0) return false
  }
  return true
}

/** 16 bytes of an IPv6 address that `isIP` has passed. */
function bytesOf6(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const inWords =
    dotted === null
      ? address
      : `${dotted[1]}${word(Number(dotted[2]), Number(dotted[3]))}:${word(Number(dotted[4]), Number(dotted[5]))}`
  const [head = '', tail] = inWords.split('::')
  const words = (text: string) => (text === '' ? [] : text.split(':').map((part) => Number.parseInt(part, 16)))
  const [before, after] = [words(head), words(tail ?? '')]
  const zeros = Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0)
  return [...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff])
}

const word = (high: number, low: number): string => ((high << 8) | low).toString(16)

/** Kinds of address to which a service may send its client, by the kind at which the service was reached. */
const ALLOWED: Readonly<Record<AddressKind, readonly AddressKind[]>> = {
  loopback: ['loopback', 'link-local', 'private'],
  'link-local': ['link-local', 'private'],
  private: ['private'],
  public: [],
}

/** Whether a service that was reached at an address of kind `service` may send its client to one of kind `target`. */
export function mayLeadTo(service: AddressKind, target: AddressKind): boolean {
  return target === 'public' || ALLOWED[service].includes(target)
}

/**
 * Resolves names as `resolve` does, and rejects those for which `refusal` returns an error. The socket itself calls it,
 * so the checked addresses are the ones it connects to, even if the name resolves differently a moment later.
 */
export function guardedLookup(
  refusal: (host: string, address: string) => Error | null,
  resolve: LookupFunction = dnsLookup as LookupFunction,
): LookupFunction {
  return (host, options, done) => {
    resolve(host, options, (error, found, family) => {
      if (error) return done(error, found, family)
      const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address)
      for (const address of addresses) {
        const refused = refusal(host, address)
        if (refused !== null) return done(refused, found, family)
      }
      done(null, found, family)
    })
  }
}
