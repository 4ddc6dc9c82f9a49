import { readFile, stat } from 'node:fs/promises'
import { SetupError } from '../../local/setup-error.ts'

/**
 * The text of a file that holds a secret; null if there is no such file.
 *
 * @param what Its name in messages.
 * @throws SetupError with exit code 5 if other users can read the file, or if this user cannot.
 */
export async function readPrivateFile(path: string, what: string): Promise<string | null> {
  try {
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new SetupError(5, `${what} can be read by others`, 'Make the file private: chmod 600.')
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof SetupError) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new SetupError(5, `${what} cannot be read (${code})`)
  }
}
