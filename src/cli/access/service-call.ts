import { ServiceError } from '../../client/service-error.ts'
import { safeAddress } from '../../local/service-connection.ts'
import { SetupError } from '../../local/setup-error.ts'

/** The service that a command about access or operation speaks to. */
export function serviceOf(flags: { readonly service?: string }, env: NodeJS.ProcessEnv): string {
  const address = flags.service ?? env.WHATIF_BASE_URL
  if (!address) throw new SetupError(5, 'no service is configured', 'Set WHATIF_BASE_URL, or pass --service URL.')
  return safeAddress(address, 'service')
}

/**
 * The exit code depends on who can correct a failed call (study-language, 10). `ifNotFound` is the hint of commands that
 * name a resource: an unknown one is a fault of the command line.
 */
export async function ask<T>(call: Promise<T>, { ifNotFound }: { readonly ifNotFound?: string } = {}): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind === 'reply') throw error
    if (error.code?.endsWith('invalid_claim')) throw new SetupError(5, error.message)
    if (error.kind === 'rejected' || error.kind === 'too_large') throw new SetupError(2, error.message)
    if (error.kind === 'not_found' && ifNotFound !== undefined) throw new SetupError(2, error.message, ifNotFound)
    const isTime = error.kind === 'network' || error.kind === 'deadline' || error.kind === 'server'
    throw new SetupError(isTime ? 11 : 5, error.message, null, error.located)
  }
}
