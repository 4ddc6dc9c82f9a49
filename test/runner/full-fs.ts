import { constants } from 'node:fs'
import * as fs from 'node:fs/promises'
import type { FileSystem } from '../../src/base/atomic-file.ts'

/** A file that is only read needs no room. */
const isReading = (flags: string | number | undefined): boolean =>
  typeof flags === 'number'
    ? (flags & (constants.O_WRONLY | constants.O_RDWR | constants.O_CREAT)) === 0
    : flags === 'r'

/** The real file system on a disk that is full from its `from`-th change on; what would be written is cut in half. */
export function fullFs(from: number): { readonly fs: FileSystem; readonly changes: () => number } {
  let changes = 0
  const isFull = (): boolean => ++changes >= from
  const full = (syscall: string, path?: unknown): Error =>
    Object.assign(new Error(`ENOSPC: no space left on device, ${syscall}`), { code: 'ENOSPC', syscall, path })
  const guard =
    <A extends unknown[], R>(syscall: string, change: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (isFull()) throw full(syscall, args[0])
      return change(...args)
    }
  const open: typeof fs.open = async (path, flags, mode) => {
    if (!isReading(flags) && isFull()) throw full('open', path)
    const file = await fs.open(path, flags, mode)
    if (isReading(flags)) return file
    const write =
      (whole: (text: string, options: 'utf8') => Promise<void>) =>
      async (text: string): Promise<void> => {
        if (!isFull()) return whole(text, 'utf8')
        await whole(text.slice(0, text.length / 2), 'utf8')
        throw full('write')
      }
    return Object.assign(file, {
      writeFile: write(file.writeFile.bind(file)),
      appendFile: write(file.appendFile.bind(file)),
      sync: guard('fsync', file.sync.bind(file)),
    })
  }
  return {
    fs: {
      ...fs,
      open,
      rename: guard('rename', fs.rename),
      link: guard('link', fs.link),
      copyFile: guard('copyfile', fs.copyFile),
      mkdir: guard('mkdir', fs.mkdir) as FileSystem['mkdir'],
    },
    changes: () => changes,
  }
}
