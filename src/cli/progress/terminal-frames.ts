import { Worker } from 'node:worker_threads'
import { packageFile } from '../../base/package-file.ts'

const SHOW_CURSOR = '\u001b[?25h'
const HIDE_CURSOR = '\u001b[?25l'

export interface PausableFrames {
  /** Carries out work that writes to the stream itself. No frame is drawn meanwhile. */
  pause<T>(work: () => Promise<T>): Promise<T>
  /** Gives the stream back as it was. */
  release(): void
}

/**
 * Pauses a list that redraws itself while a question is asked. Such a list takes over `write` of its stream, so that other
 * text waits until the list ends. It also erases as many lines above the cursor as its last frame had. Call this before the
 * list begins.
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

/** Where a spinner stands: lines above the cursor, columns from the left, and the colour before it. */
export interface SpinnerSpot {
  readonly up: number
  readonly column: number
  readonly style: string
}

/** The last frame that was drawn; `beat` counts the writes to the terminal. */
export interface Frame {
  readonly beat: number
  readonly spots: readonly SpinnerSpot[]
}

/** `shared`: whether a thread is writing (0 or 1), and the number of writes by the main thread. */
export interface SpinnerWork {
  readonly shared: Int32Array<SharedArrayBuffer>
  readonly fd: number
  readonly glyphs: string
}

const GLYPHS = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const ESCAPE = String.raw`\x1b\[`
const CONTROL = `${ESCAPE}[0-9;?]*[A-Za-z]`
const CONTROLS = new RegExp(CONTROL, 'g')
const SPINNER = new RegExp(`^((?:${CONTROL}| )*)[${GLYPHS}]`)
/** Control codes that move the cursor to another line. */
const NEW_LINE = new RegExp(`\n|${ESCAPE}\\d*A`)

/**
 * Keeps the spinners on a terminal turning while the main thread is busy: loading and starting the embedded service blocks it
 * for a second at a time. Another thread checks whether frames still come, and if not, turns the spinners of the last one in
 * place. `release` restores the stream.
 */
export function keepSpinnersTurning(stream: NodeJS.WriteStream & { readonly fd: number }): {
  release(): Promise<void>
} {
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(packageFile('dist/cli/progress/spinner-worker.js'), {
    workerData: { shared, fd: stream.fd, glyphs: GLYPHS } satisfies SpinnerWork,
  })
  worker.unref()
  // A spinner that stops is no reason to end a run.
  worker.on('error', () => {})

  const { write } = stream
  let spots: readonly SpinnerSpot[] = []
  const locked = <T>(work: () => T): T => {
    while (Atomics.compareExchange(shared, 0, 0, 1) !== 0) Atomics.wait(shared, 0, 1, 50)
    try {
      return work()
    } finally {
      Atomics.store(shared, 0, 0)
    }
  }
  stream.write = ((chunk: string | Uint8Array, ...rest: never[]) =>
    locked(() => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      if (NEW_LINE.test(text)) spots = spinnerSpots(text, stream.rows || 24)
      const beat = Atomics.add(shared, 1, 1) + 1
      worker.postMessage({ beat, spots } satisfies Frame)
      return write.call(stream, chunk, ...rest)
    })) as typeof stream.write

  return {
    async release() {
      stream.write = write
      // Waits while it writes, because otherwise the lock would remain.
      await locked(() => worker.terminate())
    },
  }
}

/** The spinners in a frame that was written, of those that are still on the screen; the cursor stands behind its end. */
export function spinnerSpots(text: string, rows: number): SpinnerSpot[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const before = SPINNER.exec(line)?.[1]
    const up = lines.length - 1 - index
    if (before === undefined || up === 0 || up >= rows) return []
    const style = (before.match(CONTROLS) ?? []).filter((control) => control.endsWith('m')).join('')
    return [{ up, column: before.replaceAll(CONTROLS, '').length, style }]
  })
}
