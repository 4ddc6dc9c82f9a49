import { createHash } from 'node:crypto'
import { SetupError } from './setup-error.ts'

/** The service that work on this machine uses. Hosts and credentials come from the caller only, never from a study. */
export type Connection = EmbeddedConnection | RemoteConnection

export interface EmbeddedConnection {
  readonly kind: 'embedded'
  /** Retention of trained datasets and results in the service of this process. */
  readonly retentionHours: number
}

export interface RemoteConnection {
  readonly kind: 'remote'
  readonly baseUrl: string
  /** Identity provider; the token operation is `{authUrl}/oauth/token`. */
  readonly authUrl: string
  readonly audience: string
  readonly clientId: string
  readonly clientSecret: string
  /** Artifacts may be at private addresses although the service is not. */
  readonly allowPrivateAddresses?: boolean
}

/** Folder name that keeps one service's results apart from another's: 8 hex of origin and client id. */
export function serviceLabel(connection: Connection): string {
  if (connection.kind === 'embedded') return 'embedded'
  const origin = new URL(connection.baseUrl).origin
  return createHash('sha256').update(`${origin}\n${connection.clientId}`).digest('hex').slice(0, 8)
}

/** The name of a service for people: `embedded`, or its origin. */
export function serviceName(connection: Connection): string {
  return connection.kind === 'embedded' ? 'embedded' : new URL(connection.baseUrl).origin
}

/** https, or http on loopback; no user or password in the address; no trailing slash. */
export function safeAddress(text: string, what: string): string {
  let url: URL
  try {
    // The URL parser takes the host of `localhost:3000` for a scheme.
    url = new URL(text.includes('://') ? text : '')
  } catch {
    throw new SetupError(5, `the address of the ${what} is not a URL`, 'Write it like https://service.example.org')
  }
  const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback))
    throw new SetupError(
      5,
      `the address of the ${what} must be https (http is allowed only on 127.0.0.0/8, ::1 and localhost), found ${url.protocol}//${url.host}`,
    )
  if (url.username || url.password)
    throw new SetupError(5, `the address of the ${what} must not hold a user name or password`)
  return url.href.replace(/\/+$/, '')
}
