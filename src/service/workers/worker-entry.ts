import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Where the entry of a worker lies by its compiled name in this folder; run from source, the compiled one in `dist`. Threads
 * and processes need compiled code.
 */
export function workerEntry(module: string): URL {
  const isCompiled = import.meta.url.endsWith('.js')
  const entry = new URL(isCompiled ? `./${module}` : `../../../dist/service/workers/${module}`, import.meta.url)
  if (!existsSync(entry)) throw new Error(`${fileURLToPath(entry)} is missing: run "npm run build" first.`)
  return entry
}
