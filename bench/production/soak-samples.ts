import { setTimeout as wait } from 'node:timers/promises'
import { metricOf } from './member.ts'
import { groupRssBytes, openDescriptors, rssBytes } from './processes.ts'
import type { Samples } from './soak-evaluation.ts'
import type { Team } from './team.ts'

/** Tables whose rows come and go with the work. */
const TABLES = [
  'queue_entries',
  'queue_turns',
  'jobs',
  'datasets',
  'generations',
  'orders',
  'idempotency_keys',
  'doomed_blobs',
  'usage_changes',
]
/** Time that the collection of garbage is given. */
const COLLECTING_MS = 300

/** Samples once everything that should not grow. */
export async function sampleTeam(team: Team, samples: Samples): Promise<void> {
  const note = (name: string, value: number): void => {
    const values = samples.get(name)
    if (values === undefined) samples.set(name, [value])
    else values.push(value)
  }
  for (const member of team.members) {
    member.signal('SIGUSR2')
    await wait(COLLECTING_MS)
    const metrics = await member.metrics()
    note(`${member.name}, heap MB`, megabytes(metricOf(metrics, 'nodejs_heap_size_used_bytes') ?? 0))
    note(`${member.name}, RSS MB`, megabytes(rssBytes(member.pid)))
    note(`${member.name}, RSS with children MB`, megabytes(groupRssBytes(member.pid)))
    note(`${member.name}, handles`, metricOf(metrics, 'nodejs_active_handles_total') ?? 0)
    note(`${member.name}, descriptors`, openDescriptors(member.pid))
    note(`${member.name}, files`, await member.files())
  }
  const connections = await team.row<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity where datname = current_database() and application_name <> 'bench'`,
  )
  note('PostgreSQL connections', connections.count)
  const counts = TABLES.map((table) => `(select count(*)::integer from ${table}) as ${table}`)
  const rows = await team.row<Record<string, number>>(`select ${counts.join(', ')}`)
  for (const table of TABLES) note(`rows of ${table}`, rows[table] ?? 0)
  const sizes = await team.row<{ kilobytes: number }>(
    `select (pg_total_relation_size('queue_entries') / 1024)::integer as kilobytes`,
  )
  note('kB of queue_entries', sizes.kilobytes)
  const { objects, uploads } = await team.storage.contents()
  note('objects in the bucket', objects.length)
  note('uploads in parts', uploads.length)
}

const megabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10
