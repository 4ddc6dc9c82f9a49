import { BlockList, isIP } from 'node:net'
import {
  CLAIMS_WAYS,
  type ClaimsWay,
  type EvidenceCap,
  LOG_LEVELS,
  type LogLevel,
  type Rate,
  ROLES,
  type Role,
  WEBHOOK_ADDRESSES,
  type WebhookAddresses,
} from './settings.ts'

// Parsers of one value each. They throw an `Error` that says what is expected; the caller names the setting.

export function text(value: string): string {
  return value
}

export function count(value: string): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number) || number < 1) {
    throw new Error('a whole number of at least 1')
  }
  return number
}

/** A whole number, or `none`: no limit. */
export function countOrNone(value: string): number | null {
  if (value === 'none') return null
  const number = Number(value)
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number) || number < 1) {
    throw new Error('a whole number of at least 1, or none')
  }
  return number
}

/** Smaller tables are made of batches whose size depends on all rows: see LEAST_PARTED_ROWS of the engine. */
const FEWEST_SPLIT_ROWS = 1_015_808

export function splitRows(value: string): number {
  const rows = count(value)
  if (rows < FEWEST_SPLIT_ROWS) throw new Error(`a whole number of at least ${FEWEST_SPLIT_ROWS}`)
  return rows
}

/** One connection waits for its turn to make the queues while another makes them. */
const SMALLEST_POOL = 2

export function poolSize(value: string): number {
  if (!/^\d{1,4}$/.test(value) || Number(value) < SMALLEST_POOL) {
    throw new Error(`a whole number from ${SMALLEST_POOL} to 9999`)
  }
  return Number(value)
}

/** Whole seconds, up to a day; in milliseconds. */
export function seconds(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) < 1 || Number(value) > 86_400) {
    throw new Error('whole seconds from 1 to 86400')
  }
  return Number(value) * 1000
}

/** Whole seconds, 0 for none. */
export function drainSeconds(value: string): number {
  if (!/^\d{1,3}$/.test(value) || Number(value) > 600) throw new Error('whole seconds, at most 600')
  return Number(value)
}

export function port(value: string): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number > 65_535) throw new Error('a port from 0 to 65535')
  return number
}

export function onOrOff(value: string): boolean {
  if (value !== 'on' && value !== 'off') throw new Error('on or off')
  return value === 'on'
}

export function role(value: string): Role {
  return oneOf(ROLES, value)
}

export function storage(value: string): 'known' | 'new' {
  return oneOf(['known', 'new'], value)
}

export function webhookAddresses(value: string): WebhookAddresses {
  return oneOf(WEBHOOK_ADDRESSES, value)
}

export function claimsWay(value: string): ClaimsWay {
  return oneOf(CLAIMS_WAYS, value)
}

/** A program and its arguments, split at white space: no shell reads them. */
export function command(value: string): readonly string[] {
  const words = value.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) throw new Error('a program, with its arguments after it')
  return words
}

export function logLevel(value: string): LogLevel {
  return oneOf(LOG_LEVELS, value)
}

function oneOf<T extends string>(words: readonly T[], value: string): T {
  const word = words.find((candidate) => candidate === value)
  if (word === undefined) throw new Error(`one of ${words.join(', ')}`)
  return word
}

const SIZE_UNITS: Readonly<Record<string, number>> = { '': 1, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 }

/** `500MiB`, `20GiB`, `2TiB`, or bytes; `none`: no limit. */
export function size(value: string): number | null {
  if (value === 'none') return null
  const [, amount = '', unit = ''] = /^(\d{1,15})(MiB|GiB|TiB|)$/.exec(value) ?? []
  const bytes = Number(amount) * (SIZE_UNITS[unit] as number)
  if (amount === '' || !Number.isSafeInteger(bytes)) throw new Error('a size such as 500MiB or 20GiB, or none')
  return bytes
}

/** `20:100`: 20 a second on average, 100 at once. */
export function rate(value: string): Rate {
  const [perSecond, burst, ...rest] = value.split(':').map(Number)
  if (perSecond === undefined || burst === undefined || rest.length > 0 || !(perSecond > 0) || !(burst >= 1)) {
    throw new Error('PER_SECOND:BURST, such as 20:100')
  }
  if (!Number.isFinite(perSecond) || !Number.isSafeInteger(burst)) throw new Error('PER_SECOND:BURST, such as 20:100')
  return { perSecond, burst }
}

