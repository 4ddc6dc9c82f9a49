// Loads TypeScript sources as they are, where Node cannot (20) or would warn (22).
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { transform } from 'rolldown/utils'

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  if (!(url.startsWith('file:') && url.endsWith('.ts'))) return await nextLoad(url, context)
  const path = fileURLToPath(url)
  const { code, errors } = await transform(path, await readFile(path, 'utf8'), {})
  const [fault] = errors
  if (fault !== undefined) throw new SyntaxError(`${path}: ${fault.message}`)
  return { format: 'module', source: code, shortCircuit: true }
}
