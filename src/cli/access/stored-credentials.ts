import * as fs from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { writeAtomically } from '../../base/atomic-file.ts'
import { SetupError } from '../../local/setup-error.ts'
import { readPrivateFile } from './private-file.ts'

const Entry = z.object({
  service: z.string(),
  request_id: z.string().optional(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  token_url: z.string().optional(),
  audience: z.string().optional(),
  /** Key of a rotation that has begun, removed once its secret is stored, so that a repeat uses the same key. */
  rotation_key: z.string().optional(),
})

/** What is stored for one service: the request for access, and the credentials once they are claimed. */
export type StoredEntry = z.infer<typeof Entry>

/** The entry of a service's origin; null if there is none. Each origin has its own file, so no writer touches another's entry. */
export async function readStoredEntry(env: NodeJS.ProcessEnv, baseUrl: string): Promise<StoredEntry | null> {
  const path = fileOf(env, baseUrl)
  const text = await readPrivateFile(path, `the stored credentials ${path}`)
  if (text === null) return null
  try {
    return Entry.parse(JSON.parse(text))
  } catch {
    // Neither parser's message is passed on: it may quote the secret.
    throw new SetupError(5, `the stored credentials ${path} are damaged`, 'Remove the file to start again.')
  }
}

/** Writes an entry whole, mode 600. */
export async function writeStoredEntry(env: NodeJS.ProcessEnv, baseUrl: string, entry: StoredEntry): Promise<void> {
  const path = fileOf(env, baseUrl)
  try {
    await fs.mkdir(folderOf(env), { recursive: true, mode: 0o700 })
    await writeAtomically(fs, path, `${JSON.stringify(entry, null, 2)}\n`, { mode: 0o600, concurrent: true })
  } catch (error) {
    throw new SetupError(5, `credentials cannot be stored in ${path} (${(error as NodeJS.ErrnoException).code})`)
  }
}

function fileOf(env: NodeJS.ProcessEnv, baseUrl: string): string {
  return join(folderOf(env), `${encodeURIComponent(new URL(baseUrl).origin)}.json`)
}

/** The user's configuration folder: `XDG_CONFIG_HOME` (a relative one is void by its specification) or `~/.config`. */
function folderOf(env: NodeJS.ProcessEnv): string {
  const home = env.HOME || homedir()
  const named = process.platform === 'win32' ? env.APPDATA : env.XDG_CONFIG_HOME
  return join(named && isAbsolute(named) ? named : join(home, '.config'), 'whatif', 'credentials')
}
