import type { FetchImplementation } from 'jose'
import { z } from 'zod'

/** RFC 7517, 5; what stands in a key is jose's to judge. */
const KeySet = z.object({ keys: z.array(z.looseObject({})) })

/** Largest key set read, in bytes: real ones have a few thousand. */
const MAX_BYTES = 256 * 1024
/** A provider that failed is not asked again before this, whoever sends tokens with unknown keys. */
const PAUSE_MS = 5_000

/** The identity provider does not answer, or with something that is no key set. */
export class ProviderFault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'ProviderFault'
  }
}

/**
 * A `fetch` for jose's remote key sets: bounded in size, refuses what is not a JSON answer of 200, and pauses after a
 * failure. Time and redirects are bounded by jose (`timeoutDuration`, none followed). `now` is in milliseconds.
 *
 * @throws ProviderFault
 */
export function fetchKeySet(now: () => number): FetchImplementation {
  let failedAtMs = Number.NEGATIVE_INFINITY
  return async (url, options) => {
    if (Math.abs(now() - failedAtMs) < PAUSE_MS) throw new ProviderFault('The identity provider failed a moment ago.')
    try {
      const answer = await fetch(url, options)
      if (answer.status !== 200) throw new ProviderFault(`The identity provider answered ${answer.status}.`)
      return Response.json(KeySet.parse(JSON.parse(await readBounded(answer))))
    } catch (error) {
      failedAtMs = now()
      throw error instanceof ProviderFault ? error : new ProviderFault('The identity provider gives no key set.', error)
    }
  }
}

async function readBounded(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of answer.body ?? []) {
    length += chunk.length
    // Leaving the loop ends the connection.
    if (length > MAX_BYTES) throw new ProviderFault(`The key set is larger than ${MAX_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
