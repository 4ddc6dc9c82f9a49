/** The removal of blobs that were given up, as the rest of a process sees it. */
export interface BlobRemoval {
  /** From now on this process removes blobs that are due, its own and those of others. */
  start(): void
  /** Says that blobs were given up. They are removed at once where this process removes blobs, else when others look. */
  soon(): void
  /** Ends at once: the request under way is given up, and what it was about is due again. */
  stop(): Promise<void>
}
