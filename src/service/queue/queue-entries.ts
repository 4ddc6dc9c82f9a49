import type { JobKind } from '../records/job-records.ts'
import type { Queryable } from '../store/database.ts'
import { newIdentifier } from '../store/identifiers.ts'
import { isSmallWork, type NewEntry } from './turn.ts'

/** Channel that announces new or released entries of a queue: a `Filled` as JSON. */
export const FILLED_CHANNEL = 'whatif_filled_queues'

export interface Filled {
  readonly queue: string
  readonly tenantId: string
  readonly isSmall: boolean
}

/** SQL: a notification of the entry whose columns are in scope. */
const NOTIFY = `pg_notify('${FILLED_CHANNEL}',
  json_build_object('queue', queue, 'tenantId', tenant_id, 'isSmall', is_small)::text)`

/** SQL: nobody holds the entry, and it is not paused. Uses the clock of the database, as all leases do. */
const IS_AVAILABLE = '(available_at is null or available_at <= now())'

/** Puts a job into its queue; the commit notifies waiting workers. */
export async function insertEntry(tx: Queryable, { queue, jobId, tenantId, workMs }: NewEntry): Promise<void> {
  await tx.query(
    `with turn as (
       insert into queue_turns (queue, tenant_id) values ($1, $2) on conflict do nothing),
     entry as (
       insert into queue_entries (job_id, queue, tenant_id, is_small, work_ms, is_part)
         values ($3, $1, $2, $4::boolean, $5::integer, exists (select 1 from jobs where job_id = $3 and part_of is not null))
       returning queue, tenant_id, is_small)
     select ${NOTIFY} from entry`,
    [queue, tenantId, jobId, isSmallWork({ workMs }), Math.ceil(workMs)],
  )
}

