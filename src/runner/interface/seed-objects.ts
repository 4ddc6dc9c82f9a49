/** An object that a study names, and the digest of the bytes that it means. */
export interface WantedObject {
  readonly bucket: string
  readonly key: string
  /** Lower-case hex. */
  readonly sha256: string
}

/**
 * Objects in buckets that studies may read. The runner knows no more of them than this. Rejects with `RunRefusalError` for a bucket that
 * may not be read, an object that is not there, is too large or has another digest, and a storage that refuses or does not answer; the
 * message says what was found and what to do, and no place in the study.
 */
export interface SeedObjects {
  /** A file on this disk with these bytes, which were checked. `onSize` learns their number before they are read. */
  copyOf(
    object: WantedObject,
    options: { readonly signal: AbortSignal; readonly onSize: (bytes: number) => void },
  ): Promise<{ readonly path: string; readonly bytes: number }>
}
