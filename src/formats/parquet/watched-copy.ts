import { statSync } from 'node:fs'
import type { DuckDbSession } from '../duckdb-session.ts'
import type { WriteAllowance } from '../table-writer.ts'

/** How often the file is looked at. DuckDB writes some 10 MB in between, and says nothing of it. */
const LOOK_MS = 20

/**
 * Runs a statement that writes the file at `path`, and ends it when the file takes more than it may.
 *
 * @throws What the allowance throws.
 */
export async function watchedCopy(
  session: DuckDbSession,
  path: string,
  allowance: WriteAllowance | undefined,
  sql: string,
): Promise<void> {
  if (allowance === undefined) return await session.run(sql)
  let takenBytes = 0
  let refusal: { readonly error: unknown } | null = null
  const look = (): void => {
    if (refusal !== null) return
    const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    try {
      allowance.take(bytes - takenBytes)
      takenBytes = bytes
    } catch (error) {
      refusal = { error }
      session.interrupt()
    }
  }
  const looking = setInterval(look, LOOK_MS)
  try {
    await session.run(sql)
    look()
  } catch (error) {
    throw refusal === null ? error : (refusal as { readonly error: unknown }).error
  } finally {
    clearInterval(looking)
  }
  if (refusal !== null) throw (refusal as { readonly error: unknown }).error
}
