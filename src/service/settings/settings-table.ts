import type { ObjectStorage } from '../../objects/object-storage.ts'
import * as values from './setting-values.ts'
import type { ExternalIdentityProvider, Settings, TraceProtocol } from './settings.ts'
import { UnusableError } from './unusable-error.ts'

/** One setting of `whatif serve`: its flag, its variable and its meaning. */
export interface SettingEntry<T> {
  /**
   * As in `--help`: `--port <n>`. Null: only by the environment, like every secret, because a list of processes shows
   * flags.
   */
  readonly flag: string | null
  readonly variable: string
  /** A secret can also be the content of a file that `{variable}_FILE` names. */
  readonly isSecret: boolean
  /** Default value; null: none. */
  readonly fallback: string | null
  /** Meaning of a missing value; omitted if its group requires the setting. */
  readonly otherwise?: string
  readonly meaning: string
  /** Throws an `Error` whose message says what is expected. */
  readonly parse: (text: string) => T
}

/** Settings under the names and of the types that the service knows them by: another name would be read and lost. */
type Entries<T> = { readonly [Name in keyof T]?: SettingEntry<T[Name]> }

type Details<T> = Omit<SettingEntry<T>, 'flag' | 'variable' | 'isSecret'>

/** A setting with a flag; its variable is named after it. */
function flagged<T>(flag: string, details: Details<T>): SettingEntry<T> {
  const name = flag.slice(2).split(' ')[0] as string
  const variable = `WHATIF_SERVE_${name.replaceAll('-', '_').toUpperCase()}`
  return { flag, variable, isSecret: false, ...details }
}

function variableOnly<T>(variable: string, details: Details<T>): SettingEntry<T> {
  return { flag: null, variable, isSecret: false, ...details }
}

function secret<T>(variable: string, details: Details<T>): SettingEntry<T> {
  return { flag: null, variable, isSecret: true, ...details }
}

/**
 * All settings of `whatif serve`, by their names in `Settings`. Its flags and `--help`, the reading of the environment
 * and the table in docs/service.md come from here. Imports nothing heavy: every command line loads it.
 */
