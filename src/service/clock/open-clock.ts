import { uptime } from 'node:os'
import type { Database } from '../store/database.ts'
import { DatabaseClock } from './database-clock.ts'
import { EmbeddedClock } from './embedded-clock.ts'
import type { CheckedClock, MachineClocks } from './service-clock.ts'

const MACHINE_CLOCKS: MachineClocks = {
  wall: () => Date.now(),
  steady: () => performance.now(),
  sleepless: () => uptime() * 1000,
}

/** The clock of a service on this machine, set. @throws DatabaseUnavailableError */
export async function openClock(db: Database, options: { readonly isAlone: boolean }): Promise<CheckedClock> {
  return options.isAlone ? new EmbeddedClock(MACHINE_CLOCKS) : await DatabaseClock.open(db, MACHINE_CLOCKS)
}
