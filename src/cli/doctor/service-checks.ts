import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createServiceClient } from '../../client/create-service-client.ts'
import { contractVersion, probeHealth } from '../../client/probe-service.ts'
import type { ServiceClient } from '../../client/service-client.ts'
import { ServiceError } from '../../client/service-error.ts'
import type { RemoteConnection } from '../../local/service-connection.ts'
import { RunRefusalError } from '../../runner/interface/exit-code.ts'
import { type Check, fail, ok, warn } from './machine-checks.ts'

/** How long each check of the service may take, in milliseconds. */
const LIMIT_MS = 10_000

/** With a larger error, checks of tokens and expiry times are wrong. */
const MOST_SKEW_MS = 60_000

/** The major version of the contract that the runner speaks. */
const CONTRACT = /^1\./

/** Checks reachability, clock, contract and token. A check that needs a failed one before it is left out. */
export async function checkRemoteService(connection: RemoteConnection): Promise<readonly Check[]> {
  const { origin } = new URL(connection.baseUrl)
  const health = await probeHealth({ baseUrl: connection.baseUrl, limitMs: LIMIT_MS })
  if (!health.reached) {
    const advice = health.hint ?? 'Check the address, the network, and whether the service runs.'
    return [fail('service', 11, `${origin} cannot be reached: ${health.why}`, advice)]
  }
  const checks: Check[] = [
    health.status >= 200 && health.status < 300
      ? ok('service', `${origin} answers`)
      : health.status >= 500
        ? fail(
            'service',
            11,
            `${origin} answers /healthz with ${health.status}`,
            'Try again later, or ask its operator.',
          )
        : warn(
            'service',
            `${origin} answers /healthz with ${health.status}`,
            'Check that the address is the service itself.',
          ),
  ]
  if (health.clockMs !== null) checks.push(clockCheck(health.clockMs - health.askedAtMs))
  checks.push(contractCheck(await contractVersion({ baseUrl: connection.baseUrl, deadlineMs: Date.now() + LIMIT_MS })))
  const client = createServiceClient(connection)
  try {
    checks.push(await tokenCheck(client))
  } finally {
    await client.close()
  }
  return checks
}

/** `skewMs`: the service's clock minus ours. */
export function clockCheck(skewMs: number): Check {
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  if (Math.abs(skewMs) <= MOST_SKEW_MS) return ok('clock', 'the clocks of this machine and the service agree')
  const way = skewMs > 0 ? 'behind' : 'ahead of'
  return warn(
    'clock',
    `the clock of this machine is ${seconds} s ${way} that of the service`,
    'Set it, preferably by NTP: tokens and expiry times depend on it.',
  )
}

export function contractCheck(version: string | null): Check {
  if (version === null)
    return warn('contract', 'the service does not report its contract version', 'Runs work if it is 1.x.')
  if (CONTRACT.test(version)) return ok('contract', `the service speaks version ${version} of the contract`)
  return warn(
    'contract',
    `the service speaks version ${version} of the contract, and this runner 1.x`,
    'Install a newer version of whatif.',
  )
}

/** A list of datasets is the cheapest request that wants a token. */
async function tokenCheck(client: ServiceClient): Promise<Check> {
  try {
    await client.listDatasets(null, { deadlineMs: Date.now() + LIMIT_MS })
    return ok('token', 'the identity provider issues a token, and the service accepts it')
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { kind, located: message } = error
    if (kind === 'auth' || kind === 'forbidden')
      return fail('token', 5, message, 'whatif auth status shows whether your request for access is approved.')
    if (kind === 'not_found')
      return warn('token', `a token was issued, but: ${message}`, 'Check that the address is that of the service.')
    return fail('token', 11, message, 'Check the address of the identity provider, and try again.')
  }
}

/** Starts the embedded service if it was started here before; the doctor creates none. */
export async function checkEmbeddedService(projectRoot: string, open: () => Promise<ServiceClient>): Promise<Check> {
  const isThere = await stat(join(projectRoot, '.whatif', 'embedded')).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isThere) return ok('service', 'none is configured; the first run starts an embedded one')
  try {
    const client = await open()
    try {
      await client.listDatasets(null, { deadlineMs: Date.now() + LIMIT_MS })
    } finally {
      await client.close()
    }
    return ok('service', 'the embedded service starts and answers')
  } catch (error) {
    const why = (error as Error).message
    if (error instanceof RunRefusalError && error.reason === 'lock_held')
      return warn('service', why, 'To share one service between processes, use whatif serve.')
    return fail(
      'service',
      7,
      `the embedded service does not work: ${why}`,
      'Move .whatif/embedded away; the next run creates it again.',
    )
  }
}
