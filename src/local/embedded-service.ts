import { randomBytes, randomUUID } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { writeAtomically } from '../base/atomic-file.ts'
import { claimCredentials, getSignupStatus, signUp } from '../client/access.ts'
import { createServiceClient } from '../client/create-service-client.ts'
import { approveSignup } from '../client/operator.ts'
import type { ServiceClient } from '../client/service-client.ts'
import { ServiceError } from '../client/service-error.ts'
import { DiskError } from '../runner/interface/disk-error.ts'
import { RunRefusalError } from '../runner/interface/exit-code.ts'
import { DISK_FULL, FILES_RESERVE_BYTES, freeSpace, MIB } from '../service/disk/disk-space.ts'
import type { RunningService, startService as StartService } from '../service/start-service.ts'

export interface EmbeddedOptions {
  /** Folder of the service's data, `.whatif/embedded` of the project root. */
  readonly dataDir: string
  /** How long to wait for another process that uses the folder. */
  readonly lockTimeoutMs: number
  /** Ends that wait. Everything opened by then is closed again. */
  readonly signal: AbortSignal
  /** Retention of datasets and results made from now on, also in folders of an earlier start. */
  readonly retentionHours: number
  readonly threads?: number
}

interface StoredCredentials {
  readonly request_id: string
  readonly client_id: string
  readonly client_secret: string
}

/**
 * The project's own service in this process, on a free port of 127.0.0.1, called over HTTP like any other. Closing the
 * client stops it. Its tenant is made by the same signup, approval and claim as a remote tenant.
 */
export async function openEmbeddedService(options: EmbeddedOptions): Promise<ServiceClient> {
  // Valid as long as this process: nobody outside can approve a signup here.
  const operatorToken = randomBytes(32).toString('base64url')
  const service = await startWhenFree(options, {
    dataDir: options.dataDir,
    // This program made the folder, and a copied project or a CI cache loses its modes: no reason to refuse the run.
    ifDataOpen: 'mend',
    host: '127.0.0.1',
    port: 0,
    // The folder's own key: a key in the environment is meant for another service and must not seal this one.
    masterKey: null,
    operatorToken,
    ...(options.threads === undefined ? {} : { threads: options.threads }),
    // The disk belongs to one user, so there is no quota. The free space reserve still applies.
    tenantBytes: null,
    artifactBytes: null,
    retentionHours: options.retentionHours,
    namesRare: true,
    // The seed file is the caller's own: there is nobody to protect it from.
    disclosure: 'exact',
    webhooks: 'none',
    rateLimits: false,
    logLevel: 'silent',
    metrics: false,
  })
  try {
    options.signal.throwIfAborted()
    const { baseUrl, authUrl } = service
    const file = join(options.dataDir, 'credentials.json')
    let credentials = await readCredentials(file)
    if (!credentials || !(await knows(baseUrl, credentials.request_id))) {
      credentials = await makeTenant(baseUrl, operatorToken)
      await writeAtomically(fs, file, JSON.stringify(credentials), { mode: 0o600, concurrent: true })
    }
    const client = createServiceClient({
      baseUrl,
      authUrl,
      clientId: credentials.client_id,
      clientSecret: credentials.client_secret,
      sendsWhole: true,
    })
    const requireRoom = () => {
      if (freeSpace(options.dataDir) < FILES_RESERVE_BYTES) throw noRoom(options.dataDir)
    }
    return {
      ...client,
      // The service would answer 503, and the client would wait for room that nobody makes.
      createDataset: async (...args) => {
        requireRoom()
        return await client.createDataset(...args)
      },
      createGeneration: async (...args) => {
        requireRoom()
        return await client.createGeneration(...args)
      },
      close: async () => {
        try {
          await client.close()
        } finally {
          await service.close()
        }
      },
    }
  } catch (error) {
    await service.close()
    throw error
  }
}

/** The service of this machine refuses work: its own files, and its database, need room to end regularly. */
function noRoom(dataDir: string, cause?: unknown): DiskError {
  const [free, needed] = [freeSpace(dataDir), FILES_RESERVE_BYTES].map((bytes) => Math.floor(bytes / MIB))
  const words = `the disk has ${free} MiB free, and the embedded service needs ${needed} MiB and room for the files; make room`
  return new DiskError(DISK_FULL, join(basename(dirname(dataDir)), basename(dataDir)), cause, words)
}

/** The service takes no signal, so it waits for the folder in short turns. */
const TURN_MS = 250

/** @throws the signal's reason; DiskError for a full disk; RunRefusalError when another process keeps the folder longer than the timeout. */
async function startWhenFree(
  { lockTimeoutMs, signal }: EmbeddedOptions,
  settings: Parameters<typeof StartService>[0],
): Promise<RunningService> {
  const { startService } = await import('../service/start-service.ts')
  const until = performance.now() + lockTimeoutMs
  for (;;) {
    signal.throwIfAborted()
    const leftMs = Math.max(0, until - performance.now())
    try {
      return await startService({ ...settings, lockTimeoutMs: Math.min(leftMs, TURN_MS) })
    } catch (error) {
      if ((error as { code?: string }).code === DISK_FULL) throw noRoom(settings.dataDir, error)
      if ((error as { code?: string }).code !== 'data_folder_in_use') throw error
      if (leftMs > TURN_MS) continue
      const advice = 'Or wait longer for it, or share one service between processes: whatif serve.'
      throw new RunRefusalError('lock_held', 'data_folder_in_use', `${(error as Error).message} ${advice}`, {
        cause: error,
      })
    }
  }
}

/**
 * Every attempt signs up under its own address: a claim that was interrupted before it was stored is lost, and must not
 * lock out the folder's owner.
 */
async function makeTenant(baseUrl: string, operatorToken: string): Promise<StoredCredentials> {
  const signup = await signUp(
    { baseUrl },
    { companyName: 'Embedded', contactEmail: `embedded-${randomUUID()}@localhost.localdomain` },
  )
  const requestId = signup.value.request_id
  await approveSignup({ baseUrl, operatorToken }, requestId)
  const status = await getSignupStatus({ baseUrl }, requestId)
  const token = status.value.credential_claim_token
  if (!token) throw new Error('the embedded service approved its signup without a claim token')
  const { value } = await claimCredentials({ baseUrl }, token)
  return { request_id: requestId, client_id: value.client_id, client_secret: value.client_secret }
}

/** False when the credentials belong to a database that has since been removed. */
async function knows(baseUrl: string, requestId: string): Promise<boolean> {
  try {
    await getSignupStatus({ baseUrl }, requestId)
    return true
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not_found') return false
    throw error
  }
}

async function readCredentials(file: string): Promise<StoredCredentials | null> {
  try {
    const record = JSON.parse(await fs.readFile(file, 'utf8'))
    const complete = ['request_id', 'client_id', 'client_secret'].every((key) => typeof record?.[key] === 'string')
    return complete ? record : null
  } catch {
    return null
  }
}
