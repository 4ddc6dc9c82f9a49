import * as fs from 'node:fs/promises'
import type { FileSystem } from '../../src/base/atomic-file.ts'

/**
 * The real file system, which kills this process (SIGKILL) at its `deadline`-th change of the disk. A write is cut in
 * half first, as a crash would. `changes` tells how many there were so far.
 */
export function deadlyFs(deadline: number): { readonly fs: FileSystem; readonly changes: () => number } {
  let changes = 0
  const isOver = (): boolean => ++changes === deadline
  const die = async (): Promise<never> => {
    process.kill(process.pid, 'SIGKILL')
    return new Promise(() => {})
  }
  const before =
    <A extends unknown[], R>(change: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> =>
      isOver() ? die() : change(...args)
  const open: typeof fs.open = async (path, flags, mode) => {
    const file = await fs.open(path, flags, mode)
    if (flags === 'r') return file
    const write =
      (whole: (text: string, options: 'utf8') => Promise<void>) =>
      async (text: string): Promise<void> => {
        if (!isOver()) return whole(text, 'utf8')
        await whole(text.slice(0, text.length / 2), 'utf8')
        await die()
      }
    return Object.assign(file, {
      writeFile: write(file.writeFile.bind(file)),
      appendFile: write(file.appendFile.bind(file)),
      sync: before(file.sync.bind(file)),
    })
  }
  const deadly: FileSystem = {
    ...fs,
    open,
    rename: before(fs.rename),
    unlink: before(fs.unlink),
    link: before(fs.link),
    copyFile: before(fs.copyFile),
  }
  return { fs: deadly, changes: () => changes }
}
