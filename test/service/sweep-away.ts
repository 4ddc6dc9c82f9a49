import type { ServiceContext } from '../../src/service/context/context.ts'
import { removeBatch } from '../../src/service/retention/blob-remover.ts'
import { sweep } from '../../src/service/retention/retention-sweeper.ts'

/** The time for which records that sweeps removed can be restored. */
export const GRACE_MS = 60 * 60_000

/** Sweeps now and when the time in which it could be taken back is over, and removes the blobs. */
export async function sweepAway(context: ServiceContext): Promise<void> {
  await sweep(context)
  await sweep({ ...context, now: () => context.now() + GRACE_MS })
  await removeBlobs({ ...context, now: () => context.now() + GRACE_MS })
}

/** Removes all blobs that are given up by now. */
export async function removeBlobs(context: Pick<ServiceContext, 'db' | 'blobs' | 'now'>): Promise<void> {
  while ((await removeBatch(context)) > 0);
}
