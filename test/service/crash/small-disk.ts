import { execFileSync } from 'node:child_process'
import { mkdtempSync, statfsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MIB = 1 << 20

/** A disk of its own that a test may fill. */
export interface SmallDisk {
  readonly folder: string
  freeBytes(): number
  /** Leaves so many bytes free; 0: not one. */
  fillUp(leaveBytes: number): Promise<void>
  /** Takes back what filled it up. */
  makeRoom(): Promise<void>
  unmount(): Promise<void>
}

/** Null where it may not be mounted: not root, or in a container without the right to. */
export function mountSmallDisk(sizeMib: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'whatif-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMib}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return null
  }
  const filler = join(folder, 'filler')
  const freeBytes = (): number => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }
  return {
    folder,
    freeBytes,
    async fillUp(leaveBytes) {
      const file = await open(filler, 'a')
      try {
        for (let left = freeBytes() - leaveBytes; left > 0; left -= MIB) {
          await file.write(Buffer.alloc(Math.min(left, MIB)))
        }
      } finally {
        await file.close()
      }
    },
    makeRoom: async () => await rm(filler, { force: true }),
    async unmount() {
      // Lazily: a database that was left open on the full disk still has its files open.
      execFileSync('umount', ['-l', folder])
      await rm(folder, { recursive: true, force: true })
    },
  }
}
