/** How a service is run. Every address is without a trailing slash. */
export interface Settings {
  /** Folder of database, blobs and keys. */
  readonly dataDir: string
  readonly host: string
  /** 0 = any free port. */
  readonly port: number
  /** Address that clients use, `{base_url}`; null: made from host and port once listening. */
  readonly publicUrl: string | null
  /** Secret that seals the service's keys (WHATIF_MASTER_KEY); null: a file of mode 600 in the data folder. */
  readonly masterKey: string | null
  /** Operator token; null: the operator routes are off. */
  readonly operatorToken: string | null
  /** Threads for training and sampling; results do not depend on it. */
  readonly threads: number
  /** Jobs worked on at once in this process. */
  readonly workers: number
  /** Off when embedded. */
  readonly rateLimits: boolean
  /** How long to wait for another process that has the data folder, in milliseconds. */
  readonly lockTimeoutMs: number
  readonly version: string
  /** Write structured logs to stderr; embedded services are silent. */
  readonly log: boolean
}
