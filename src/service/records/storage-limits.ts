import type { Settings } from '../settings/settings.ts'
import { sizeText } from '../size-text.ts'
import type { Queryable } from '../store/database.ts'
import { readTenantLimits, type TenantLimits } from './tenant-limits.ts'
import { readUsage, storedBytes } from './usage.ts'

/** Bytes that a tenant may have stored, and that one artifact of it may have. Null: no limit. */
export interface StorageLimits {
  readonly storedBytes: number | null
  readonly artifactBytes: number | null
}

/** What a tenant has left. */
export interface LeftToStore {
  readonly limitBytes: number
  /** Below 0 where the limit was lowered, or something grew past it. */
  readonly leftBytes: number
}

/** What the operator set for the tenant goes before what the settings say. */
export function storageLimits(
  tenant: Pick<TenantLimits, 'storedBytesLimit' | 'artifactBytesLimit'>,
  settings: Pick<Settings, 'tenantBytes' | 'artifactBytes'>,
): StorageLimits {
  return {
    storedBytes: tenant.storedBytesLimit ?? settings.tenantBytes,
    artifactBytes: tenant.artifactBytesLimit ?? settings.artifactBytes,
  }
}

/**
 * What a tenant has left to store; null: there is no limit. In a transaction that goes on to record something, `lock` keeps
 * others from recording what would pass the limit together with it.
 */
export async function readLeftToStore(
  db: Queryable,
  tenantId: string,
  settings: Pick<Settings, 'tenantBytes' | 'artifactBytes'>,
  options: { readonly lock?: boolean } = {},
): Promise<{ readonly limits: StorageLimits; readonly stored: LeftToStore | null }> {
  const limits = storageLimits(await readTenantLimits(db, tenantId), settings)
  if (limits.storedBytes === null) return { limits, stored: null }
  if (options.lock === true) await readTenantLimits(db, tenantId, { lock: true })
  // A statement of its own: what was recorded by whoever had the lock before is seen only by one that begins after it.
  const leftBytes = limits.storedBytes - storedBytes(await readUsage(db, tenantId))
  return { limits, stored: { limitBytes: limits.storedBytes, leftBytes } }
}

/** `12 MiB are left of the 20 GiB that the tenant may have stored`. */
export function leftText({ limitBytes, leftBytes }: LeftToStore): string {
  return `${sizeText(Math.max(0, leftBytes))} are left of the ${sizeText(limitBytes)} that the tenant may have stored`
}
