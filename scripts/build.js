// `npm run build`: makes dist and src/generated, in this sequence. Commands that need them start with it, one after another:
// where nothing that they are made from has changed since, and they are as it left them, there is nothing to do.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const STEPS = [
  'write-validators.js',
  'bundle-charts.js',
  'bundle-page-script.js',
  'bundle-explore-page.js',
  'compile.js',
  'bundle-cli.js',
  'copy-page-assets.js',
  'build-assets.js',
]
const MADE = ['dist', 'src/generated']
/** The last is npm's own record of what is installed: the compiler and all that is bundled are among it. */
const MADE_FROM = [
  'src',
  'schemas',
  'scripts',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'node_modules/.package-lock.json',
]
/** Nobody's copy of node_modules is published, as dist is. */
const STAMP = join(ROOT, 'node_modules/.cache/whatif/build.json')

const from = await digest(MADE_FROM, MADE)
if ((await readIfThere(STAMP)) !== stamp(from, await digest(MADE))) await build()

async function build() {
  await rm(STAMP, { force: true })
  for (const step of STEPS) {
    const { status, error } = spawnSync(process.execPath, [join(ROOT, 'scripts', step)], { stdio: 'inherit' })
    if (error) throw error
    if (status !== 0) process.exit(status ?? 1)
  }
  const draft = `${STAMP}.${process.pid}`
  await mkdir(dirname(STAMP), { recursive: true })
  await writeFile(draft, stamp(from, await digest(MADE)))
  await rename(draft, STAMP)
}

/** @param {string} from @param {string} made */
function stamp(from, made) {
  return `${JSON.stringify({ from, made })}\n`
}

/**
 * Of the names and contents of files and of all files in folders, without those in the folders `except`.
 *
 * @param {readonly string[]} paths relative to the root, as `except`
 * @param {readonly string[]} except
 */
async function digest(paths, except = []) {
  const hash = createHash('sha256')
  for (const path of paths) {
    for (const file of (await filesOf(path)).sort()) {
      if (except.some((folder) => file.startsWith(`${folder}/`))) continue
      const content = await readIfThere(join(ROOT, file), null)
      hash.update(JSON.stringify([file, content?.length ?? null])).update(content ?? '')
    }
  }
  return hash.digest('hex')
}

/** @param {string} path */
async function filesOf(path) {
  try {
    const entries = await readdir(join(ROOT, path), { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath.slice(ROOT.length)}/${entry.name}`)
  } catch (error) {
    if (error.code === 'ENOTDIR' || error.code === 'ENOENT') return [path]
    throw error
  }
}

/** @param {string} path @param {BufferEncoding | null} encoding */
async function readIfThere(path, encoding = 'utf8') {
  try {
    return await readFile(path, encoding)
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}
