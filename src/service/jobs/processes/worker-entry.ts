import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Where the entry of a worker lies, by its compiled name in `service`; run from source, the compiled one in `dist`. Threads
 * and processes need compiled code.
 */
export function workerEntry(module: string): URL {
  const isCompiled = import.meta.url.endsWith('.js')
  const service = isCompiled ? '../..' : '../../../../dist/service'
  const entry = new URL(`${service}/${module}`, import.meta.url)
  if (!existsSync(entry)) throw new Error(`${fileURLToPath(entry)} is missing: run "npm run build" first.`)
  return entry
}
