/**
 * What a run lock does wherever it is stored: it waits for its turn, beats, and notices that another run took it. The
 * lock file (`run-lock.ts`) and the object in a bucket (`shared/shared-lock.ts`) say how one look and one beat are made.
 */
import type { Clock } from '../../base/clock.ts'
import { sharedWork } from '../../base/shared-work.ts'
import type { ThisProcess } from '../../base/this-process.ts'
import { isDeadline, RunRefusalError } from '../interface/exit-code.ts'
import type { LockHolder } from '../interface/run-event.ts'

export const HEARTBEAT_MS = 15_000

export interface LockWish {
  readonly clock: Clock
  readonly process: ThisProcess
  readonly runId: string
  /** How long to wait for another holder; 0 = not at all. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly onWait: (holder: LockHolder) => void
  readonly onTakeover: (holder: LockHolder, because: 'process_gone' | 'heartbeat_old') => void
}

export interface RunLock {
  /** Aborted with a `RunRefusalError` when a heartbeat finds that another run took the lock. */
  readonly lost: AbortSignal
  /**
   * Rejects with the reason of `lost` unless this run still holds the lock; called before every request that makes work
   * and before state or manifest are written. Calls within `freshMs` share one check.
   */
  assertHeld(): Promise<void>
  /** Stops the heartbeat and removes the lock if this run still holds it. */
  release(): Promise<void>
}

function lockHeld({ runId, pid, host, startedAt, heartbeatAt }: LockHolder): RunRefusalError {
  return new RunRefusalError(
    'lock_held',
    'lock_held',
    `another run of this study (${runId}) holds the lock: process ${pid} on ${host}, started ${startedAt}, last seen ${heartbeatAt}. Wait for it (--lock-timeout 10m), or remove it with: whatif unlock`,
  )
}

/** The refusal of a run that finds the lock, or the writes, of another one in its state. */
export const takenOver = (): RunRefusalError =>
  new RunRefusalError('lock_held', 'lock_held', 'another run has taken over the lock of this study; this one stops')

/**
 * Tries until the lock is ours, every `retryMs` while another run holds it. `attempt` gives the lock, its living holder,
 * or `again` where the next try need not wait. Rejects as `acquireRunLock` does.
 */
export async function waitForTurn(
  { clock, signal, timeoutMs, onWait }: LockWish,
  retryMs: number,
  attempt: () => Promise<RunLock | LockHolder | 'again'>,
): Promise<RunLock> {
  const giveUpAt = clock.now() + timeoutMs
  let waitingFor: LockHolder | null = null
  try {
    for (;;) {
      signal.throwIfAborted()
      const found = await attempt()
      if (found === 'again') continue
      if ('release' in found) return found
      if (clock.now() >= giveUpAt) throw lockHeld(found)
      if (waitingFor === null) onWait(found)
      waitingFor = found
      await clock.sleep(Math.min(retryMs, Math.max(1, giveUpAt - clock.now())), signal)
    }
  } catch (error) {
    throw waitingFor !== null && isDeadline(error) ? lockHeld(waitingFor) : error
  }
}

/** `look` and `beat` give whether the lock is still ours; `giveBack` is called for a lock that was not found lost. */
interface LockPlace {
  look(): Promise<boolean>
  beat(): Promise<boolean>
  giveBack(): Promise<void>
}

/** A lock that was just taken, with its heartbeat. A lock that was ours `freshMs` ago is not looked at. */
export function heldLock(clock: Clock, freshMs: number, place: LockPlace): RunLock {
  const lost = new AbortController()
  let seenAt = clock.now()
  const see = async (isOurs: () => Promise<boolean>): Promise<void> => {
    const now = clock.now()
    if (!lost.signal.aborted && !(await isOurs())) lost.abort(takenOver())
    lost.signal.throwIfAborted()
    seenAt = now
  }
  const look = sharedWork(() => see(() => place.look()))
  let beating: Promise<void> = Promise.resolve()
  const stop = clock.every(HEARTBEAT_MS, () => {
    // The others see a failed heartbeat as silence, and this run finds it at the next check.
    beating = beating.then(() => see(() => place.beat())).catch(() => {})
  })
  return {
    lost: lost.signal,
    async assertHeld() {
      const age = clock.now() - seenAt
      if (age < 0 || age >= freshMs || lost.signal.aborted) await look()
    },
    async release() {
      stop()
      await beating
      if (!lost.signal.aborted) await place.giveBack()
    },
  }
}
