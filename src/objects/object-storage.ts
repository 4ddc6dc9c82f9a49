/** Credentials that sign requests to an object storage. */
export interface StorageCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Session token of temporary credentials; null: none. */
  readonly sessionToken: string | null
  /** When they end, in milliseconds since 1970; null: never. */
  readonly expiresAtMs: number | null
}

/** Returns the current credentials. Of its rejection only the error's name is shown, unless it is a StorageError. */
export type CredentialProvider = () => Promise<StorageCredentials>

/** An S3-compatible bucket; the secret is kept in memory only. */
export interface ObjectStorage {
  /** Address of the service, `https://...`, without the bucket. */
  readonly endpoint: string
  /** The same for clients, if they reach it under another name. */
  readonly publicEndpoint?: string
  readonly region: string
  readonly bucket: string
  /** Prefix of every key; empty: none. */
  readonly prefix: string
  /** A permanent access key and its secret; both or neither. */
  readonly accessKeyId?: string
  readonly secretAccessKey?: string
  /** Source of temporary credentials: called at the start, and again before the current ones end. */
  readonly credentials?: CredentialProvider
}
