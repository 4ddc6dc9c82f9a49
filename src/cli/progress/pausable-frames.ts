const SHOW_CURSOR = '\u001b[?25h'
const HIDE_CURSOR = '\u001b[?25l'

export interface PausableFrames {
  /** Carries out work that writes to the stream itself. No frame is drawn meanwhile. */
  pause<T>(work: () => Promise<T>): Promise<T>
  /** Gives the stream back as it was. */
  release(): void
}

/**
 * Lets a list that redraws itself be paused while a question is asked. Such a list takes over `write` of its stream, so that
 * text of others waits until the list ends; it also erases as many lines above the cursor as its last frame had. To be
 * called before the list begins.
 */
export function pausableFrames(stream: NodeJS.WriteStream): PausableFrames {
  const { write } = stream
  let isPaused = false
  let frameLines = 0
  stream.write = ((chunk: string | Uint8Array, ...rest: never[]) => {
    if (isPaused) return true
    frameLines = String(chunk).split('\n').length - 1
    return write.call(stream, chunk, ...rest)
  }) as typeof write

  return {
    async pause(work) {
      const { write: taken } = stream
      isPaused = true
      stream.write = write
      stream.write(SHOW_CURSOR)
      try {
        return await work()
      } finally {
        // The next frame erases these lines, and not the answer.
        stream.write(HIDE_CURSOR + '\n'.repeat(frameLines))
        stream.write = taken
        isPaused = false
      }
    },
    release() {
      stream.write = write
    },
  }
}
