import { type AddressKind, kindOfAddress, mayLeadTo } from '../base/private-addresses.ts'
import { ServiceError } from './service-error.ts'

/** 127.0.0.0/8, ::1 and localhost, as `URL` spells host names. */
export function isLoopback(url: URL): boolean {
  return url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(url.hostname)
}

/**
 * The address of the service or of its identity provider, without a trailing slash: https, or http on loopback; no user
 * name, query or fragment. `what` names the setting in the message. The message does not repeat the address, because it
 * may contain a password.
 */
export function checkedAddress(address: string, what: string): URL {
  const refuse = (why: string) =>
    new ServiceError({
      kind: 'forbidden',
      message: `The ${what} ${why}`,
      hint: 'Give an https address such as https://service.example, or http on localhost, 127.0.0.1 or [::1]',
    })
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null) throw refuse('is not an address')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    throw refuse(`must be https (${url.protocol}//${url.host} is not, and not on this machine)`)
  }
  if (url.username !== '' || url.password !== '') throw refuse('must not contain a user name or password')
  if (url.search !== '' || url.hash !== '') throw refuse('must not have a query or a fragment')
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

/** `base` (from `checkedAddress`) followed by a path of the contract. */
export function addressUnder(base: URL, path: string): URL {
  return new URL(`${base.origin}${base.pathname === '/' ? '' : base.pathname}${path}`)
}

/** An identifier as one segment of a path. Identifiers come from the service, so they are not trusted. */
export function pathSegment(identifier: string): string {
  if (identifier === '' || identifier === '.' || identifier === '..') {
    throw new ServiceError({ kind: 'rejected', message: `"${identifier}" is not an identifier; nothing was sent` })
  }
  return encodeURIComponent(identifier)
}

/**
 * The address of an artifact, and whether it is on the service's own origin. Only that origin gets the bearer token.
 */
export interface ArtifactAddress {
  readonly url: URL
  readonly own: boolean
}

/**
 * Resolves `artifact_url`: relative values belong to the service, absolute ones may be a customer's storage
 * (specification, "GET {artifact_url}"). Another origin must be https unless the service is on loopback; `//host`,
 * other schemes and user names are refused (study language, section 12).
 */
export function artifactAddress(base: URL, value: string): ArtifactAddress {
  // `URL` removes tabs and newlines and reads a backslash as a slash. The text that is checked must be the text that is
  // parsed.
  if (/[^\x21-\x7e]|\\/.test(value)) throw refusedArtifact('has a character that is not allowed in addresses')
  if (value.startsWith('//')) throw refusedArtifact('names a host without a scheme')
  if (!/^(?:[a-z][a-z0-9+.-]*:|http)/i.test(value)) return { url: relativeArtifact(base, value), own: true }
  return checkedHop(base, value)
}

/** The target of a redirect during a download: the same rules, and never the bearer token. */
export function redirectAddress(base: URL, from: URL, location: string): URL {
  if (/[^\x21-\x7e]|\\/.test(location) || !URL.canParse(location, from.href)) {
    throw refusedArtifact('redirects to something that is not an address')
  }
  return checkedHop(base, new URL(location, from).href).url
}

/**
 * Why an artifact is not fetched from an address, or null. An outside service could name the client's machine, its
 * network, or the address where a cloud serves credentials. The client would then send a request from inside on the
 * service's behalf.
 *
 * @param service kind of the address at which the service itself was reached. Targets that are no further inside are
 * allowed.
 */
export function refusedAddress(service: AddressKind, host: string, address: string): ServiceError | null {
  const kind = kindOfAddress(address)
  if (mayLeadTo(service, kind)) return null
  const where = { private: 'a private address', 'link-local': 'a link-local address', loopback: 'this machine' }
  const why = `leads to ${where[kind as keyof typeof where]}`
  const hint =
    'If the storage of the service lies in your own network, pass --allow-private-addresses or set ' +
    'WHATIF_ALLOW_PRIVATE_ADDRESSES=1; otherwise report it to the operator of the service'
  const shown = host === address ? address : `${host}, which is ${address}`
  return refusedArtifact(why, { hint, located: `${why} (${shown})` })
}

function checkedHop(base: URL, value: string): ArtifactAddress {
  const url = URL.canParse(value) ? new URL(value) : null
  if (url === null) throw refusedArtifact('is not an address')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refusedArtifact(`has the scheme ${url.protocol}`)
  if (url.username !== '' || url.password !== '') throw refusedArtifact('contains a user name or password')
  const own = url.origin === base.origin
  if (!own && url.protocol !== 'https:' && !isLoopback(base))
    throw refusedArtifact('leads to another host without https')
  return { url, own }
}

function relativeArtifact(base: URL, value: string): URL {
  const prefix = base.pathname === '/' ? '' : base.pathname
  const path = value.startsWith('/') ? value : `/${value}`
  // With a base such as https://host/api, services write both /v1/... and /api/v1/...
  const url = new URL(`${base.origin}${prefix !== '' && path.startsWith(`${prefix}/`) ? '' : prefix}${path}`)
  if (url.origin !== base.origin) throw refusedArtifact('leads away from the service')
  return url
}

function refusedArtifact(
  why: string,
  { hint = 'Report it to the operator of the service', located = why }: { hint?: string; located?: string } = {},
): ServiceError {
  const say = (how: string) => `The artifact address that the service gave ${how}; it was not fetched`
  return new ServiceError({ kind: 'reply', message: say(why), located: say(located), hint })
}
