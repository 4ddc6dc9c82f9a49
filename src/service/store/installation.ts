import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Settings } from '../settings/settings.ts'
import { UnusableError } from '../settings/unusable-error.ts'
import type { Database } from './database.ts'

/** Number of the advisory lock under which the first process records the installation. */
const AGREEING_LOCK = 7_203_114_909

/** The blob that identifies its storage. Backups and moves of the storage include it. */
export const MARKER_KEY = 'installation/storage'
const MOST_MARKER_BYTES = 100

/** Number of datasets whose models show whether a storage belongs to a database that does not know its own yet. */
const LOOKED_AT = 3

interface Installation {
  readonly storage_id: string
  readonly storage_kind: 'folder' | 'bucket'
  readonly storage_place: string
  readonly newest_version: string
}

type AgreeingSettings = Pick<Settings, 'dataDir' | 'objectStorage' | 'databaseUrl' | 'storage' | 'version'>

/**
 * Checks that this process uses the same blob storage as the others on its database, by an id in the storage. The first
 * process, or one with `storage: new`, records the id. The master key is checked by the keys in the database, which
 * only one master key opens, and the version by the migrations.
 *
 * @throws UnusableError that says what differs and what to do.
 */
export async function agreeOnInstallation(db: Database, blobs: BlobStore, settings: AgreeingSettings): Promise<void> {
  const here = storageOf(settings)
  const before = await readInstallation(db)
  // Database and files in one folder cannot be mixed up.
  const isOneFolder = settings.databaseUrl === null && here.kind === 'folder'
  if (before !== null && settings.storage === 'known') {
    if (!isOneFolder) await requireStorage(db, blobs, before, here)
    else if (before.storage_kind !== 'folder') throw otherStorage(before, here, null)
    await raiseVersion(db, before.newest_version, settings.version)
    return
  }
  await db.exclusively(AGREEING_LOCK, async () => {
    const meanwhile = await readInstallation(db)
    if (meanwhile !== null && settings.storage === 'known') return
    if (settings.storage === 'known' && !isOneFolder) await requireModels(db, blobs, here)
    const id = isOneFolder ? newId() : ((await readMarker(blobs)) ?? (await writeMarker(blobs, newId())))
    await db.query(
      `insert into installation (storage_id, storage_kind, storage_place, newest_version) values ($1, $2, $3, $4)
       on conflict (is_only) do update set storage_id = $1, storage_kind = $2, storage_place = $3`,
      [id, here.kind, here.place, settings.version],
    )
  })
  // Another process may have recorded it first.
  if (settings.storage === 'known') await agreeOnInstallation(db, blobs, settings)
}

/** The record of the first process on a database; null if there is none. */
export async function readInstallation(db: Pick<Database, 'query'>): Promise<Installation | null> {
  const [row] = await db.query<Installation>(
    'select storage_id, storage_kind, storage_place, newest_version from installation',
  )
  return row ?? null
}

interface Storage {
  readonly kind: 'folder' | 'bucket'
  /** Without a secret. */
  readonly place: string
}

function storageOf({ objectStorage, dataDir }: AgreeingSettings): Storage {
  if (objectStorage === null) return { kind: 'folder', place: `the folder ${join(dataDir, 'blobs')}` }
  const { bucket, prefix, endpoint } = objectStorage
  const below = prefix === '' ? '' : ` below ${prefix}`
  return { kind: 'bucket', place: `the bucket ${bucket}${below} at ${new URL(endpoint).host}` }
}

async function readMarker(blobs: BlobStore): Promise<string | null> {
  const bytes = await blobs.size(MARKER_KEY)
  if (bytes === null || bytes > MOST_MARKER_BYTES) return null
  let text = ''
  for await (const chunk of blobs.read(MARKER_KEY)) text += String(chunk)
  return text.trim()
}

async function writeMarker(blobs: BlobStore, id: string): Promise<string> {
  await blobs.put(MARKER_KEY, Readable.from([Buffer.from(`${id}\n`)]))
  return id
}

function newId(): string {
  return randomBytes(16).toString('hex')
}

/** @throws UnusableError unless the storage is the one that the database knows. */
async function requireStorage(db: Database, blobs: BlobStore, known: Installation, here: Storage): Promise<void> {
  const found = await readMarker(blobs)
  if (found === known.storage_id && known.storage_kind === here.kind) return
  const isSamePlace = known.storage_kind === here.kind && known.storage_place === here.place
  if (found !== null || here.kind !== 'bucket' || !isSamePlace) throw otherStorage(known, here, found)
  // A bucket rule that removes old objects removes the id too. Folders with the same name exist on any machine.
  await requireModels(db, blobs, here)
  await writeMarker(blobs, known.storage_id)
}

/** Without an id, the blobs of the database's datasets must be in this storage. */
async function requireModels(db: Database, blobs: BlobStore, here: Storage): Promise<void> {
  const rows = await db.query<{ model_blob: string }>(
    `select model_blob from datasets where model_blob is not null and expires_at > now()
     order by created_at desc limit ${LOOKED_AT}`,
  )
  for (const { model_blob: key } of rows) if ((await blobs.size(key)) !== null) return
  if (rows.length > 0) throw otherStorage(null, here, null)
}

function otherStorage(known: Installation | null, here: Storage, found: string | null): UnusableError {
  const others = known === null ? 'another place' : known.storage_place
  const whose = found === null ? '' : ', which belongs to another database'
  return new UnusableError(
    'object_storage_unusable',
    `This process keeps files in ${here.place}${whose}; the database knows that they are in ${others}. Give every process the same settings of WHATIF_S3_* (or the same --data on a shared disk). If the files were moved here or are lost for good, stop all processes and start one with --storage new, once.`,
  )
}

async function raiseVersion(db: Database, newest: string, version: string): Promise<void> {
  if (!isNewer(version, newest)) return
  await db.query('update installation set newest_version = $1 where newest_version = $2', [version, newest])
}

function isNewer(left: string, right: string): boolean {
  const numbers = (version: string) => version.split(/[.+-]/).slice(0, 3).map(Number)
  const [a, b] = [numbers(left), numbers(right)]
  const at = a.findIndex((number, i) => number !== b[i])
  return at !== -1 && (a[at] as number) > (b[at] ?? 0)
}