export const SERVICE_SETTINGS = {
  dataDir: flagged('--data <dir>', {
    fallback: 'whatif-data',
    meaning: 'folder for keys and temporary files, and for the database and files unless they are stored elsewhere',
    parse: values.text,
  }),
  host: flagged('--host <address>', { fallback: '127.0.0.1', meaning: 'address to listen on', parse: values.text }),
  port: flagged('--port <n>', { fallback: '8080', meaning: 'port; 0 for any free one', parse: values.port }),
  publicUrl: flagged('--public-url <url>', {
    fallback: null,
    otherwise: 'host and port',
    meaning: 'address that clients use; also the audience of tokens',
    parse: values.httpAddress,
  }),
  authUrl: flagged('--auth-url <url>', {
    fallback: null,
    otherwise: 'the public URL',
    meaning: 'address of the token operation and its keys, if it differs',
    parse: values.httpAddress,
  }),
  role: flagged('--role <what>', {
    fallback: 'all',
    meaning: 'api answers requests, worker runs jobs, all does both; api and worker need DATABASE_URL',
    parse: values.role,
  }),
  storage: flagged('--storage <which>', {
    fallback: 'known',
    meaning: 'known refuses a file storage that does not belong to the database; new adopts it, after a move or a loss',
    parse: values.storage,
  }),
  threads: flagged('--threads <n>', {
    fallback: null,
    otherwise: 'one per core',
    meaning: 'threads for training and sampling; results do not depend on their number',
    parse: values.count,
  }),
  quality: flagged('--quality <on|off>', {
    fallback: 'on',
    meaning: 'whether trainings measure the fidelity and privacy of their model on held-out rows',
    parse: values.onOrOff,
  }),
  workers: flagged('--workers <n>', {
    fallback: '1',
    meaning: 'jobs that run at once',
    parse: values.count,
  }),
  tenantJobs: flagged('--tenant-jobs <n>', {
    fallback: null,
    otherwise: 'no limit',
    meaning: 'trainings, and generations, of one tenant that run at once; tenants take turns even without a limit',
    parse: values.count,
  }),
  tenantQueue: flagged('--tenant-queue <n>', {
    fallback: '1000',
    meaning: 'jobs of one tenant that may wait; another one is answered with 429',
    parse: values.count,
  }),
  splitRows: flagged('--split-rows <n>', {
    fallback: '2000000',
    meaning:
      'generations of more rows are made in parts, by several workers at once; their rows and bytes do not depend on it',
    parse: values.splitRows,
  }),
  jobDeadlineMinutes: flagged('--job-deadline <minutes>', {
    fallback: '60',
    meaning: 'time that a job may take from the start of its work, restarts included',
    parse: values.count,
  }),
  trainingCpuMinutes: flagged('--training-cpu <minutes>', {
    fallback: '20',
    meaning: 'processor time that a training may take after its file has been read, all threads together',
    parse: values.count,
  }),
  trainingScratchGb: flagged('--training-scratch <gb>', {
    fallback: '8',
    meaning: 'disk space, in GB, that a training may use for data that does not fit into memory',
    parse: values.count,
  }),
  evidenceCap: flagged('--evidence-cap <cap>', {
    fallback: '10:100',
    meaning:
      'how far a scenario may multiply a combination of levels: times its natural share, and rows per row of the seed',
    parse: values.evidenceCap,
  }),
  clientQuestions: flagged('--client-questions <n>', {
    fallback: '5000',
    meaning:
      'different groups of people of a dataset that one client may ask estimates about on a day (UTC); another one is answered with 429; none for no limit',
    parse: values.countOrNone,
  }),
  claims: flagged('--claims <who>', {
    fallback: 'status',
    meaning:
      'source of the claim token of an approved request: its status, which anyone who knows the e-mail can read, or the operator',
    parse: values.claimsWay,
  }),
  onApproval: flagged('--on-approval <command>', {
    fallback: null,
    otherwise: 'none',
    meaning: 'program, with arguments, that runs after an approval; not passed to a shell',
    parse: values.command,
  }),
  webhooks: flagged('--webhooks <where>', {
    fallback: 'public',
    meaning:
      'where the webhooks of clients may lead: public addresses over https, private also to the private network and this machine and over http, or none at all',
    parse: values.webhookAddresses,
  }),
  tenantBytes: flagged('--tenant-bytes <size>', {
    fallback: null,
    otherwise: 'a quarter of the disk; 100 GiB in a bucket',
    meaning:
      'largest amount that a tenant may have stored, such as 20GiB: seed files, models, artifacts; none for no limit',
    parse: values.size,
  }),
  artifactBytes: flagged('--artifact-bytes <size>', {
    fallback: '4GiB',
    meaning: 'largest size of one artifact; none for no limit',
    parse: values.size,
  }),
  deletionReserve: flagged('--deletion-reserve <on|off>', {
    fallback: 'on',
    meaning: 'reserve 40 MiB of disk for an embedded database, so that it can start and delete when the disk is full',
    parse: values.onOrOff,
  }),
  trustedProxies: flagged('--trusted-proxy <list>', {
    fallback: null,
    otherwise: 'none',
    meaning:
      'proxies whose X-Forwarded-For is trusted: addresses, or ranges up to /24 (IPv6: /64), separated by commas',
    parse: values.proxies,
  }),
  migrate: flagged('--migrate <on|off>', {
    fallback: 'on',
    meaning: 'whether the start migrates the database to this version; with off, whatif migrate-database does it',
    parse: values.onOrOff,
  }),
  rateLimits: flagged('--rate-limits <on|off>', {
    fallback: 'on',
    meaning: 'whether each process limits requests to the two rates below, and guesses of the operator token',
    parse: values.onOrOff,
  }),
  clientRate: flagged('--client-rate <rate>', {
    fallback: '500:2000',
    meaning: 'requests per second of one client: on average, and in a burst',
    parse: values.rate,
  }),
  addressRate: flagged('--address-rate <rate>', {
    fallback: '20:100',
    meaning: 'the same for one address, for signup, claims and tokens',
    parse: values.rate,
  }),
  drainSeconds: flagged('--drain <seconds>', {
    fallback: '0',
    meaning: 'time for which requests are served after SIGTERM while /healthz answers 503, so that a balancer notices',
    parse: values.drainSeconds,
  }),
  logLevel: flagged('--log-level <level>', {
    fallback: 'info',
    meaning: 'lowest level that is logged: debug, info, warn, error, silent',
    parse: values.logLevel,
  }),
  metrics: flagged('--metrics <on|off>', {
    fallback: 'on',
    meaning: 'collect metrics for GET /metrics, which requires the operator token',
    parse: values.onOrOff,
  }),
  operatorToken: secret('WHATIF_OPERATOR_TOKEN', {
    fallback: null,
    otherwise: 'operator.token in the data folder, otherwise off',
    meaning: 'token for the operator routes and /metrics; at least 16 characters',
    parse: values.operatorToken,
  }),
  masterKey: secret('WHATIF_MASTER_KEY', {
    fallback: null,
    otherwise: 'master.key in the data folder, created once',
    meaning: 'encrypts the keys of the service in its database; at least 32 characters',
    parse: values.masterKey,
  }),
  databaseUrl: secret('DATABASE_URL', {
    fallback: null,
    otherwise: 'a database in the data folder',
    meaning: 'PostgreSQL 15 or newer, postgresql://user:password@host:port/database',
    parse: values.databaseAddress,
  }),
  databasePool: flagged('--database-pool <n>', {
    fallback: '10',
    meaning: 'connections of this process to PostgreSQL; it uses one more to listen',
    parse: values.poolSize,
  }),
  statementTimeoutMs: flagged('--statement-timeout <seconds>', {
    fallback: '30',
    meaning: 'PostgreSQL cancels a statement of the service that takes longer',
    parse: values.seconds,
  }),
} as const satisfies Entries<Settings>

