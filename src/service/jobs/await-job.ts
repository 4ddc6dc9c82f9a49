import type { ServiceContext } from '../context/context.ts'
import { isTerminal, type JobRow, readJob } from '../records/job-records.ts'

/** How to find out whether a job has ended: reads its row, or that of what it makes, as it is now. */
export interface EndOf<Row> {
  read(): Promise<Row | null>
  isEnded(row: Row): boolean
}

/** Waits as `awaitEnd` does, and returns the job. */
export async function awaitJob(
  context: Pick<ServiceContext, 'db' | 'queue'>,
  jobId: string,
  waitMs: number,
  signal: AbortSignal,
  read: (jobId: string) => Promise<JobRow | null> = async (id) => await readJob(context.db, id),
): Promise<JobRow | null> {
  const end = { read: async () => await read(jobId), isEnded: ({ status }: JobRow) => isTerminal(status) }
  return await awaitEnd(context, jobId, waitMs, signal, end)
}

/**
 * Waits until a job has ended, at most `waitMs`, and returns the current row of `end`; null if it does not exist (any
 * more). Ends early when `signal` aborts (the client has disconnected).
 */
export async function awaitEnd<Row>(
  context: Pick<ServiceContext, 'queue'>,
  jobId: string,
  waitMs: number,
  signal: AbortSignal,
  end: EndOf<Row>,
): Promise<Row | null> {
  const deadline = performance.now() + waitMs
  for (;;) {
    // Listening starts before the first read, so that an end in between is not missed.
    const news = listen(context, jobId)
    try {
      const row = await end.read()
      const leftMs = deadline - performance.now()
      if (row === null || end.isEnded(row) || leftMs <= 0 || signal.aborted) return row
      await Promise.race([news.heard, pause(Math.min(leftMs, context.queue.pollMs), signal, news.stop)])
    } finally {
      news.stop.abort()
    }
  }
}

function listen(
  context: Pick<ServiceContext, 'queue'>,
  jobId: string,
): { heard: Promise<void>; stop: AbortController } {
  const stop = new AbortController()
  const heard = new Promise<void>((resolve) => {
    const off = context.queue.onJobEnded(jobId, resolve)
    stop.signal.addEventListener('abort', off, { once: true })
  })
  return { heard, stop }
}

async function pause(ms: number, signal: AbortSignal, stop: AbortController): Promise<void> {
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal.addEventListener('abort', finish, { once: true })
    stop.signal.addEventListener('abort', finish, { once: true })
  })
}
