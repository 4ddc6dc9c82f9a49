/** How a service is run. Every address is without a trailing slash. */
export interface Settings {
  /** Folder of keys and scratch files; of the database and blobs too where these are not elsewhere. */
  readonly dataDir: string
  /** What becomes of a data folder that others can enter: refuse to start, or make it private. Embedded: mend. */
  readonly ifDataOpen: 'refuse' | 'mend'
  readonly host: string
  /** 0 = any free port. */
  readonly port: number
  /** Address that clients use, `{base_url}`; null: made from host and port once listening. */
  readonly publicUrl: string | null
  /** Address of our own identity provider as clients use it, `{auth_url}`; null: `{base_url}`. */
  readonly authUrl: string | null
  /** An identity provider of the operator's that mints the tokens instead of ours; null: ours. */
  readonly identityProvider: ExternalIdentityProvider | null
  /** PostgreSQL connection address (DATABASE_URL); null: PGlite in the data folder. */
  readonly databaseUrl: string | null
  /** Connections of this process to PostgreSQL, besides the one that listens; at least 2. */
  readonly databasePool: number
  /** PostgreSQL ends a statement that takes longer, in milliseconds; migrations and the waiting for them are exempt. */
  readonly statementTimeoutMs: number
  /** S3-compatible bucket for seeds, models and artifacts; null: files in the data folder. */
  readonly objectStorage: ObjectStorage | null
  /**
   * `known`: refuse to start with another storage of blobs than the database's. `new`: make this one the database's, after
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
  /** Who gives the claim token of an approved request: its status, as the specification has it, or the operator. */
  readonly claims: ClaimsWay
  /** Program and arguments that are run after an approval; null: none. */
  readonly onApproval: readonly string[] | null
  /** Threads for training and sampling; results do not depend on it. */
  readonly threads: number
  /**
   * Whether the report of a cleaning names rare levels and other answers, which single people may have given, or only counts them.
   * On when embedded alone: there the file is one's own.
   */
  readonly namesRare: boolean
  /** Whether trainings measure how good their model is; takes a part of a second each. */
  readonly quality: boolean
  /**
   * Whether all work but that of small jobs which others would hold up has a lower priority in the system than the rest of
   * the service. Off unless asked for: as `whatif serve` does.
   */
  readonly givesWay: boolean
  /** Jobs worked on at once in this process. */
  readonly workers: number
  /** Most jobs of one tenant that run at once in all processes, trainings and generations each; null: any number. */
  readonly tenantJobs: number | null
  /** Most jobs of one tenant that wait. */
  readonly tenantQueue: number
  /** Time that a job may take from the moment its work begins, in minutes. */
  readonly jobDeadlineMinutes: number
  /** Processor time of a training after its file was read, in minutes of all threads together. */
  readonly trainingCpuMinutes: number
  /** Scratch files of a training, in GB of 10^9 bytes. */
  readonly trainingScratchGb: number
  /** How far a combination of levels may be multiplied beyond what the seed file has of it. */
  readonly evidenceCap: EvidenceCap
  /** Most bytes that a tenant may have stored, where the operator set no other limit for it; null: no limit. */
  readonly tenantBytes: number | null
  /** Most bytes of one artifact, likewise. */
  readonly artifactBytes: number | null
  /**
   * Keep a file of 40 MiB beside an embedded database, to be given up when the disk is full, so that deleting works. Off
   * unless asked for.
   */
  readonly deletionReserve: boolean
  /** Hours that datasets and generations made from now on are kept, whatever their tenant's are; null: the tenant's. */
  readonly retentionHours: number | null
  /** Whether requests are counted against the two rates below. Off when embedded. */
  readonly rateLimits: boolean
  /** Requests of one client. */
  readonly clientRate: Rate
  /** Requests of one address to the operations that anybody may call: signup, claims and token mint. */
  readonly addressRate: Rate
  /** How long requests are served after the wish to close, while `/healthz` answers 503. */
  readonly drainSeconds: number
  /** How long to wait for another process that has the data folder, in milliseconds. */
  readonly lockTimeoutMs: number
  readonly version: string
  /** Least severe lines that are written to stderr, as JSON; embedded services are silent. */
  readonly logLevel: LogLevel
  /** Bring the database to the shape of this version at the start; else it is required to have it. */
  readonly migrate: boolean
  /** Measure for `GET /metrics`, which the operator token opens. Off when embedded. */
  readonly metrics: boolean
  /** How traces are sent to the collector that `OTEL_EXPORTER_OTLP_ENDPOINT` names; null: none are made. */
  readonly traces: TraceProtocol | null
}

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

/** Tokens of an identity provider that is not ours, and what in them counts. */
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

/** What requests to an object storage are signed with. */
export interface StorageCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary ones; null: none. */
  readonly sessionToken: string | null
  /** When they end, in milliseconds since 1970; null: not. */
  readonly expiresAtMs: number | null
}

/** Gives those of the moment. Of what it rejects with only the error's name is shown, unless it is a StorageError. */
export type CredentialProvider = () => Promise<StorageCredentials>

/** An S3-compatible bucket; the secret is held in memory only. */
export interface ObjectStorage {
  /** Address of the service, `https://...`, without the bucket. */
  readonly endpoint: string
  /** The same for clients, where they reach it by another name. */
  readonly publicEndpoint?: string
  readonly region: string
  readonly bucket: string
  /** Put before every key; empty: none. */
  readonly prefix: string
  /** A lasting access key and its secret; both or neither. */
  readonly accessKeyId?: string
  readonly secretAccessKey?: string
  /** Where there is no lasting one: asked at the start, and again before what it gave ends. */
  readonly credentials?: CredentialProvider
}

/** How traces leave the process: OTLP over HTTP, as protobuf or as JSON. */
export type TraceProtocol = 'http/protobuf' | 'http/json'
