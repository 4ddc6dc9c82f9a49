/**
 * Lets calls that come together share one execution of `work`: each is served by one that begins after the call, so that
 * what the caller did before is seen by it. One execution runs at a time.
 */
export function sharedWork(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  const begin = (): Promise<void> => {
    next = null
    const running = work()
    last = running.catch(() => {})
    return running
  }
  return () => {
    next ??= last.then(begin)
    return next
  }
}
