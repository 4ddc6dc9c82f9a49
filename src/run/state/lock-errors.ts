import type { LockHolder } from '../interface/run-event.ts'

/** Another run holds the lock and did not release it in time. */
export class LockHeldError extends Error {
  override readonly name = 'LockHeldError'
  readonly holder: LockHolder

  constructor(holder: LockHolder) {
    super(
      `another run of this study (${holder.runId}) holds the lock: process ${holder.pid} on ${holder.host}, started ${holder.startedAt}, last seen ${holder.heartbeatAt}. Wait for it (--lock-timeout 10m), or remove it with: whatif unlock`,
    )
    this.holder = holder
  }
}

/** The lock was taken over by another run, for example after this machine slept: nothing more may be sent or written. */
export class LockLostError extends Error {
  override readonly name = 'LockLostError'
}
