import type { ServiceContext } from '../../src/service/context.ts'
import { removeBatch } from '../../src/service/work/blob-remover.ts'
import { sweep } from '../../src/service/work/retention-sweeper.ts'

/** Sweeps, and removes the blobs that are given up by then. */
export async function sweepAway(context: ServiceContext): Promise<void> {
  await sweep(context)
  await removeBlobs(context)
}

/** Removes all blobs that are given up by now. */
export async function removeBlobs(context: Pick<ServiceContext, 'db' | 'blobs' | 'now'>): Promise<void> {
  while ((await removeBatch(context)) > 0);
}
