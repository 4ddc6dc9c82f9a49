import { setMaxListeners } from 'node:events'
import type { LookupFunction } from 'node:net'
import { WEBHOOK_ANSWER_SECONDS, WEBHOOK_DISABLED_AFTER_DAYS } from '../../contract/limits.ts'
import { TEST_EVENT } from '../../contract/webhooks.ts'
import type { ServiceContext } from '../context/context.ts'
import {
  endMessage,
  freeMessages,
  returnMessage,
  type TakenMessage,
  takeMessages,
  WEBHOOKS_CHANNEL,
} from '../records/webhook-messages.ts'
import { disableWebhook, noteFailing, noteWorking } from '../records/webhooks.ts'
import { pauseAfter } from './delivery-schedule.ts'
import { NoAnswerError, type PostAnswer, postMessage } from './post-message.ts'
import { signatureOf } from './webhook-secrets.ts'

const DAY_MS = 24 * 60 * 60_000

/** Deliveries of one process at once, and of one webhook by all processes. */
const MOST_AT_ONCE = 32
const PER_WEBHOOK = 4

const DEFAULT_POLL_MS = 2_000
const GATHER_MS = 20
/** A lease outlasts an attempt. */
const LEASE_MARGIN_MS = 15_000

export interface WebhookTiming {
  /** How often messages are looked for without a notification; default 2,000 ms. */
  readonly pollMs?: number
  /** Until the headers of an answer; default 15 s. */
  readonly answerMs?: number
  /** See `PAUSES_MS`. */
  readonly pausesMs?: readonly number[]
  readonly perWebhook?: number
}

export interface WebhookSenderOptions extends WebhookTiming {
  /** No other process uses the database: what the last one held is due. */
  readonly isAlone: boolean
  readonly onError: (error: unknown) => void
  /** Resolves names of hosts; default: as the system does. */
  readonly lookup?: LookupFunction
}

/**
 * Sends the messages of all tenants' webhooks, each at least once. A process takes due messages under a lease, posts
 * them and records the answer. If it dies in between, another one sends them again, with the same id and body.
 */
export class WebhookSender {
  readonly #context: ServiceContext
  readonly #options: WebhookSenderOptions
  readonly #answerMs: number
  readonly #stopping = new AbortController()
  readonly #running = new Set<Promise<void>>()
  #stopListening: (() => Promise<void>) | null = null
  #poll: NodeJS.Timeout | null = null
  #taking: Promise<void> | null = null
  #gathering: NodeJS.Timeout | null = null
  #isWoken = false

  constructor(context: ServiceContext, options: WebhookSenderOptions) {
    this.#context = context
    this.#options = options
    // Every attempt listens, also while the rest of an answer is read.
    setMaxListeners(0, this.#stopping.signal)
    this.#answerMs = options.answerMs ?? WEBHOOK_ANSWER_SECONDS * 1000
  }

  async start(): Promise<void> {
    const { db, now } = this.#context
    // A service that has no room left must start, so that data can be deleted.
    if (this.#options.isAlone) await freeMessages(db.forRemoval, now())
    this.#stopListening = await db.listen(WEBHOOKS_CHANNEL, () => this.#wake())
    this.#poll = setInterval(() => this.#wake(), this.#options.pollMs ?? DEFAULT_POLL_MS)
    this.#poll.unref()
    this.#wake()
  }

  /** Attempts that are under way are cut off, and handed back. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    if (this.#poll !== null) clearInterval(this.#poll)
    if (this.#gathering !== null) clearTimeout(this.#gathering)
    await this.#stopListening?.()
    await this.#taking
    await Promise.all(this.#running)
  }

  /** Takes messages as long as there are any, once at a time. */
  #wake(): void {
    this.#isWoken = true
    this.#taking ??= this.#takeAll().finally(() => {
      this.#taking = null
      if (this.#isWoken) this.#wake()
    })
  }

