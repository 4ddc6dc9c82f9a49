import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Path of a worker's entry, by its compiled name in `service`. A service that runs from source uses the compiled one in
 * `dist`, because threads and processes need compiled code.
 */
export function workerEntry(module: string): URL {
  const isCompiled = import.meta.url.endsWith('.js')
  const service = isCompiled ? '../..' : '../../../../dist/service'
  const entry = new URL(`${service}/${module}`, import.meta.url)
  if (!existsSync(entry)) throw new Error(`${fileURLToPath(entry)} is missing: run "npm run build" first.`)
  return entry
}
