export interface SharedText {
  readonly text: string
  readonly version: string
  /** How long ago it was written, by the clock of the store; null: it does not say. */
  readonly ageMs: number | null
}

/**
 * Where the state of studies lives when several machines share it: a bucket. The runner knows no more of it than this. Every key is
 * relative to the place that the user named. Rejects with `RunRefusalError` when the store cannot be reached, or refuses.
 */
export interface SharedStore {
  /** Null: there is nothing under the key. */
  read(key: string): Promise<SharedText | null>
  /** Writes, whatever is there. */
  write(key: string, text: string): Promise<void>
  /** Writes what is not there yet. Its version; null: something is there. */
  create(key: string, text: string): Promise<string | null>
  /** Replaces this version. The new one; null: it is another version by now, or nothing. */
  replace(key: string, text: string, version: string): Promise<string | null>
  /** Keys that begin with `start`, ascending. */
  list(start: string): Promise<readonly string[]>
  remove(key: string): Promise<void>
  /** Stores a file under a key that only its content has. */
  upload(key: string, path: string): Promise<void>
  /** Writes to a new file. False: there is nothing under the key. */
  download(key: string, path: string): Promise<boolean>
  /** Rejects when the store does not keep to conditions below `folder`, or may not be written to. */
  requireConditions(folder: string): Promise<void>
  close(): Promise<void>
}