  /** Attempts that end at nearly the same time are followed by one look into the database. */
  #wakeSoon(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null
      this.#wake()
    }, GATHER_MS)
    this.#gathering.unref()
  }

  async #takeAll(): Promise<void> {
    const { db, clock, now } = this.#context
    while (this.#isWoken) {
      this.#isWoken = false
      const most = MOST_AT_ONCE - this.#running.size
      if (this.#stopping.signal.aborted || clock?.mayWork === false || most <= 0) return
      const limits = {
        most,
        perWebhook: this.#options.perWebhook ?? PER_WEBHOOK,
        leaseMs: this.#answerMs + LEASE_MARGIN_MS,
        nowMs: now(),
      }
      try {
        const taken = await db.transaction(async (tx) => await takeMessages(tx, limits))
        for (const message of taken) this.#begin(message)
        if (taken.length > 0) this.#isWoken = true
      } catch (error) {
        // The next poll tries again.
        this.#options.onError(error)
      }
    }
  }

  #begin(message: TakenMessage): void {
    const run = this.#deliver(message)
      // Its lease ends, and then it is sent again.
      .catch(this.#options.onError)
      .finally(() => {
        this.#running.delete(run)
        this.#wakeSoon()
      })
    this.#running.add(run)
  }

  async #deliver(message: TakenMessage): Promise<void> {
    const { db, now, events } = this.#context
    const { answer, fault } = await this.#post(message)
    if (answer === null && this.#stopping.signal.aborted) return await returnMessage(db, message, now())
    const httpStatus = answer?.status ?? null
    if (fault === null) {
      await endMessage(db, message, { status: 'delivered', httpStatus, fault }, now())
      await noteWorking(db, message.webhook_id, message.type === TEST_EVENT)
      events?.emit({ type: 'webhook.attempted', outcome: 'delivered' })
      return
    }
    const { pausesMs } = this.#options
    const isLast = httpStatus === 410 || message.type === TEST_EVENT
    const pauseMs = isLast
      ? null
      : pauseAfter(message.attempts, answer?.retryAfter ?? null, pausesMs === undefined ? {} : { pausesMs })
    const status = pauseMs === null ? 'failed' : 'pending'
    const due = pauseMs === null ? {} : { dueMs: now() + pauseMs }
    const isOurs = await endMessage(db, message, { status, ...due, httpStatus, fault }, now())
    events?.emit({ type: 'webhook.attempted', outcome: status === 'failed' ? 'failed' : 'repeated' })
    if (isOurs && message.type !== TEST_EVENT) await this.#judge(message, httpStatus)
  }

  /** @returns why the attempt did not succeed; null if it did. */
  async #post(message: TakenMessage): Promise<{ answer: PostAnswer | null; fault: string | null }> {
    const { keys, settings, now } = this.#context
    const atMs = now()
    const { message_id: messageId, webhook_id: webhookId, body } = message
    const sealed = [message.secret_sealed, ...(message.earlier_sealed === null ? [] : [message.earlier_sealed])]
    const signature = signatureOf(keys.sealing, webhookId, sealed, { messageId, atMs, body })
    const headers = {
      'content-type': 'application/json',
      'user-agent': `whatif/${settings.version}`,
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(atMs / 1000)),
      'webhook-signature': signature,
    }
    try {
      const answer = await postMessage(
        { url: message.url, headers, body },
        {
          allowed: settings.webhooks,
          timeoutMs: this.#answerMs,
          signal: this.#stopping.signal,
          lookup: this.#options.lookup,
        },
      )
      const { status } = answer
      if (status >= 200 && status <= 299) return { answer, fault: null }
      const redirect = status >= 300 && status <= 399 ? '; redirects are not followed' : ''
      return { answer, fault: `The answer was ${status}${redirect}.` }
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error
      return { answer: null, fault: error.message }
    }
  }

  /** Disables a webhook whose receiver is gone. */
  async #judge({ webhook_id: webhookId }: TakenMessage, httpStatus: number | null): Promise<void> {
    const { db, now, events } = this.#context
    const nowMs = now()
    const sinceMs = await noteFailing(db, webhookId, nowMs)
    if (sinceMs === null) return
    const isOver = nowMs - sinceMs >= WEBHOOK_DISABLED_AFTER_DAYS * DAY_MS
    if (httpStatus !== 410 && !isOver) return
    const reason =
      httpStatus === 410
        ? 'The receiver answered 410: it wants no more events.'
        : `No delivery has succeeded for ${WEBHOOK_DISABLED_AFTER_DAYS} days.`
    const isDisabled = await db.transaction(async (tx) => await disableWebhook(tx, webhookId, { reason, nowMs }))
    if (isDisabled) events?.emit({ type: 'webhook.disabled', webhookId, reason })
  }
}
