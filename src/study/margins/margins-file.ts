/** A file of margins, as whoever reads files hands it to the loader, which reads none. */
export interface MarginsFile {
  /** Relative to the project root, with `/`: its name in messages. */
  readonly filename: string
  /** Of its bytes. */
  readonly sha256: string
  readonly rows: readonly MarginRow[]
  /** What keeps its text from being rows; null: nothing. */
  readonly fault: MarginsFault | null
}

export interface MarginRow {
  readonly column: string
  readonly level: string
  /** As written. */
  readonly share: string
  /** From 1. */
  readonly line: number
}

export interface MarginsFault {
  readonly summary: string
  readonly detail: string
  readonly line: number
}
