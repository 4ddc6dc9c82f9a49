import { setTimeout as wait } from 'node:timers/promises'
import type { Report } from './report.ts'
import { expireAll } from './short-retention.ts'
import type { Team } from './team.ts'

const LOOK_MS = 100
/** A blob that could not be removed is tried again after a minute. */
const PATIENCE_MS = 100_000
/** Names the storage, and belongs to no record. */
const MARKER = /installation/

/** References to an object. */
const USES = `
  select seed_blob as key from datasets where seed_blob is not null
  union all select model_blob from datasets where model_blob is not null
  union all select artifact_blob from generations where artifact_blob is not null
  union all select blob_key from orders`

/**
 * Whether the bucket has what the records name and nothing else: first when broken uploads are given up, whose two hours
 * are made short, and again when everything has expired.
 */
export async function checkLeftovers(
  report: Report,
  team: Team,
  made: { readonly generations: number; readonly datasets: number },
): Promise<void> {
  const counts = await count(team)
  report.holds(
    'every accepted request was carried out once',
    counts.datasets === made.datasets && counts.generations === made.generations,
    `${counts.datasets} datasets and ${counts.generations} generations of ${made.datasets} and ${made.generations}`,
  )
  const before = await team.storage.contents()
  report.say(
    `Given up and not removed before their time: ${counts.orphaned} objects at most, ${before.uploads.length} uploads in parts.`,
  )
  await team.db.query('update doomed_blobs set due_at = now()')
  await until(async () => (await count(team)).orphaned === 0)
  await compare(report, team, 'objects without records')

  // A worker that starts sweeps five seconds later.
  await expireAll(team.db)
  await team.workers[0].stop()
  await team.workers[0].start()
  await until(async () => {
    const { datasets, generations, orphaned } = await count(team)
    return datasets + generations + orphaned === 0
  })
  await compare(report, team, 'objects after everything has expired')
  const left = await count(team)
  report.holds(
    'rows left in the queue, of keys and of cached models',
    left.queued + left.keys + left.cachedModels === 0,
    `${left.queued}, ${left.keys}, ${left.cachedModels}`,
  )
}

interface Counts {
  readonly datasets: number
  readonly generations: number
  readonly orphaned: number
  readonly queued: number
  readonly keys: number
  readonly cachedModels: number
}

async function count(team: Team): Promise<Counts> {
  return await team.row<Counts & Record<string, number>>(`
    select (select count(*)::integer from datasets) as datasets,
      (select count(*)::integer from generations) as generations,
      (select count(*)::integer from doomed_blobs) as orphaned,
      (select count(*)::integer from queue_entries) as queued,
      (select count(*)::integer from idempotency_keys) as keys,
      (select count(*)::integer from orders) as "cachedModels"`)
}

async function compare(report: Report, team: Team, what: string): Promise<void> {
  const { prefix } = team.storage.storage
  const { objects, uploads } = await team.storage.contents()
  const named = new Set((await team.db.query<{ key: string }>(USES)).rows.map(({ key }) => `${prefix}${key}`))
  const strays = objects.filter((object) => !named.has(object) && !MARKER.test(object))
  const missing = [...named].filter((key) => !objects.includes(key))
  report.holds(
    what,
    strays.length + missing.length + uploads.length === 0,
    `${objects.length}, of which ${strays.length} belong to no record${strays.length === 0 ? '' : ` (${strays.slice(0, 5).join(', ')})`}; ${missing.length} are missing; ${uploads.length} uploads in parts`,
  )
}

/** Waits for a limited time; the next reader finds whatever is not true by then. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (!(await holds()) && performance.now() < deadline) await wait(LOOK_MS)
}
