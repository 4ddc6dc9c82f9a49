/** Bytes that may wait for their reader before the connection is paused. */
const MOST_WAITING_BYTES = 64 * 1024

/** What a body needs from its connection. */
export interface BodySource {
  pause(): void
  resume(): void
  /** Ends the exchange, which calls `fail` of the body. */
  drop(error: Error): void
}

/**
 * The body of an answer, which can be read once. A Node stream does the same for any flow of data. For a thousand
 * answers of 200 bytes, creating such streams is most of the work.
 */
export class ReplyStream implements AsyncIterable<Buffer> {
  readonly #source: BodySource
  #pieces: Buffer[] = []
  #waitingBytes = 0
  #isPaused = false
  #isWhole = false
  #failure: { readonly error: Error } | null = null
  #wake = () => {}

  constructor(source: BodySource) {
    this.#source = source
  }

  push(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#waitingBytes += piece.length
    if (this.#waitingBytes > MOST_WAITING_BYTES) {
      this.#isPaused = true
      this.#source.pause()
    }
    this.#wake()
  }

  end(): void {
    this.#isWhole = true
    this.#wake()
  }

  /** Discards bytes that arrived and were not read. */
  fail(error: Error): void {
    if (this.#isWhole || this.#failure !== null) return
    this.#failure = { error }
    this.#pieces = []
    this.#wake()
  }

  /** Releases the connection. A reader gets `error`. */
  destroy(error?: Error): void {
    if (!this.#isWhole) this.#source.drop(error ?? new Error('The body was not read to its end.'))
    this.#pieces = []
  }

  /** Leaving the loop before the end destroys the body. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void> {
    try {
      for (;;) {
        if (this.#failure !== null) throw this.#failure.error
        const piece = this.#pieces.shift()
        if (piece !== undefined) {
          this.#take(piece)
          yield piece
        } else if (this.#isWhole) return
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
      }
    } finally {
      this.destroy()
    }
  }

  #take(piece: Buffer): void {
    this.#waitingBytes -= piece.length
    if (!this.#isPaused || this.#waitingBytes > 0) return
    this.#isPaused = false
    this.#source.resume()
  }
}
