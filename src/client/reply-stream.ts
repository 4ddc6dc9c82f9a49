/** Bytes that may wait for their reader before the connection is told to wait. */
const MOST_WAITING_BYTES = 64 * 1024

/** What a body asks of its connection. */
export interface BodySource {
  pause(): void
  resume(): void
  /** Ends the exchange, which calls `fail` of the body. */
  drop(error: Error): void
}

/**
 * The body of an answer, to be read once. A stream of Node does the same for anything that flows; made for each of a
 * thousand answers of 200 bytes it is most of the work.
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

  /** Bytes that came and were not read are lost. */
  fail(error: Error): void {
    if (this.#isWhole || this.#failure !== null) return
    this.#failure = { error }
    this.#pieces = []
    this.#wake()
  }

  /** Lets go of the connection. A reader gets `error`. */
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
