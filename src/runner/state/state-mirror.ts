/** A second place of a state that several machines share. Written before the files on this disk. */
export interface StateMirror {
  /** Resolves once the lines are kept. Rejects when another run writes there. */
  append(lines: readonly string[]): Promise<void>
  /** Replaces the whole state, which has everything that was appended. */
  snapshot(text: string): Promise<void>
  /** So much was appended since the last snapshot that reading it would take long. */
  isLong(): boolean
}
