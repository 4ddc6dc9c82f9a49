import { resolve } from 'node:path'

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
  const { startService } = await import('../../service/start-service.ts')
  const service = await startService({
    dataDir: resolve(flags.data),
    host: flags.host,
    port: flags.port,
    publicUrl: flags.publicUrl ?? null,
    ...(flags.threads === undefined ? {} : { threads: flags.threads }),
    rateLimits: true,
    log: true,
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
