import { execFile } from 'node:child_process'
import * as fs from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hashFile } from '../../client/hash-file.ts'
import type { ServiceClient } from '../../client/service-client.ts'
import { systemClock } from '../../run/clock.ts'
import type { Provenance, RunEnvironment } from '../../run/run-options.ts'
import type { Connection } from '../connection.ts'
import type { Reporter } from '../output/reporter.ts'
import { packageVersion } from '../package-version.ts'
import { makeStateFolder } from '../project-root.ts'

interface EnvironmentOptions {
  readonly connection: Connection
  readonly projectRoot: string
  readonly lockTimeoutMs: number
  readonly signal: AbortSignal
  readonly reporter: Reporter
  readonly confirm?: RunEnvironment['confirm']
}

/** The real world for a run: this disk, this clock, this process, and the service that the connection names. */
export function realEnvironment(options: EnvironmentOptions): RunEnvironment {
  return {
    fs,
    clock: systemClock,
    signal: options.signal,
    onEvent: (event) => options.reporter.onEvent(event),
    client: () => openService(options),
    hashFile,
    // DuckDB takes 0.2 s to load: only a run that measures pays for it.
    measure: async (request, signal) => (await import('../../manifest/measure.ts')).measure(request, signal),
    random: Math.random,
    process: { pid: process.pid, host: hostname(), exists: processExists },
    ...(options.confirm ? { confirm: options.confirm } : {}),
  }
}

async function openService(options: EnvironmentOptions): Promise<ServiceClient> {
  const { connection, projectRoot, lockTimeoutMs, reporter } = options
  if (connection.kind === 'remote') {
    reporter.onService('remote')
    const { createServiceClient } = await import('../../client/create-service-client.ts')
    return createServiceClient(connection)
  }
  reporter.onService('starting')
  const { openEmbeddedService } = await import('../embedded-service.ts')
  const client = await openEmbeddedService({ dataDir: join(makeStateFolder(projectRoot), 'embedded'), lockTimeoutMs })
  reporter.onService('embedded')
  return client
}

/** Is there a process of this id on this host? */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** What the manifest says about where it was made; no host, user or path. */
export async function provenance(projectRoot: string, env: NodeJS.ProcessEnv): Promise<Provenance> {
  return {
    tool: packageVersion(),
    node: process.versions.node,
    git: await gitState(projectRoot),
    ci: env.GITHUB_ACTIONS ? 'github-actions' : env.GITLAB_CI ? 'gitlab-ci' : env.CI ? 'other' : null,
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
