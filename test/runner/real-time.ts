import { systemClock } from '../../src/base/clock.ts'
import { processExists } from '../../src/base/this-process.ts'
import { createServiceClient } from '../../src/client/create-service-client.ts'
import type { RunEnvironment } from '../../src/runner/interface/run-options.ts'
import { SECRET_CANARY, type ServiceDouble } from './service-double.ts'

/** A run in this process by the clock on the wall, beside others; waits for the service are cut short. */
export function realTime(service: ServiceDouble): Partial<RunEnvironment> {
  const client = async () =>
    createServiceClient({
      baseUrl: service.url,
      authUrl: service.url,
      clientId: 'cli_1',
      clientSecret: SECRET_CANARY,
      random: () => 0,
      sleep: () => systemClock.sleep(2),
    })
  return {
    clock: systemClock,
    client,
    process: { pid: process.pid, host: 'here', place: 'here', exists: processExists },
  }
}
