import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { UnusableError } from '../settings/unusable-error.ts'

/** TLS of an address's connections. */
export interface PostgresTls {
  /** The address without the parameters that are read here, because pg interprets them differently from PostgreSQL. */
  readonly url: string
  /** Ways to connect, tried in this order at the start: TLS with these options, or none. */
  readonly ways: readonly (ConnectionOptions | false)[]
}

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
type Mode = (typeof MODES)[number]

const PARAMETERS = ['sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey', 'uselibpqcompat'] as const

/**
 * Reads the TLS parameters of a connection address as PostgreSQL's own clients do (libpq, "SSL Support"). `prefer`, the
 * default, uses TLS if the server offers it, and accepts any certificate. `require` accepts any certificate too, but
 * always needs TLS. `verify-ca` needs a certificate signed by `sslrootcert`, `verify-full` one for this host too.
 * `require` with `sslrootcert` is `verify-ca`. Without that file the authorities of Node.js are trusted. A local socket
 * is never encrypted.
 *
 * @throws UnusableError for another mode, and for unreadable files.
 */
export function readPostgresTls(url: string, { isSocket }: { readonly isSocket: boolean }): PostgresTls {
  const [address = '', query] = splitOnce(url, '?')
  const parameters = new URLSearchParams(query)
  const given = new Map(PARAMETERS.map((name) => [name, parameters.get(name)]))
  for (const name of PARAMETERS) parameters.delete(name)
  const withoutTls = parameters.size === 0 ? address : `${address}?${parameters}`
  const mode = modeOf(given.get('sslmode') ?? null, given.get('ssl') ?? null)
  if (isSocket || mode === 'disable') return { url: withoutTls, ways: [false] }
  const files = {
    ...fileOption('ca', 'sslrootcert', given.get('sslrootcert')),
    ...fileOption('cert', 'sslcert', given.get('sslcert')),
    ...fileOption('key', 'sslkey', given.get('sslkey')),
  }
  const tls = { ...files, ...checksOf(mode, files.ca !== undefined) }
  if (mode === 'allow') return { url: withoutTls, ways: [false, tls] }
  return { url: withoutTls, ways: mode === 'prefer' ? [tls, false] : [tls] }
}

function modeOf(sslmode: string | null, ssl: string | null): Mode {
  // The older parameter of pg.
  if (sslmode === null && ssl !== null) return ssl === 'true' || ssl === '1' ? 'verify-full' : 'disable'
  const mode = sslmode === 'no-verify' ? 'require' : (sslmode ?? 'prefer')
  const known = MODES.find((candidate) => candidate === mode)
  if (known === undefined) {
    throw new UnusableError(
      'database_unusable',
      `The sslmode in DATABASE_URL is unknown: write one of ${MODES.join(', ')}.`,
    )
  }
  return known
}

function checksOf(mode: Mode, hasRoot: boolean): ConnectionOptions {
  if (mode === 'verify-full') return { rejectUnauthorized: true }
  if (mode === 'verify-ca' || (mode === 'require' && hasRoot)) {
    return { rejectUnauthorized: true, checkServerIdentity: () => undefined }
  }
  return { rejectUnauthorized: false }
}

function fileOption(
  option: 'ca' | 'cert' | 'key',
  parameter: string,
  path: string | null | undefined,
): { readonly ca?: string; readonly cert?: string; readonly key?: string } {
  if (path == null || path === '') return {}
  try {
    return { [option]: readFileSync(path, 'utf8') }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UnusableError(
      'database_unusable',
      `The file that ${parameter} in DATABASE_URL names cannot be read (${code}): ${path}`,
    )
  }
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark)
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}
