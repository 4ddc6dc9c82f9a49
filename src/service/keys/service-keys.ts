import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose'
import { UnusableError } from '../settings/unusable-error.ts'
import type { Database } from '../store/database.ts'
import { seal, unseal } from './sealing.ts'

/** The keys of one service, the same in every process that shares its database. None of them prints its bytes. */
export interface ServiceKeys {
  /** ES256 key pair of bearer tokens. */
  readonly signing: {
    readonly keyId: string
    readonly privateKey: KeyObject
    readonly publicKey: KeyObject
    /** What `/.well-known/jwks.json` publishes. */
    readonly publicJwk: JWK
  }
  /** AES-256-GCM, for `seal` and `unseal` (`sealing.ts`). */
  readonly sealing: KeyObject
  /** HMAC-SHA-256 of list cursors. */
  readonly cursor: KeyObject
  /** HMAC-SHA-256 of artifact addresses. */
  readonly artifactAddress: KeyObject
  /** HMAC-SHA-256 that gives each model the secret of its rows' keys. */
  readonly rowKeys: KeyObject
}

const NAMES = ['signing', 'sealing', 'cursor', 'artifact_address', 'row_keys'] as const
type KeyName = (typeof NAMES)[number]

/**
 * Loads the service's keys and makes missing ones. Processes that start together agree: the first insert wins and all
 * of them read it back. Throws if `masterKey` does not open the stored keys.
 */
export async function loadServiceKeys(db: Database, masterKey: KeyObject): Promise<ServiceKeys> {
  let stored = await readKeys(db, masterKey)
  for (const name of NAMES) {
    if (stored.has(name)) continue
    const sealed = seal(masterKey, makeKey(name), purposeOf(name))
    await db.query('insert into service_keys (name, sealed) values ($1, $2) on conflict (name) do nothing', [
      name,
      sealed,
    ])
  }
  if (stored.size < NAMES.length) stored = await readKeys(db, masterKey)
  const secret = (name: KeyName): KeyObject => createSecretKey(Buffer.from(stored.get(name) as string, 'base64url'))
  return {
    signing: await readSigningKey(stored.get('signing') as string),
    sealing: secret('sealing'),
    cursor: secret('cursor'),
    artifactAddress: secret('artifact_address'),
    rowKeys: secret('row_keys'),
  }
}

async function readKeys(db: Database, masterKey: KeyObject): Promise<Map<string, string>> {
  const rows = await db.query<{ name: string; sealed: string }>('select name, sealed from service_keys')
  const keys = new Map<string, string>()
  for (const row of rows) {
    const opened = unseal(masterKey, row.sealed, purposeOf(row.name))
    if (opened === null) {
      throw new UnusableError(
        'setting_invalid',
        'the master key does not open the keys in this database: it was made with another master key. Give every process the same WHATIF_MASTER_KEY, or the master.key of the first one in its data folder',
      )
    }
    keys.set(row.name, opened)
  }
  return keys
}

function makeKey(name: KeyName): string {
  if (name !== 'signing') return randomBytes(32).toString('base64url')
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }) as string
}

async function readSigningKey(pkcs8: string): Promise<ServiceKeys['signing']> {
  const privateKey = createPrivateKey(pkcs8)
  const publicKey = createPublicKey(privateKey)
  const coordinates = await exportJWK(publicKey)
  const keyId = await calculateJwkThumbprint(coordinates)
  return { keyId, privateKey, publicKey, publicJwk: { ...coordinates, kid: keyId, alg: 'ES256', use: 'sig' } }
}

function purposeOf(name: string): string {
  return `service key ${name}`
}
