import type { ReplyStream } from './reply-stream.ts'

/** A body that comes too slowly to be waited for. Told apart from other failures of the network by its code. */
export class SlowBodyError extends Error {
  readonly code = 'BODY_TOO_SLOW'
}

/** A transfer that is slower is as good as none: a megabyte would take a quarter of an hour. */
const LOWEST_BYTES_PER_S = 1024

/**
 * Breaks a body off that brings too little in a window of `windowMs`: the limit between two pieces alone would let one
 * that comes byte by byte go on to the end of the run. Returns what ends the watch.
 */
export function watchSpeed(body: ReplyStream, receivedBytes: () => number, windowMs: number): () => void {
  const leastBytes = (LOWEST_BYTES_PER_S * windowMs) / 1000
  let before = 0
  const timer = setInterval(() => {
    const received = receivedBytes()
    if (received - before < leastBytes) body.destroy(new SlowBodyError())
    before = received
  }, windowMs)
  return () => clearInterval(timer)
}