/** An S3-compatible bucket, complete or not at all; without it files are in the data folder. */
export const OBJECT_STORAGE_SETTINGS = {
  endpoint: variableOnly('WHATIF_S3_ENDPOINT', {
    fallback: null,
    meaning: 'address of the S3-compatible storage for seed files, models and artifacts, without the bucket',
    parse: values.httpAddress,
  }),
  publicEndpoint: variableOnly('WHATIF_S3_PUBLIC_ENDPOINT', {
    fallback: null,
    otherwise: 'the same',
    meaning: 'address from which clients download artifacts',
    parse: values.httpAddress,
  }),
  region: variableOnly('WHATIF_S3_REGION', {
    fallback: 'us-east-1',
    meaning: 'region of the storage',
    parse: values.text,
  }),
  bucket: variableOnly('WHATIF_S3_BUCKET', { fallback: null, meaning: 'name of the bucket', parse: values.text }),
  prefix: variableOnly('WHATIF_S3_PREFIX', { fallback: '', meaning: 'prefix of every key', parse: values.text }),
  accessKeyId: secret('WHATIF_S3_ACCESS_KEY_ID', {
    fallback: null,
    otherwise: 'as AWS defines it: variables, files, a role',
    meaning: 'access key of the storage',
    parse: values.text,
  }),
  secretAccessKey: secret('WHATIF_S3_SECRET_ACCESS_KEY', {
    fallback: null,
    otherwise: 'the same',
    meaning: 'the secret of the access key; both or neither',
    parse: values.text,
  }),
} as const satisfies Entries<ObjectStorage>

/** The operator's identity provider; without it our own token operation issues tokens. */
export const IDENTITY_PROVIDER_SETTINGS = {
  issuer: variableOnly('WHATIF_IDP_ISSUER', {
    fallback: null,
    meaning: 'your own identity provider, if it issues the tokens: the iss of the tokens',
    parse: values.issuer,
  }),
  jwksUrl: variableOnly('WHATIF_IDP_JWKS_URL', {
    fallback: null,
    meaning: 'address of its public keys (RFC 7517)',
    parse: values.trustedAddress,
  }),
  audience: variableOnly('WHATIF_IDP_AUDIENCE', {
    fallback: null,
    otherwise: 'the public address',
    meaning: 'the aud of the tokens',
    parse: values.text,
  }),
  algorithms: variableOnly('WHATIF_IDP_ALGORITHMS', {
    fallback: 'RS256,ES256',
    meaning: 'accepted signature algorithms, separated by commas; only those with public keys',
    parse: values.algorithms,
  }),
  tenantClaim: variableOnly('WHATIF_IDP_TENANT_CLAIM', {
    fallback: 'tenant_id',
    meaning: 'claim that holds the tenant id',
    parse: values.text,
  }),
} as const satisfies Entries<ExternalIdentityProvider>

/** Every setting, in reading sequence. */
export const ALL_SETTINGS: readonly SettingEntry<unknown>[] = [
  ...Object.values(SERVICE_SETTINGS),
  ...Object.values(OBJECT_STORAGE_SETTINGS),
  ...Object.values(IDENTITY_PROVIDER_SETTINGS),
]

/** Commander's name of a flag: `--public-url <url>` → `publicUrl`. */
export function attributeOf(flag: string): string {
  const name = flag.slice(2).split(' ')[0] as string
  return name.replaceAll(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase())
}

const PROTOCOLS: readonly TraceProtocol[] = ['http/protobuf', 'http/json']

/**
 * Whether and how traces are sent, by the variables of the OpenTelemetry specification. They are off unless an endpoint
 * is named; the library reads the other `OTEL_*` variables.
 *
 * @throws UnusableError for an unknown exporter or protocol.
 */
export function readTraceSettings(env: Readonly<Record<string, string | undefined>>): TraceProtocol | null {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT || ''
  const exporter = env.OTEL_TRACES_EXPORTER || (endpoint === '' ? 'none' : 'otlp')
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || exporter === 'none') return null
  if (exporter !== 'otlp') {
    throw new UnusableError('setting_invalid', `OTEL_TRACES_EXPORTER '${exporter}' is invalid: expected otlp or none`)
  }
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf'
  const known = PROTOCOLS.find((name) => name === protocol)
  if (known === undefined) {
    throw new UnusableError(
      'setting_invalid',
      `OTEL_EXPORTER_OTLP_PROTOCOL '${protocol}' is invalid: expected ${PROTOCOLS.join(' or ')}`,
    )
  }
  return known
}
