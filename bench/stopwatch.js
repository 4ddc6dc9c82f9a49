// Time between steps of one program of the bench.

/** Seconds since the last call. */
export function stopwatch() {
  let last = performance.now()
  return () => {
    const now = performance.now()
    const taken = (now - last) / 1000
    last = now
    return taken
  }
}
