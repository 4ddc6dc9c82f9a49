/** Requests to be sent one after another. */
export interface Asked {
  readonly paths: readonly string[]
  readonly bearer?: string
  /** Sent with each as JSON by POST, under a key of its own; absent: GET. */
  readonly body?: unknown
}

/** Of requests, from sending one until its last byte is there; in milliseconds. */
export interface Latencies {
  readonly median: number
  readonly p99: number
}

/** Requests that go before, and are not counted: of connections, caches and compilers. */
const UNCOUNTED = 20

/** @throws Error when one is refused. */
export async function timeRequests(baseUrl: string, { paths, bearer, body }: Asked): Promise<Latencies> {
  const taken: number[] = []
  for (const [i, path] of [...paths.slice(0, UNCOUNTED), ...paths].entries()) {
    const begun = performance.now()
    const response = await fetch(`${baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': `timed-${i}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (i >= UNCOUNTED) taken.push(performance.now() - begun)
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`)
  }
  taken.sort((a, b) => a - b)
  const at = (share: number): number => taken[Math.min(taken.length - 1, Math.floor(share * taken.length))] ?? 0
  return { median: at(0.5), p99: at(0.99) }
}
