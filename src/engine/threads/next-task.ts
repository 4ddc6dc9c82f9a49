import type { Pending } from './thread-pool.ts'

/** Takes the task that is next out of a crew's queue, which is in order of arrival: the first urgent one, else the first. */
export function takeNext(queue: Pending[]): Pending | undefined {
  const urgent = queue.findIndex(({ job }) => job.isUrgent)
  return queue.splice(Math.max(0, urgent), 1)[0]
}
