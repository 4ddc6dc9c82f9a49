import { isIP } from 'node:net'
import { type AddressKind, kindOfAddress } from '../../base/private-addresses.ts'
import type { WebhookAddresses } from '../settings/settings.ts'

/**
 * What is wrong with the address of a webhook; null: nothing. Only its text is looked at: what its name resolves to may
 * change, so each delivery checks that again.
 */
export function faultOfAddress(text: string, allowed: WebhookAddresses): string | null {
  // `URL` removes tabs and newlines and reads a backslash as a slash. The text that is checked must be the text that is
  // used.
  if (/[^\x21-\x7e]|\\/.test(text)) return 'has a character that is not allowed in addresses'
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) return 'is not an address such as https://receiver.example/events'
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowed === 'private')) return 'must be https'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (url.hash !== '') return 'must not have a fragment'
  const host = hostOf(url)
  if (isIP(host) !== 0 && !mayBeReached(host, allowed)) return 'must be on a public address'
  return null
}

/** Without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

/** The local link has the credentials that clouds give to their machines, so it is never reached. */
const REACHED: Readonly<Record<WebhookAddresses, readonly AddressKind[]>> = {
  none: [],
  public: ['public'],
  private: ['public', 'private', 'loopback'],
}

/** @param address as a name server gives it. */
export function mayBeReached(address: string, allowed: WebhookAddresses): boolean {
  return REACHED[allowed].includes(kindOfAddress(address))
}
