// Run by `npm run build`: compiles src to dist, each file replaced as a whole. Written in place, a file would be empty or
// half there for a moment, for whoever loads it then: a running service starts its worker threads from dist, and two builds
// may run at once. What the compiler reports ends the build, but its files are there, as they are with tsc alone. Modules
// whose source is gone are removed; what browsers load (`assets` folders) and
// the bundle are not the compiler's.

import { spawnSync } from 'node:child_process'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = join(ROOT, 'dist')
/** Next to dist: renaming needs one file system, and source maps name their sources relative to the folder. */
const DRAFT = join(ROOT, `dist.${process.pid}`)

try {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const { status, error } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', DRAFT], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  if (error) throw error
  process.exitCode = status ?? 1
  await moveFiles()
} finally {
  await rm(DRAFT, { recursive: true, force: true })
}

async function moveFiles() {
  await mkdir(DRAFT, { recursive: true })
  const emitted = new Set()
  for (const entry of await readdir(DRAFT, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const from = join(entry.parentPath, entry.name)
    const to = join(DIST, from.slice(DRAFT.length))
    await mkdir(dirname(to), { recursive: true })
    await rename(from, to)
    emitted.add(to)
  }
  if (emitted.size === 0) return
  for (const entry of await readdir(DIST, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (['assets', 'bundle'].includes(basename(entry.parentPath))) continue
    if (entry.isFile() && /\.(js|d\.ts|js\.map)$/.test(entry.name) && !emitted.has(path))
      await rm(path, { force: true })
  }
}
