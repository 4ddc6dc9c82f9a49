// Run by `npm run build` after the compiler: bundles the command line into few files. Loading 350 modules one by one
// takes longer than most commands. The service stays outside: it has workers and assets next to its modules.

import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = join(ROOT, 'dist')
/** As deep as dist/base: src/base/package-file.ts finds the files of the package from both. */
const BUNDLE = join(DIST, 'bundle')
const DRAFT = join(DIST, `bundle.${process.pid}`)

/** Small libraries of many modules, which every run loads. */
const SMALL = 'commander|fzstd|hyparquet|hyparquet-compressors|hysnappy|p-limit|yaml|yocto-queue|zod'
/** 16 MB when installed, of which a twentieth is needed; newer versions of its parts will not run on Node 20. */
const CREDENTIALS = '@aws-sdk|@smithy|@aws|bowser|tslib'
const INSIDE = new RegExp(`^(?:${SMALL}|${CREDENTIALS})(?:/|$)`)
/** Found from where they lie; `objects` is loaded by the service, too, and its errors must be of one class. */
const OUTSIDE =
  /\/dist\/(?:service|engine|objects)\/|\/dist\/formats\/duckdb\.js$|\/dist\/study\/shape\/study-schema\.js$/

try {
  const bundle = await rolldown({
    input: { main: join(DIST, 'cli/main.js') },
    platform: 'node',
    cwd: ROOT,
    external: (id) => (/^(?:\.|\/|[A-Za-z]:)/.test(id) ? OUTSIDE.test(id.replaceAll('\\', '/')) : !INSIDE.test(id)),
  })
  const { output } = await bundle.write({ dir: DRAFT, format: 'esm' })
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  await writeFile(join(DRAFT, 'LICENSES.txt'), await licencesOf(modules))
  await replaceBundle()
} finally {
  await rm(DRAFT, { recursive: true, force: true })
}

/** The entry last: until it is there, the one of the build before is whole. */
async function replaceBundle() {
  await mkdir(BUNDLE, { recursive: true })
  const before = await readdir(BUNDLE)
  const files = (await readdir(DRAFT)).sort((a, b) => Number(a === 'main.js') - Number(b === 'main.js'))
  for (const name of files) await rename(join(DRAFT, name), join(BUNDLE, name))
  for (const name of before) if (!files.includes(name)) await rm(join(BUNDLE, name), { force: true })
}

/**
 * The licences of the packages whose code is in the bundle.
 *
 * @param {string[]} modules
 */
async function licencesOf(modules) {
  const folders = new Set(modules.map(packageFolder).filter((folder) => folder !== null))
  const packages = [...folders].sort().map(async (folder) => {
    const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
    const text = file === undefined ? license : await readFile(join(folder, file), 'utf8')
    return { name: `${name} ${version}`, text: text.trim() }
  })
  // Packages of one project have the same one.
  /** @type {Map<string, string[]>} */
  const byText = new Map()
  for (const { name, text } of await Promise.all(packages)) byText.set(text, [...(byText.get(text) ?? []), name])
  return [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`).join(`\n${'-'.repeat(80)}\n\n`)
}

/** @param {string} module */
function packageFolder(module) {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(module)?.[0] ?? null
}
