import { execFile } from 'node:child_process'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { measure } from '../answers/counts/measure.ts'
import { systemClock } from '../base/clock.ts'
import { packageVersion } from '../base/package-version.ts'
import { thisProcess } from '../base/this-process.ts'
import type { ServiceClient } from '../client/service-client.ts'
import type { Provenance, RunEnvironment } from '../runner/interface/run-options.ts'
import type { SeedObjects } from '../runner/interface/seed-objects.ts'
import type { SharedStore } from '../runner/interface/shared-store.ts'
import { shardFolder } from '../study/shards/shards.ts'
import type { Shard } from '../study/study.ts'
import { makeStateFolder } from './project-root.ts'
import type { Connection } from './service-connection.ts'

/**
 * The stage of a run's service: the embedded one is starting, which takes a second or two, or the name of the one that
 * answers.
 */
export type ServiceState = 'starting' | 'embedded' | 'remote'

interface EnvironmentOptions {
  readonly connection: Connection
  readonly projectRoot: string
  /** The part of the study that is run. Each has an embedded service of its own, because one serves one process at a time. */
  readonly shard?: Shard | null
  /** How long to wait for another process that uses the embedded service's data. */
  readonly lockTimeoutMs: number
  /** Where the state lives when several machines share it; null or absent: on this disk. */
  readonly state?: SharedStore | null
  /** Objects in buckets that datasets may name; absent: none. */
  readonly objects?: SeedObjects
  readonly signal: AbortSignal
  readonly onEvent: RunEnvironment['onEvent']
  readonly onService: (state: ServiceState) => void
  /** Called for runs that a remote service bills; the embedded one bills nobody. */
  readonly confirm?: RunEnvironment['confirm']
}

/** The real environment of a run: this disk, this clock, this process, and the service of the connection. */
export function realEnvironment(options: EnvironmentOptions): RunEnvironment {
  return {
    fs,
    clock: systemClock,
    signal: options.signal,
    onEvent: options.onEvent,
    client: () => openService(options),
    ...(options.state != null && { shared: async () => options.state as SharedStore }),
    ...(options.objects !== undefined && { objects: options.objects }),
    measure,
    random: Math.random,
    process: thisProcess(),
    ...(options.confirm && options.connection.kind === 'remote' ? { confirm: options.confirm } : {}),
  }
}

async function openService(options: EnvironmentOptions): Promise<ServiceClient> {
  const { connection, projectRoot, shard, lockTimeoutMs, signal, onService } = options
  if (connection.kind === 'remote') {
    onService('remote')
    const { createServiceClient } = await import('../client/create-service-client.ts')
    return createServiceClient(connection)
  }
  onService('starting')
  const { openEmbeddedService } = await import('./embedded-service.ts')
  const state = makeStateFolder(projectRoot)
  const dataDir = shard == null ? join(state, 'embedded') : join(state, 'embedded-shards', shardFolder(shard))
  const { retentionHours } = connection
  const client = await openEmbeddedService({ dataDir, lockTimeoutMs, signal, retentionHours })
  onService('embedded')
  return client
}

/** The manifest's account of where it was made; no host, user or path. `ci`: name of the CI system. */
export async function provenance(projectRoot: string, ci: string | null): Promise<Provenance> {
  return {
    tool: packageVersion(),
    node: process.versions.node,
    git: await gitState(projectRoot),
    ci,
  }
}

async function gitState(folder: string): Promise<Provenance['git']> {
  const args = ['-C', folder, 'status', '--porcelain=v2', '--branch', '--no-ahead-behind', '--untracked-files=no']
  const options = { timeout: 5_000, maxBuffer: 16 * 2 ** 20, windowsHide: true }
  try {
    const lines = (await promisify(execFile)('git', args, options)).stdout.split('\n')
    const commit = /^# branch\.oid ([0-9a-f]+)$/.exec(lines[0] ?? '')?.[1]
    // A repository without a commit has nothing to name.
    return commit === undefined ? null : { commit, dirty: lines.some((line) => /^[^#]/.test(line)) }
  } catch {
    return null
  }
}
