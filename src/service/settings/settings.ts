import type { ObjectStorage } from '../../objects/object-storage.ts'
/** Settings of a service. Every address is without a trailing slash. */
export interface Settings {
  /** Folder of keys and scratch files, and of database and blobs unless these are elsewhere. */
  readonly dataDir: string
  /** What to do with a data folder that others can enter: refuse to start, or make it private. Embedded: mend. */
  readonly ifDataOpen: 'refuse' | 'mend'
  readonly host: string
  /** 0 = any free port. */
  readonly port: number
  /** Address that clients use, `{base_url}`; null: made from host and port once listening. */
  readonly publicUrl: string | null
  /** Address of our own identity provider as clients use it, `{auth_url}`; null: `{base_url}`. */
  readonly authUrl: string | null
  /** The operator's identity provider, which mints the tokens instead of ours; null: ours. */
  readonly identityProvider: ExternalIdentityProvider | null
  /** PostgreSQL connection address (DATABASE_URL); null: PGlite in the data folder. */
  readonly databaseUrl: string | null
  /** Connections of this process to PostgreSQL, besides the one that listens; at least 2. */
  readonly databasePool: number
  /** PostgreSQL ends a longer statement, in milliseconds; migrations and the wait for them are exempt. */
  readonly statementTimeoutMs: number
  /** S3-compatible bucket for seeds, models and artifacts; null: files in the data folder. */
  readonly objectStorage: ObjectStorage | null
  /**
   * `known`: refuse to start with a blob storage that is not the database's. `new`: make this one the database's, after
   * it was moved or lost.
   */
  readonly storage: 'known' | 'new'
  /**
   * What this process does: answer requests (`api`), work on jobs (`worker`, which answers `/healthz` alone), or both.
   * One role alone needs `databaseUrl`.
   */
  readonly role: Role
  /** Proxies before the service whose `X-Forwarded-For` is believed: addresses or CIDR ranges; empty: none. */
  readonly trustedProxies: readonly string[]
  /** Secret that seals the service's keys (WHATIF_MASTER_KEY); null: a file of mode 600 in the data folder. */
  readonly masterKey: string | null
  /** Operator token; null: the operator routes are off. */
  readonly operatorToken: string | null
  /**
   * How the claim token of an approved request reaches the client: through the request's status, as the specification
   * says, or through the operator.
   */
  readonly claims: ClaimsWay
  /** Program and arguments that are run after an approval; null: none. */
  readonly onApproval: readonly string[] | null
  /** Threads for training and sampling; results do not depend on it. */
  readonly threads: number
  /**
   * Whether the cleaning report names rare levels and other answers, which single people may have given, or only counts
   * them. On only when embedded: there the file belongs to the user.
   */
  readonly namesRare: boolean
  /** Whether trainings measure the quality of their model; takes a fraction of a second each. */
  readonly quality: boolean
  /**
   * Whether all work except small jobs has a lower priority in the operating system than the rest of the service.
   * Default: off; `whatif serve` switches it on.
   */
  readonly givesWay: boolean
  /** Concurrent jobs in this process. */
  readonly workers: number
  /** Most jobs of one tenant that run at once in all processes, trainings and generations each; null: any number. */
  readonly tenantJobs: number | null
  /** Most jobs of one tenant that wait. */
  readonly tenantQueue: number
  /** Generations of more rows than this are made in parts. */
  readonly splitRows: number
  /** Time that a job may take from the moment its work begins, in minutes. */
  readonly jobDeadlineMinutes: number
  /** Processor time of a training after its file was read, in minutes of all threads together. */
  readonly trainingCpuMinutes: number
  /** Scratch files of a training, in GB of 10^9 bytes. */
  readonly trainingScratchGb: number
  /** How far a combination of levels may be multiplied relative to the seed file. */
  readonly evidenceCap: EvidenceCap
  /** What figures of the seed may show: all on the owner's own machine (embedded), otherwise no single respondent. */
  readonly disclosure: 'exact' | 'protected'
  /** Most different groups of people of a dataset that one client may ask estimates about on a day; null: no limit. */
  readonly clientQuestions: number | null
  /** Most bytes that a tenant may store, unless the operator set another limit for it; null: no limit. */
  readonly tenantBytes: number | null
  /** Most bytes of one artifact, likewise. */
  readonly artifactBytes: number | null
  /**
   * Keep a file of 40 MiB with an embedded database, to be deleted when the disk is full, so that deleting works.
   * Default: off.
   */
  readonly deletionReserve: boolean
  /** Retention in hours of new datasets and generations, overriding their tenant's; null: the tenant's. */
  readonly retentionHours: number | null
  /** Where webhooks may lead; `none`: the service sends nothing. */
  readonly webhooks: WebhookAddresses
  /** Whether requests are counted against the two rates below. Off when embedded. */
  readonly rateLimits: boolean
  /** Requests of one client. */
  readonly clientRate: Rate
  /** Requests of one address to the operations that anybody may call: signup, claims and token mint. */
  readonly addressRate: Rate
  /** How long requests are served after the request to close, while `/healthz` answers 503. */
  readonly drainSeconds: number
  /** How long to wait for another process that has the data folder, in milliseconds. */
  readonly lockTimeoutMs: number
  readonly version: string
  /** Least severe lines that are written to stderr, as JSON; embedded services are silent. */
  readonly logLevel: LogLevel
  /** Migrate the database to the schema of this version at the start; otherwise it must already have it. */
  readonly migrate: boolean
  /** Measure for `GET /metrics`, which the operator token opens. Off when embedded. */
  readonly metrics: boolean
  /** How traces are sent to the collector that `OTEL_EXPORTER_OTLP_ENDPOINT` names; null: no traces. */
  readonly traces: TraceProtocol | null
}

/** No webhooks; public addresses over https; also private ones, this machine and http. */
export const WEBHOOK_ADDRESSES = ['none', 'public', 'private'] as const
export type WebhookAddresses = (typeof WEBHOOK_ADDRESSES)[number]

export const CLAIMS_WAYS = ['status', 'operator'] as const
export type ClaimsWay = (typeof CLAIMS_WAYS)[number]

export const ROLES = ['all', 'api', 'worker'] as const
export type Role = (typeof ROLES)[number]

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** The larger of the two holds: times its natural share, and generated rows for each row of the seed. */
export interface EvidenceCap {
  readonly naturalShareFactor: number
  readonly rowsPerSeedRow: number
}

/** Token bucket: `perSecond` requests on average, `burst` at once. */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/** Tokens of a foreign identity provider, and their required contents. */
export interface ExternalIdentityProvider {
  /** Required `iss`. */
  readonly issuer: string
  /** Required `aud`; null: `{base_url}`. */
  readonly audience: string | null
  /** Where its public keys are (RFC 7517). */
  readonly jwksUrl: string
  /** Accepted signature algorithms, asymmetric ones only. */
  readonly algorithms: readonly string[]
  /** Name of the claim that holds our tenant id. */
  readonly tenantClaim: string
}

/** How traces leave the process: OTLP over HTTP, as protobuf or as JSON. */
export type TraceProtocol = 'http/protobuf' | 'http/json'
