import { timestamp } from '../../base/clock.ts'
import type { LockHolder } from '../interface/run-event.ts'
import type { SharedStore, SharedText } from '../interface/shared-store.ts'
import { HEARTBEAT_MS, heldLock, type LockWish, type RunLock, waitForTurn } from '../state/held-lock.ts'
import { lockText, parseHolder, type Staleness, staleness, type Unlocking } from '../state/run-lock.ts'

/** Between two looks at the lock of another machine. */
const RETRY_MS = 2_000
/** A lock that was ours this recently is still ours: others take it only after two minutes of silence. */
const FRESH_MS = 2 * HEARTBEAT_MS

export interface SharedLockRequest extends LockWish {
  readonly store: SharedStore
  readonly key: string
}

/**
 * The run lock in a shared store, with the content of the lock file. It is taken, renewed and given back by conditional writes, so that
 * of two machines one has it. It stays as an object that says it is released.
 */
export function acquireSharedLock(request: SharedLockRequest): Promise<RunLock> {
  const { store, key } = request
  const startedAt = timestamp(request.clock)
  return waitForTurn(request, RETRY_MS, async () => {
    const found = await store.read(key)
    const other = holderOf(found)
    const stale = other === null ? null : sharedStaleness(other, found, request)
    if (other !== null && stale === null) return other.holder
    const text = lockText(request, startedAt)
    const version = found === null ? await store.create(key, text) : await store.replace(key, text, found.version)
    if (version !== null) {
      if (other !== null && stale !== null) request.onTakeover(other.holder, stale)
      return hold(request, startedAt, version)
    }
    // Somebody was quicker, or the answer to our own write was lost.
    const now = await store.read(key)
    return now !== null && isOurs(now.text, request.runId) ? hold(request, startedAt, now.version) : 'again'
  })
}

const holderOf = (found: SharedText | null) =>
  found === null || isReleased(found.text) ? null : parseHolder(found.text)

/** Clocks of machines differ, so the store says how long the lock was silent, where it can. */
function sharedStaleness(
  other: ReturnType<typeof parseHolder>,
  found: SharedText | null,
  world: Pick<LockWish, 'clock' | 'process'>,
): Staleness {
  return staleness(other, world, found?.ageMs ?? undefined)
}

/** The holder of the lock, without changing it; null: nobody. */
export async function readSharedLock(
  { store, key }: Pick<SharedLockRequest, 'store' | 'key'>,
  world: Pick<LockWish, 'clock' | 'process'>,
): Promise<{ readonly holder: LockHolder; readonly stale: Staleness } | null> {
  const found = await store.read(key)
  const other = holderOf(found)
  return other === null ? null : { holder: other.holder, stale: sharedStaleness(other, found, world) }
}

/** As `unlockStudy`, for the lock of a shared state. */
export async function unlockShared(
  { store, key }: Pick<SharedLockRequest, 'store' | 'key'>,
  world: Pick<LockWish, 'clock' | 'process'>,
  { force }: { readonly force: boolean },
): Promise<Unlocking> {
  await store.requireConditions(key.slice(0, key.lastIndexOf('/') + 1))
  const found = await store.read(key)
  const other = holderOf(found)
  if (found === null || other === null) return { kind: 'not_locked' }
  const { holder } = other
  const stale = sharedStaleness(other, found, world)
  if (stale === null && !force) return { kind: 'held', holder }
  const text = releasedText(`unlock-${world.process.pid}`, world.clock)
  if ((await store.replace(key, text, found.version)) !== null) return { kind: 'removed', holder, stale }
  // The answer to our own write may have been lost.
  const isOurs = (await store.read(key))?.text === text
  return isOurs ? { kind: 'removed', holder, stale } : { kind: 'changed', holder }
}

const releasedText = (runId: string, clock: LockWish['clock']): string =>
  `${JSON.stringify({ released: true, run_id: runId, at: timestamp(clock) })}\n`

function isReleased(text: string): boolean {
  try {
    return (JSON.parse(text) as { released?: unknown } | null)?.released === true
  } catch {
    return false
  }
}

const isOurs = (text: string, runId: string): boolean => !isReleased(text) && parseHolder(text).holder.runId === runId

function hold(request: SharedLockRequest, startedAt: string, first: string): RunLock {
  const { store, key, clock, runId } = request
  let version = first
  const look = async (): Promise<boolean> => {
    const found = await store.read(key)
    if (found === null || !isOurs(found.text, runId)) return false
    version = found.version
    return true
  }
  return heldLock(clock, FRESH_MS, {
    look,
    async beat() {
      const renewed = await store.replace(key, lockText(request, startedAt), version)
      if (renewed === null) return await look()
      version = renewed
      return true
    },
    async giveBack() {
      await store.replace(key, releasedText(runId, clock), version).catch(() => {})
    },
  })
}
