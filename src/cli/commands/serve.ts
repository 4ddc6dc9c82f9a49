import { resolve } from 'node:path'
import { CommandError } from '../command-error.ts'

export interface ServeFlags {
  readonly data: string
  readonly host: string
  readonly port: number
  readonly publicUrl?: string
  readonly threads?: number
  readonly json?: boolean
}

/**
 * Runs the service until a signal: the first SIGINT or SIGTERM stops accepting and hands unfinished jobs back to the
 * queue; a second one ends at once.
 */
export async function serve(flags: ServeFlags): Promise<number> {
  const { completeSettings, startService } = await import('../../service/start-service.ts')
  const settings = {
    dataDir: resolve(flags.data),
    host: flags.host,
    port: flags.port,
    publicUrl: flags.publicUrl ?? null,
    ...(flags.threads === undefined ? {} : { threads: flags.threads }),
    rateLimits: true,
    log: true,
  }
  try {
    completeSettings(settings)
  } catch (error) {
    throw new CommandError(5, (error as Error).message)
  }
  const service = await startService(settings).catch((error: unknown) => {
    throw startFault(error) ?? error
  })
  if (flags.json) process.stdout.write(`${JSON.stringify({ base_url: service.baseUrl, auth_url: service.authUrl })}\n`)
  else {
    process.stderr.write(`whatif service at ${service.baseUrl} (identity provider ${service.authUrl})\n`)
    if (service.operatorToken === undefined)
      process.stderr.write('The operator routes are off: set WHATIF_OPERATOR_TOKEN to approve signups.\n')
  }

  const signal = await new Promise<'SIGINT' | 'SIGTERM'>((settle) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const)
      process.once(name, () => {
        process.once(name, () => process.exit(name === 'SIGINT' ? 130 : 143))
        settle(name)
      })
  })
  process.stderr.write(`${signal}: stopping; running work goes back to the queue\n`)
  await service.close()
  return 0
}

/** What the one who starts a service can put right; null for everything else. */
function startFault(error: unknown): CommandError | null {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'data_folder_in_use') return new CommandError(10, message)
  if (code === 'ENOSPC') return new CommandError(5, message)
  if (code === 'EADDRINUSE')
    return new CommandError(5, 'the port is in use', 'Choose another with --port, or 0 for any.')
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new CommandError(5, `the service cannot be started there (${message})`)
  return null
}
