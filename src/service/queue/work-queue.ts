import type { Queryable } from '../store/database.ts'

/** Queues by kind of job. */
export type QueueName = 'training' | 'generation'
export const QUEUE_NAMES = ['training', 'generation'] as const satisfies readonly QueueName[]

/**
 * Channel on which the ends of jobs are made known, in whatever process they end: `pg_notify` with the job's id, in the
 * transaction that ends it.
 */
export const ENDED_JOBS_CHANNEL = 'whatif_ended_jobs'

/**
 * Hands job ids to workers of any process, at least once each. It carries ids only: the rows of the table `jobs` are the
 * truth about what is to be done and how far it is, and whoever is handed an id looks there first.
 */
export interface WorkQueue {
  /** Whoever waits for news looks for itself this often, in milliseconds: notifications can be lost. */
  readonly pollMs: number
  /** Puts a job into its queue as part of the transaction that records it; its commit wakes an idle worker. */
  enqueue(tx: Queryable, queue: QueueName, jobId: string): Promise<void>
  /** Says that a job is about to be put into a queue: what its workers of this process, if any, can do ahead is done now. */
  expect(queue: QueueName): void
  /**
   * Starts `concurrency` workers; `prepare` is what they do when a job is expected. A job is taken off the queue when `handle` resolves. When it rejects, or this process
   * dies, the job is handed out again: a killed worker's after its lease, which is renewed while the worker lives. The
   * signal aborts when the queue stops, and when the lease was lost all the same.
   */
  work(
    queue: QueueName,
    concurrency: number,
    handle: (jobId: string, signal: AbortSignal) => Promise<void>,
    prepare?: () => void,
  ): void
  /**
   * Empties the queues and fills them with these jobs. Only for a database that no other process uses: what was being
   * worked on when the last process died is then handed out at once.
   */
  replaceAll(jobs: readonly { readonly queue: QueueName; readonly jobId: string }[]): Promise<void>
  /**
   * Calls `listener` when a job may have ended, in this process or another one, until told to stop. A hint that saves
   * waiting, never the truth: look at the job's row, and look again after `pollMs` without a hint.
   */
  onAnnounced(jobId: string, listener: () => void): () => void
  /** Stops handing out jobs, aborts the signals of those being worked on and waits for their handlers. */
  stop(): Promise<void>
}
