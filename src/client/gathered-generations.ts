import type { z } from 'zod'
import type { GenerationBatchReply, GenerationReceipt } from './replies.ts'
import type { CallOptions, GenerationPost, Reply } from './service-client.ts'

/** Fewer requests at the same time are sent one by one: finding out about batches takes a request, too. */
const LEAST = 8
/** Bounds of one batch, well below those of the service. Others may have lower ones; then its entries are sent one by one. */
const MOST = 500
const MOST_BYTES = 512 * 1024
const MOST_KEYS = 10_000

type Receipt = Reply<GenerationReceipt>

interface Asker {
  readonly post: GenerationPost
  readonly call: CallOptions | undefined
  readonly resolve: (receipt: Receipt | Promise<Receipt>) => void
}

/** How requests are sent. */
export interface GenerationPosts {
  readonly single: (post: GenerationPost, call: CallOptions | undefined) => Promise<Receipt>
  /** @param body JSON of a `GenerationBatchRequest`. */
  readonly batch: (
    datasetId: string,
    body: string,
    call: CallOptions | undefined,
  ) => Promise<Reply<z.infer<typeof GenerationBatchReply>>>
  /** Whether the service's document has the operation. It is an extension. */
  readonly isOffered: (call: CallOptions | undefined) => Promise<boolean>
}

/**
 * Sends generation requests that are made at the same time as batches, where the service offers them: thousands of
 * scenarios then take a few requests. What a batch accepts is taken from its answer. Every other entry is sent again by
 * itself, with the same key: so faults, repeats and waits are those of single requests, and nothing is ordered twice.
 */
export class GatheredGenerations {
  readonly #posts: GenerationPosts
  #waiting: Asker[] = []
  #offered: Promise<boolean> | null = null

  constructor(posts: GenerationPosts) {
    this.#posts = posts
  }

  /** Resolves and rejects as `single` does. */
  send(post: GenerationPost, call: CallOptions | undefined): Promise<Receipt> {
    return new Promise((resolve) => {
      this.#waiting.push({ post, call, resolve })
      // Not at once: by then all requests that were made together wait.
      if (this.#waiting.length === 1) setImmediate(() => void this.#sendWaiting())
    })
  }

  async #sendWaiting(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    const datasets = new Set(waiting.map(({ post }) => post.datasetId))
    const askersOf = (datasetId: string) => waiting.filter(({ post }) => post.datasetId === datasetId)
    await Promise.all([...datasets].map((datasetId) => this.#sendAll(askersOf(datasetId))))
  }

  async #sendAll(askers: readonly Asker[]): Promise<void> {
    const isBatch = askers.length >= LEAST && (await this.#isOffered(askers[0]!.call))
    for (const part of isBatch ? parts(askers) : askers.map((asker) => [asker])) {
      const receipts = part.length < LEAST ? new Map<string, Receipt>() : await this.#sendBatch(part)
      for (const { post, call, resolve } of part)
        resolve(receipts.get(post.idempotencyKey) ?? this.#posts.single(post, call))
    }
  }

  /** Asked once. */
  #isOffered(call: CallOptions | undefined): Promise<boolean> {
    this.#offered ??= this.#posts.isOffered(call).catch(() => false)
    return this.#offered
  }

  /** The receipts of what was accepted, by key. A failure of the whole batch accepts nothing that a repeat would not find. */
  async #sendBatch(askers: readonly Asker[]): Promise<ReadonlyMap<string, Receipt>> {
    const [{ post, call }] = askers as [Asker]
    const entries = askers.map((one) => `{"idempotency_key":"${one.post.idempotencyKey}","request":${one.post.body}}`)
    try {
      const reply = await this.#posts.batch(post.datasetId, `{"generations":[${entries.join(',')}]}`, call)
      const accepted = reply.value.entries.flatMap(({ idempotency_key: key, replayed, generation }) =>
        generation === undefined ? [] : [[key, { ...reply, value: generation, replayed: replayed === true }] as const],
      )
      return new Map(accepted)
    } catch {
      // Sent one by one, the requests tell what is wrong with them.
      return new Map()
    }
  }
}

/** In the sequence of the requests, each within the bounds. */
function parts(askers: readonly Asker[]): Asker[][] {
  const all: Asker[][] = []
  let [bytes, keys] = [0, 0]
  for (const asker of askers) {
    const { body } = asker.post
    const bodyKeys = body.split('":').length + 2
    const last = all.at(-1)
    const fits =
      last !== undefined && last.length < MOST && bytes + body.length <= MOST_BYTES && keys + bodyKeys <= MOST_KEYS
    if (fits) last.push(asker)
    else {
      all.push([asker])
      ;[bytes, keys] = [0, 0]
    }
    bytes += body.length + asker.post.idempotencyKey.length + 40
    keys += bodyKeys
  }
  return all
}
