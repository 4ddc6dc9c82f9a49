import { Buffer } from 'node:buffer'
import { ownTurn } from '../../base/event-loop-turns.ts'
import type { Queryable } from '../store/database.ts'
import { PIECE_BYTES, piecesOf } from './schema-text.ts'

/**
 * Where a dataset's cleaned schema is stored: in the dataset's row, or, if large, in the pieces that an attempt has
 * stored.
 */
export type SchemaPlace =
  | { readonly json: string; readonly attempt: null }
  | { readonly json: null; readonly attempt: number }

/**
 * Stores a large schema for a dataset that is about to become ready, with a statement for each piece and without a
 * transaction: one value of megabytes, or all statements in a row, would block an embedded database for everybody else.
 * A small schema is stored with the dataset's row. Null if the dataset no longer waits for it. Can be repeated.
 */
export async function storeSchema(
  db: Queryable,
  datasetId: string,
  attempt: number,
  schema: Uint8Array,
): Promise<SchemaPlace | null> {
  const json = Buffer.from(schema.buffer, schema.byteOffset, schema.byteLength)
  if (json.length <= PIECE_BYTES) return { json: json.toString(), attempt: null }
  let piece = 0
  let bytes = 0
  for (const text of piecesOf(json)) {
    bytes += Buffer.byteLength(text)
    const rows = await db.query(
      `insert into schema_pieces (dataset_id, attempt, piece, is_last, json)
       select dataset_id, $2::integer, $3::integer, $4::boolean, $5::text from datasets
       where dataset_id = $1 and status = 'processing' for key share
       on conflict (dataset_id, attempt, piece) do update set is_last = excluded.is_last, json = excluded.json
       returning piece`,
      [datasetId, attempt, piece++, bytes === json.length, text],
    )
    if (rows.length === 0) return null
    await ownTurn()
  }
  return { json: null, attempt }
}

/** The schema of a tenant's ready dataset, as JSON; null if there is none. */
export async function readSchema(db: Queryable, tenantId: string, datasetId: string): Promise<Buffer | null> {
  const [place] = await db.query<{ json: string | null; attempt: number | null }>(
    'select schema::text as json, schema_attempt as attempt from datasets where dataset_id = $1 and tenant_id = $2',
    [datasetId, tenantId],
  )
  if (place === undefined) return null
  if (place.attempt === null) return place.json === null ? null : Buffer.from(place.json)
  const pieces: Buffer[] = []
  for (let isLast = false; !isLast; ) {
    await ownTurn()
    const [piece] = await db.query<{ json: string; is_last: boolean }>(
      'select json, is_last from schema_pieces where dataset_id = $1 and attempt = $2 and piece = $3',
      [datasetId, place.attempt, pieces.length],
    )
    // The dataset was deleted meanwhile.
    if (piece === undefined) return null
    pieces.push(Buffer.from(piece.json))
    isLast = piece.is_last
  }
  return Buffer.concat(pieces)
}