/** `10:100`: up to 10 times its natural share, or 100 rows per row of the seed. */
export function evidenceCap(value: string): EvidenceCap {
  const [naturalShareFactor = 0, rowsPerSeedRow = 0, ...rest] = value.split(':').map(Number)
  const isCap = [naturalShareFactor, rowsPerSeedRow].every((factor) => Number.isFinite(factor) && factor >= 1)
  if (!isCap || rest.length > 0) throw new Error('TIMES:ROWS, both at least 1, such as 10:100')
  return { naturalShareFactor, rowsPerSeedRow }
}

/** An http or https address, nothing after its path; without its trailing slashes. */
export function httpAddress(value: string): string {
  return issuer(value).replace(/\/+$/, '')
}

/** The same, character by character: a token names its issuer exactly so (RFC 7519, 4.1.1). */
export function issuer(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  if (url === null || !/^https?:$/.test(url.protocol) || /[?#]/.test(value) || url.username !== '') {
    throw new Error('an http or https address without query, fragment or user')
  }
  return value
}

/** An address that the service itself calls and whose replies it trusts: https, or http on loopback. */
export function trustedAddress(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  const isLoopback = url !== null && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  if (url === null || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback)) || url.username !== '') {
    throw new Error('an https address without user (http is allowed on loopback only)')
  }
  return value
}

/**
 * A message about a wrong value shows only the expected form, because the value contains a password. The database's
 * client parses it: an address may name a socket instead of a host, which is not a URL
 * (`postgresql:///whatif?host=/run/postgresql`).
 */
export function databaseAddress(value: string): string {
  if (!/^postgres(ql)?:\/\/\S+$/.test(value)) {
    throw new Error('a PostgreSQL address, postgresql://user:password@host:port/database')
  }
  return value
}

/** Bits that a range of proxies has in common at least. Every host in a range can invent the addresses of clients. */
const NARROWEST_PREFIX = { 4: 24, 6: 64 } as const

/**
 * Addresses of proxies or narrow CIDR ranges, separated by commas. Names are not accepted, because their addresses could
 * change.
 */
export function proxies(value: string): readonly string[] {
  const entries = list(value)
  for (const entry of entries)
    if (!isNarrowNetwork(entry)) {
      const { 4: v4, 6: v6 } = NARROWEST_PREFIX
      throw new Error(`addresses of proxies, or ranges no wider than /${v4} (IPv6: /${v6}), such as 10.0.3.7`)
    }
  return entries
}

function isNarrowNetwork(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/')
  const family = isIP(address) as 0 | 4 | 6
  if (family === 0 || rest.length > 0) return false
  if (prefix === undefined) return true
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) < NARROWEST_PREFIX[family]) return false
  try {
    new BlockList().addSubnet(address, Number(prefix), family === 4 ? 'ipv4' : 'ipv6')
    return true
  } catch {
    return false
  }
}

/** Signature algorithms with public keys (RFC 7518, RFC 8037). A shared key would let every holder mint tokens. */
const ASYMMETRIC_ALGORITHMS: readonly string[] = [
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
]

export function algorithms(value: string): readonly string[] {
  const entries = list(value)
  if (entries.length === 0 || entries.some((entry) => !ASYMMETRIC_ALGORITHMS.includes(entry))) {
    throw new Error(`algorithms with public keys: ${ASYMMETRIC_ALGORITHMS.join(', ')}`)
  }
  return entries
}

/** Characters that an `Authorization: Bearer` header can carry (RFC 6750, 2.1), and long enough not to be guessed. */
export function operatorToken(value: string): string {
  if (!/^[A-Za-z0-9._~+/-]{16,}=*$/.test(value)) {
    throw new Error('at least 16 characters, all of them letters, digits or one of -._~+/')
  }
  return value
}

/** Shortest master key accepted from outside, in characters. */
export const SHORTEST_MASTER_KEY = 32

export function masterKey(value: string): string {
  if (value.length < SHORTEST_MASTER_KEY) throw new Error(`at least ${SHORTEST_MASTER_KEY} characters`)
  return value
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}
