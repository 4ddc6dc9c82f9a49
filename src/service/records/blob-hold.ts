import type { Queryable } from '../store/database.ts'
import { utcText } from '../store/timestamps.ts'

/**
 * While blobs are held, none is removed: a backup takes the records of one moment first and copies blobs after, and
 * whatever those records name must still be there. By the database's clock, which all processes share.
 */
export const BLOBS_ARE_HELD = 'exists (select 1 from blob_hold where until_at > now())'

/** Holds all blobs for so long, in seconds, from now on; a hold that lasts longer stays. Returns its end (RFC 3339). */
export async function holdBlobs(db: Queryable, seconds: number): Promise<string> {
  const [row] = await db.query<{ until_at: string }>(
    `insert into blob_hold (until_at) values (now() + make_interval(secs => $1::double precision))
     on conflict (is_only) do update set until_at = greatest(blob_hold.until_at, excluded.until_at)
     returning ${utcText('until_at')} as until_at`,
    [seconds],
  )
  return (row as { until_at: string }).until_at
}

/** Ends the hold; false when there was none. */
export async function releaseBlobs(db: Queryable): Promise<boolean> {
  const rows = await db.query<{ was_held: boolean }>('delete from blob_hold returning until_at > now() as was_held')
  return rows.some((row) => row.was_held)
}
