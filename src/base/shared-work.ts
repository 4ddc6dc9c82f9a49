/**
 * Lets concurrent calls share one execution of `work`: each call is served by an execution that begins after it, so
 * that the execution sees everything the caller did before. One execution runs at a time.
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
