import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SHORTEST_MASTER_KEY } from './setting-values.ts'
import { UnusableError } from './unusable-error.ts'

export const MASTER_KEY_FILE = 'master.key'

/**
 * The key that seals all other keys. `given` (WHATIF_MASTER_KEY) takes precedence; otherwise it is read from
 * `master.key` in the data folder, which is created with mode 600 the first time. Throws if the given key is short or
 * others can read the file.
 */
export function loadMasterKey(dataDir: string, given: string | null): KeyObject {
  if (given !== null) {
    if (given.length < SHORTEST_MASTER_KEY) {
      throw new UnusableError('setting_invalid', `the master key must have at least ${SHORTEST_MASTER_KEY} characters`)
    }
    return derive(given)
  }
  const path = join(dataDir, MASTER_KEY_FILE)
  return derive(readSecretFile(path) ?? createSecretFile(path))
}

/**
 * Reads a secret from a file of mode 600, without surrounding white space; null if there is no such file. Throws if
 * group or others have any right on it (not on Windows, which has no such modes), or if it is empty.
 */
export function readSecretFile(path: string): string | null {
  const file = statSync(path, { throwIfNoEntry: false })
  if (file === undefined) return null
  if (process.platform !== 'win32' && (file.mode & 0o077) !== 0) {
    throw new UnusableError('setting_invalid', `${path} can be read by others: make it private with "chmod 600"`)
  }
  const secret = readFileSync(path, 'utf8').trim()
  if (secret === '') throw new UnusableError('setting_invalid', `${path} is empty: it should hold a secret`)
  return secret
}

/**
 * Writes a temporary file and links it, so that of two processes that start at once one wins and none reads a
 * half-written key.
 */
function createSecretFile(path: string): string {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readSecretFile(path) as string
}

function derive(secret: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'whatif master key', 32)))
}