/** Number of a tenant's waiting jobs in all queues, counted up to `limit`. The parts of a job do not count: nobody asked for them. */
export async function countWaiting(db: Queryable, tenantId: string, limit: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::integer as count from (
       select 1 from queue_entries
       where queue in ('training', 'generation') and tenant_id = $1 and holder is null and not is_part
       limit $2) as waiting`,
    [tenantId, limit],
  )
  return row?.count ?? 0
}

/** Most tenants that are compared for a turn. If more wait, each is included from time to time. */
const MAX_TENANTS_COMPARED = 200

/**
 * Most work that a tenant which was away is behind the others, in milliseconds. It goes first until it has caught up, so
 * without a limit it would for hours.
 */
const MAX_CREDIT_MS = 60_000

/** One assignment of a job. */
export interface EntryKey {
  readonly jobId: string
  /** The holder: one per open queue. */
  readonly holder: string
  /** Number of this assignment, so that a lost one is not mistaken for the next. */
  readonly handedOut: number
}

export interface TakenEntry extends EntryKey {
  readonly tenantId: string
  /** How long it should keep a worker, in milliseconds. */
  readonly workMs: number
  readonly setbacks: number
  readonly wasLost: boolean
  /** Whether others were available at that moment. */
  readonly hasMore: boolean
}

export interface Taker {
  readonly queue: JobKind
  readonly holder: string
  readonly leaseMs: number
  /** Most jobs of one tenant that run at once, in this queue; null: any number. */
  readonly tenantJobs: number | null
  /** If not null, only small jobs are taken, except those of these tenants. */
  readonly smallExcept: readonly string[] | null
}

/**
 * Takes the job whose turn it is. Null: there is none. 'raced': another process took a job of the same tenant at the
 * same moment, so ask again.
 *
 * The turn belongs to the tenant with the fewest running jobs; among equals, to the one that has had the least work done
 * (fair queueing by work); among those, to the one whose last turn was longest ago. Expected work counts when a job is
 * taken, and `correctWork` adds the difference afterwards.
 *
 * The query goes from one waiting tenant to the next in the index, so a long queue of one tenant costs no more than a
 * short one. If very many tenants wait, as after an outage, it compares 200 of them, starting at a random one:
 * comparing 10,000 takes the database longer than many jobs take. Concurrent takers compete for a tenant's turn: the
 * second one finds the row changed, so the counts of running jobs that both read stay true.
 */
export async function takeEntry(db: Queryable, taker: Taker): Promise<TakenEntry | 'raced' | null> {
  const { smallExcept } = taker
  const mine = smallExcept ? 'queue = $1 and is_small and tenant_id <> all($6::text[])' : 'queue = $1'
  const available = `select tenant_id from queue_entries where ${mine} and ${IS_AVAILABLE}`
  const [row] = await db.query<{
    job_id: string | null
    tenant_id: string
    handed_out: number
    work_ms: number
    setbacks: number
    was_lost: boolean
    has_more: boolean
  }>(
    `with recursive waiting as (
       select start.tenant_id, start.tenant_id as first, 1 as place
       from (select coalesce(
         (${available} and tenant_id >= $5 order by tenant_id limit 1),
         (${available} order by tenant_id limit 1)) as tenant_id) as start
       where start.tenant_id is not null
       union all
       select next.tenant_id, w.first, w.place + 1
       from waiting w cross join lateral (select coalesce(
         (${available} and tenant_id > w.tenant_id order by tenant_id limit 1),
         (${available} order by tenant_id limit 1)) as tenant_id) as next
       where w.place < ${MAX_TENANTS_COMPARED} and next.tenant_id <> w.first),
     held as (
       select tenant_id, count(*) as running from queue_entries
       where queue = $1 and holder is not null and available_at > now() group by tenant_id),
     chosen as (
       select first.job_id, first.holder, first.work_ms, w.tenant_id, t.turn,
         max(t.worked_ms) over () - ${MAX_CREDIT_MS} as least_ms
       from waiting w
       join queue_turns t on t.queue = $1 and t.tenant_id = w.tenant_id
       left join held on held.tenant_id = w.tenant_id
       cross join lateral (
         select job_id, holder, place, work_ms from queue_entries e
         where ${mine} and e.tenant_id = w.tenant_id and ${IS_AVAILABLE}
         order by queue, tenant_id, place limit 1) as first
       where $4::bigint is null or coalesce(held.running, 0) < $4::bigint
       order by coalesce(held.running, 0), greatest(t.worked_ms, max(t.worked_ms) over () - ${MAX_CREDIT_MS}), t.turn, first.place limit 1),
     turned as (
       update queue_turns t set turn = nextval('queue_turn_numbers'),
         worked_ms = greatest(t.worked_ms, chosen.least_ms) + chosen.work_ms
       from chosen
       where t.queue = $1 and t.tenant_id = chosen.tenant_id and t.turn = chosen.turn
       returning t.tenant_id),
     taken as (
       update queue_entries e set holder = $2::uuid, available_at = now() + $3::integer * interval '1 millisecond',
         handed_out = e.handed_out + 1,
         setbacks = e.setbacks + case when e.holder is null then 0 else 1 end,
         trouble = case when e.holder is null then e.trouble else 'Its worker was lost.' end
       from chosen, turned where e.job_id = chosen.job_id and ${IS_AVAILABLE}
       returning e.job_id, e.handed_out, e.setbacks)
     select taken.job_id, chosen.tenant_id, chosen.work_ms, taken.handed_out, taken.setbacks,
       chosen.holder is not null as was_lost,
       (select count(*) from waiting) > 1 or (select e.job_id from queue_entries e
         where ${mine} and e.tenant_id = chosen.tenant_id and ${IS_AVAILABLE} and e.job_id <> chosen.job_id
         order by queue, tenant_id, place limit 1) is not null as has_more
     from chosen left join taken on taken.job_id = chosen.job_id`,
    [
      taker.queue,
      taker.holder,
      taker.leaseMs,
      taker.tenantJobs,
      newIdentifier('ten'),
      ...(smallExcept ? [smallExcept] : []),
    ],
  )
  if (row === undefined) return null
  if (row.job_id === null) return 'raced'
  return {
    jobId: row.job_id,
    tenantId: row.tenant_id,
    holder: taker.holder,
    handedOut: row.handed_out,
    workMs: row.work_ms,
    setbacks: row.setbacks,
    wasLost: row.was_lost,
    hasMore: row.has_more,
  }
}

const OURS = 'job_id = $1 and holder = $2::uuid and handed_out = $3::integer'
const oursIs = ({ jobId, holder, handedOut }: EntryKey) => [jobId, holder, handedOut]

/** Removes an entry from the queue. Ending a job removes its entry too. */
export async function removeEntry(db: Queryable, key: EntryKey): Promise<void> {
  await db.query(`delete from queue_entries where ${OURS}`, oursIs(key))
}

/** How to release an entry. */
export interface Return {
  /** 0: available again at once. */
  readonly pauseMs: number
  /** What interrupted the work, for the operator; null: nothing to report. */
  readonly trouble: string | null
  readonly isSetback: boolean
  /** If not null, the work was found to take at least so long, in milliseconds, and is not small. */
  readonly leastWorkMs: number | null
}

/** Longest stored description of trouble, in characters. */
const MAX_TROUBLE = 300

/** Makes an entry available again. */
export async function returnEntry(db: Queryable, key: EntryKey, how: Return): Promise<void> {
  await db.query(
    `with returned as (
       update queue_entries set holder = null, is_small = is_small and $6::integer is null, work_ms = greatest(work_ms, $6::integer),
         available_at = case when $4::integer = 0 then null else now() + $4::integer * interval '1 millisecond' end,
         setbacks = setbacks + $7::integer, trouble = coalesce($5::text, trouble)
       where ${OURS} returning queue, tenant_id, is_small)
     select ${NOTIFY} from returned`,
    [
      ...oursIs(key),
      how.pauseMs,
      how.trouble?.replaceAll('\0', '\uFFFD').slice(0, MAX_TROUBLE) ?? null,
      how.leastWorkMs,
      how.isSetback ? 1 : 0,
    ],
  )
}

/** Pauses the entry of a job, whoever holds it, in a transaction that has made sure that nobody else works on it. */
export async function pauseEntry(tx: Queryable, jobId: string, ms: number): Promise<void> {
  await tx.query(
    `update queue_entries set holder = null, available_at = now() + $2::integer * interval '1 millisecond' where job_id = $1`,
    [jobId, ms],
  )
}

/** Ends the pause of an entry that nobody holds. */
export async function wakeEntry(tx: Queryable, jobId: string): Promise<void> {
  await tx.query(
    `with woken as (
       update queue_entries set available_at = null where job_id = $1 and holder is null
       returning queue, tenant_id, is_small)
     select ${NOTIFY} from woken`,
    [jobId],
  )
}

/** Adds work, in milliseconds, that a tenant's job took beyond what was expected; below 0 if it took less. */
export async function correctWork(
  db: Queryable,
  { queue, tenantId }: Pick<NewEntry, 'queue' | 'tenantId'>,
  furtherMs: number,
): Promise<void> {
  await db.query(
    'update queue_turns set worked_ms = greatest(0, worked_ms + $3::bigint) where queue = $1 and tenant_id = $2',
    [queue, tenantId, Math.round(furtherMs)],
  )
}

/** Renews the leases of a holder; returns those that it still holds, even if they had expired. */
export async function renewEntries(
  db: Queryable,
  keys: readonly EntryKey[],
  lease: { readonly holder: string; readonly leaseMs: number },
): Promise<readonly Pick<EntryKey, 'jobId' | 'handedOut'>[]> {
  return await db.query<{ jobId: string; handedOut: number }>(
    `update queue_entries e set available_at = now() + $4::integer * interval '1 millisecond'
     from unnest($1::text[], $2::integer[]) as held (job_id, handed_out)
     where e.job_id = held.job_id and e.handed_out = held.handed_out and e.holder = $3::uuid
     returning e.job_id as "jobId", e.handed_out as "handedOut"`,
    [keys.map((key) => key.jobId), keys.map((key) => key.handedOut), lease.holder, lease.leaseMs],
  )
}

/**
 * Releases entries of a queue that were assigned to a holder in a reply that was lost with the connection. `known` are
 * the jobs that the holder knows of. It must not be taking one of that queue meanwhile.
 */
export async function freeUnheard(
  db: Queryable,
  { queue, holder, known }: { readonly queue: JobKind; readonly holder: string; readonly known: readonly string[] },
): Promise<void> {
  await db.query(
    `update queue_entries set holder = null, available_at = null
     where queue = $1 and holder = $2::uuid and not job_id = any($3::text[])`,
    [queue, holder, known],
  )
}

/** Releases all held or paused entries; a held one counts as a setback. */
export async function freeAllEntries(db: Queryable): Promise<void> {
  await db.query(
    `update queue_entries set setbacks = setbacks + case when holder is null then 0 else 1 end,
       trouble = case when holder is null then trouble else 'The service ended while it was at work.' end,
       holder = null, available_at = null
     where holder is not null or available_at is not null`,
  )
}
