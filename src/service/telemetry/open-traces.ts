import { readFileSync } from 'node:fs'
import { packageFile } from '../../base/package-file.ts'
import type { Settings } from '../settings/settings.ts'
import { UnusableError } from '../settings/unusable-error.ts'
import type { Traces } from './traces.ts'

/**
 * Starts tracing if it is configured. The library is an optional peer dependency: it is loaded only in a service that
 * is traced.
 *
 * @throws UnusableError if it is not installed.
 */
export async function openTraces(
  { traces, version, role }: Pick<Settings, 'traces' | 'version' | 'role'>,
  onError: (error: unknown) => void,
): Promise<Traces | null> {
  if (traces === null) return null
  const { openTelemetry } = await import('./open-telemetry.ts').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UnusableError(
      'setting_invalid',
      `traces need packages that are not installed: npm install ${packages().join(' ')}`,
    )
  })
  return await openTelemetry({ protocol: traces, version, role, onError })
}

/** Package names with matching versions, for `npm install`. */
function packages(): string[] {
  const text = readFileSync(packageFile('package.json'), 'utf8')
  const { peerDependencies } = JSON.parse(text) as { peerDependencies: Record<string, string> }
  return Object.entries(peerDependencies).map(([name, range]) => `${name}@${range}`)
}
