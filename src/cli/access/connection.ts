import { escapeText } from '../../base/text/escape-text.ts'
import { MAX_RETENTION_HOURS } from '../../contract/limits.ts'
import { type Connection, safeAddress } from '../../local/service-connection.ts'
import { SetupError } from '../../local/setup-error.ts'
import { readPrivateFile } from './private-file.ts'
import { storageSecrets } from './storage-secrets.ts'

/** Loaded only if a remote service is named, so that other commands start faster. */
const readStoredEntry = async (env: NodeJS.ProcessEnv, baseUrl: string) =>
  (await import('./stored-credentials.ts')).readStoredEntry(env, baseUrl)

export interface ConnectionFlags {
  readonly service?: string | undefined
  readonly authUrl?: string | undefined
  readonly allowPrivateAddresses?: boolean | undefined
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
 * Embedded if nothing is configured, remote if everything needed is configured. Anything between ends with exit code 5 and
 * names what is missing: a half-configured machine never falls back silently to the embedded service (study-language, 14).
 */
export async function resolveConnection(flags: ConnectionFlags, env: NodeJS.ProcessEnv): Promise<Connection> {
  if (!namesService(flags, env))
    return { kind: 'embedded', retentionHours: embeddedRetention(env.WHATIF_EMBEDDED_RETENTION) }
  const set = VARIABLES.filter((name) => env[name])

  const file = env.WHATIF_CREDENTIALS_FILE ? await readCredentialsFile(env.WHATIF_CREDENTIALS_FILE) : null
  const baseUrl = flags.service || env.WHATIF_BASE_URL
  // Stored credentials count only if the environment has none: half of each would be a client that nobody named.
  const hasOwn = env.WHATIF_CLIENT_ID || env.WHATIF_CLIENT_SECRET || file !== null
  const stored = baseUrl && !hasOwn ? await readStoredEntry(env, safeAddress(baseUrl, 'service')) : null
  // Our own service issues its tokens itself, so its address is the last resort. A caller who names it trusts it with the data too.
  const authUrl = flags.authUrl || env.WHATIF_AUTH_URL || file?.authUrl || authUrlOf(stored?.token_url) || baseUrl
  const clientId = env.WHATIF_CLIENT_ID || file?.clientId || stored?.client_id
  const clientSecret = env.WHATIF_CLIENT_SECRET || file?.clientSecret || stored?.client_secret

  const missing = [
    baseUrl ? null : 'the address of the service (WHATIF_BASE_URL or --service URL)',
    clientId ? null : 'the client id (WHATIF_CLIENT_ID or WHATIF_CREDENTIALS_FILE)',
    clientSecret ? null : 'the client secret (WHATIF_CLIENT_SECRET or WHATIF_CREDENTIALS_FILE)',
  ].filter((entry) => entry !== null)
  if (!baseUrl || !authUrl || !clientId || !clientSecret) {
    const found = [flags.service ? '--service' : null, flags.authUrl ? '--auth-url' : null, ...set].filter(Boolean)
    throw new SetupError(
      5,
      `a remote service is only partly configured (${found.join(', ')}); missing: ${missing.join('; ')}`,
      'Set what is missing, or unset everything to use the embedded service.',
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
    allowPrivateAddresses: flags.allowPrivateAddresses ?? switchedOn(env, 'WHATIF_ALLOW_PRIVATE_ADDRESSES'),
  }
}

/** A misspelt switch is refused, because either value could be wrong. */
function switchedOn(env: NodeJS.ProcessEnv, name: string): boolean {
  const text = env[name] ?? ''
  if (['1', 'true'].includes(text)) return true
  if (['', '0', 'false'].includes(text)) return false
  throw new SetupError(5, `${name} '${escapeText(text)}' is invalid: expected 1 or 0`)
}

/** `7d` or `36h`, in hours; the default is the longest that the specification allows. */
function embeddedRetention(text: string | undefined): number {
  if (!text) return MAX_RETENTION_HOURS
  const match = /^(\d{1,6})([hd])$/.exec(text)
  const hours = match === null ? Number.NaN : Number(match[1]) * (match[2] === 'd' ? 24 : 1)
  if (hours >= 1 && hours <= MAX_RETENTION_HOURS) return hours
  throw new SetupError(
    5,
    `WHATIF_EMBEDDED_RETENTION '${escapeText(text)}' is invalid: expected whole hours or days from 1h to 7d, such as 36h`,
    'Unset it to keep trained datasets and results for 7 days.',
  )
}

/**
 * Secrets that a command may use, to be hidden before anything is printed. `resolveConnection` reports what is wrong with
 * their sources.
 */
export async function secretsOf(flags: ConnectionFlags, env: NodeJS.ProcessEnv): Promise<string[]> {
  const file = env.WHATIF_CREDENTIALS_FILE
    ? await readCredentialsFile(env.WHATIF_CREDENTIALS_FILE).catch(() => null)
    : null
  const baseUrl = flags.service ?? env.WHATIF_BASE_URL
  const stored = baseUrl && URL.canParse(baseUrl) ? await readStoredEntry(env, baseUrl).catch(() => null) : null
  // Chat systems put the secret into the address.
  const told = [env.WHATIF_NOTIFY_URL, env.WHATIF_NOTIFY_SECRET]
  const secrets = [env.WHATIF_CLIENT_SECRET, file?.clientSecret, stored?.client_secret, ...told, ...storageSecrets(env)]
  return secrets.flatMap((secret) => (secret ? [secret] : []))
}

interface FileCredentials {
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  readonly authUrl: string | undefined
}

async function readCredentialsFile(path: string): Promise<FileCredentials> {
  const what = 'the file named by WHATIF_CREDENTIALS_FILE'
  const text = await readPrivateFile(path, what)
  if (text === null) throw new SetupError(5, `${what} cannot be read (ENOENT)`)
  let record: Record<string, unknown>
  try {
    record = JSON.parse(text)
  } catch {
    // The parser's message quotes the text, which may hold the secret.
    throw new SetupError(5, `${what} is not JSON`, 'Expected {"client_id": …, "client_secret": …, "token_url": …}.')
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
