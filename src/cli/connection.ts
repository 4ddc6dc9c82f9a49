import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { CommandError } from './command-error.ts'

/** Loaded when a remote service is named: commands without one start faster. */
const readStoredEntry = async (env: NodeJS.ProcessEnv, baseUrl: string) =>
  (await import('./stored-credentials.ts')).readStoredEntry(env, baseUrl)

/** Which service a command talks to. Hosts and credentials come from flags and environment only, never from a study. */
export type Connection = { readonly kind: 'embedded' } | RemoteConnection

export interface RemoteConnection {
  readonly kind: 'remote'
  readonly baseUrl: string
  /** Identity provider; the token operation is `{authUrl}/oauth/token`. */
  readonly authUrl: string
  readonly audience: string
  readonly clientId: string
  readonly clientSecret: string
}

export interface ConnectionFlags {
  readonly service?: string | undefined
  readonly authUrl?: string | undefined
}

const VARIABLES = [
  'WHATIF_BASE_URL',
  'WHATIF_AUTH_URL',
  'WHATIF_CLIENT_ID',
  'WHATIF_CLIENT_SECRET',
  'WHATIF_CREDENTIALS_FILE',
] as const

/** Whether any part of a remote service's configuration is there, so that the embedded one is not used. */
export function namesService(flags: ConnectionFlags, env: NodeJS.ProcessEnv): boolean {
  return Boolean(flags.service || flags.authUrl || VARIABLES.some((name) => env[name]))
}

/**
 * Embedded when nothing at all is configured; remote when everything needed is. Anything between is exit 5 naming what
 * is missing: a half-configured machine never falls back to embedded in silence (study-language, 14).
 */
export async function resolveConnection(flags: ConnectionFlags, env: NodeJS.ProcessEnv): Promise<Connection> {
  if (!namesService(flags, env)) return { kind: 'embedded' }
  const set = VARIABLES.filter((name) => env[name])

  const file = env.WHATIF_CREDENTIALS_FILE ? await readCredentialsFile(env.WHATIF_CREDENTIALS_FILE) : null
  const baseUrl = flags.service ?? env.WHATIF_BASE_URL
  // Stored credentials count only where the environment holds none: half of each would be a client that nobody named.
  const hasOwn = env.WHATIF_CLIENT_ID || env.WHATIF_CLIENT_SECRET || file !== null
  const stored = baseUrl && !hasOwn ? await readStoredEntry(env, safeAddress(baseUrl, 'service')) : null
  const authUrl = flags.authUrl ?? env.WHATIF_AUTH_URL ?? file?.authUrl ?? authUrlOf(stored?.token_url)
  const clientId = env.WHATIF_CLIENT_ID ?? file?.clientId ?? stored?.client_id
  const clientSecret = env.WHATIF_CLIENT_SECRET ?? file?.clientSecret ?? stored?.client_secret

  const missing = [
    baseUrl ? null : 'the address of the service (WHATIF_BASE_URL or --service URL)',
    authUrl ? null : 'the address of the identity provider (WHATIF_AUTH_URL or --auth-url URL)',
    clientId ? null : 'the client id (WHATIF_CLIENT_ID or WHATIF_CREDENTIALS_FILE)',
    clientSecret ? null : 'the client secret (WHATIF_CLIENT_SECRET or WHATIF_CREDENTIALS_FILE)',
  ].filter((entry) => entry !== null)
  if (!baseUrl || !authUrl || !clientId || !clientSecret) {
    const found = [flags.service ? '--service' : null, flags.authUrl ? '--auth-url' : null, ...set].filter(Boolean)
    throw new CommandError(
      5,
      `a remote service is partly configured (${found.join(', ')}), but missing: ${missing.join('; ')}`,
      'Set what is missing, or unset all of it to use the embedded service.',
    )
  }
  const service = safeAddress(baseUrl, 'service')
  return {
    kind: 'remote',
    baseUrl: service,
    authUrl: safeAddress(authUrl, 'identity provider'),
    audience: env.WHATIF_AUDIENCE || stored?.audience || service,
    clientId,
    clientSecret,
  }
}

/**
 * Secrets that a command can come to use, to be hidden before anything is printed. What is wrong with the places where they
 * lie is told by `resolveConnection`.
 */
export async function secretsOf(flags: ConnectionFlags, env: NodeJS.ProcessEnv): Promise<string[]> {
  const file = env.WHATIF_CREDENTIALS_FILE
    ? await readCredentialsFile(env.WHATIF_CREDENTIALS_FILE).catch(() => null)
    : null
  const baseUrl = flags.service ?? env.WHATIF_BASE_URL
  const stored = baseUrl && URL.canParse(baseUrl) ? await readStoredEntry(env, baseUrl).catch(() => null) : null
  const secrets = [env.WHATIF_CLIENT_SECRET, file?.clientSecret, stored?.client_secret]
  return secrets.flatMap((secret) => (secret ? [secret] : []))
}

/** Folder name that keeps one service's results apart from another's: 8 hex of origin and client id. */
export function serviceLabel(connection: Connection): string {
  if (connection.kind === 'embedded') return 'embedded'
  const origin = new URL(connection.baseUrl).origin
  return createHash('sha256').update(`${origin}\n${connection.clientId}`).digest('hex').slice(0, 8)
}

/** https, or http on loopback; no user or password in the address; no trailing slash. */
export function safeAddress(text: string, what: string): string {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new CommandError(5, `the address of the ${what} is not a URL`, 'Write it like https://service.example.org')
  }
  const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback))
    throw new CommandError(
      5,
      `the address of the ${what} must be https (http is allowed on 127.0.0.0/8, ::1 and localhost only), found ${url.protocol}//${url.host}`,
    )
  if (url.username || url.password)
    throw new CommandError(5, `the address of the ${what} must not hold a user name or password`)
  return url.href.replace(/\/+$/, '')
}

interface FileCredentials {
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  readonly authUrl: string | undefined
}

async function readCredentialsFile(path: string): Promise<FileCredentials> {
  let text: string
  try {
    const info = await stat(path)
    if (process.platform !== 'win32' && (info.mode & 0o077) !== 0)
      throw new CommandError(
        5,
        'the file named by WHATIF_CREDENTIALS_FILE can be read by others',
        'Make it private: chmod 600 on that file.',
      )
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(
      5,
      `the file named by WHATIF_CREDENTIALS_FILE cannot be read (${(error as NodeJS.ErrnoException).code})`,
    )
  }
  let record: Record<string, unknown>
  try {
    record = JSON.parse(text)
  } catch {
    // The parser's message quotes the text, which may hold the secret.
    throw new CommandError(
      5,
      'the file named by WHATIF_CREDENTIALS_FILE is not JSON',
      'Expected {"client_id": …, "client_secret": …, "token_url": …}.',
    )
  }
  const field = (name: string) => (typeof record?.[name] === 'string' ? (record[name] as string) : undefined)
  return {
    clientId: field('client_id'),
    clientSecret: field('client_secret'),
    authUrl: field('auth_url') ?? authUrlOf(field('token_url')),
  }
}

/** The identity provider of a token operation `{authUrl}/oauth/token`. */
function authUrlOf(tokenUrl: string | undefined): string | undefined {
  return tokenUrl?.replace(/\/oauth\/token\/?$/, '')
}

/** A service as people are told of it: `embedded`, or its origin. */
export function serviceName(connection: Connection): string {
  return connection.kind === 'embedded' ? 'embedded' : new URL(connection.baseUrl).origin
}
