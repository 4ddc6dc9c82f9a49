import type { Queryable } from '../store/database.ts'

/** Queues by kind of job. */
export type QueueName = 'training' | 'generation'
export const QUEUE_NAMES = ['training', 'generation'] as const satisfies readonly QueueName[]

/**
 * Hands job ids to workers, at least once each. It carries ids only: the rows of the table `jobs` are the truth about
 * what is to be done and how far it is, and whoever is handed an id looks there first.
 */
export interface WorkQueue {
  /** Puts a job into its queue as part of the transaction that records it. Call `wake` after the commit. */
  enqueue(tx: Queryable, queue: QueueName, jobId: string): Promise<void>
  /** Lets an idle worker of this process look at the queue now instead of at its next poll. */
  wake(queue: QueueName): void
  /**
   * Starts `concurrency` workers. A job is taken off the queue when `handle` resolves. When it rejects, or this process
   * dies, the job is handed out again: a killed worker's after its lease, which is renewed while the worker lives.
   */
  work(queue: QueueName, concurrency: number, handle: (jobId: string, signal: AbortSignal) => Promise<void>): void
  /**
   * Empties the queues and fills them with these jobs. Only for a database that no other process uses: what was being
   * worked on when the last process died is then handed out at once.
   */
  replaceAll(jobs: readonly { readonly queue: QueueName; readonly jobId: string }[]): Promise<void>
  /** Tells whoever listens that the row of a job has come to a terminal status; call it after the commit. */
  announce(jobId: string): void
  /**
   * Calls `listener` once when a job is announced. A hint that saves waiting, never the truth: a job ended by another
   * process may not be announced here. Returns how to stop listening.
   */
  onAnnounced(jobId: string, listener: () => void): () => void
  /** Stops handing out jobs, aborts the signals of those being worked on and waits for their handlers. */
  stop(): Promise<void>
}
