// `npm run docs:pictures`: runs the coffee example in a temporary folder and draws docs/pictures from its manifest.
// With --check it writes nothing, and fails when a picture is not what the example gives now; `--check MANIFEST` takes
// the manifest of a run of the example.

import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseManifest } from '../dist/answers/manifest/parse-manifest.js'
import { readmePictures } from './readme-pictures.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TARGET = join(ROOT, 'docs/pictures')
const [, , flag, given] = process.argv
const isCheck = flag === '--check'

const folder = await mkdtemp(join(tmpdir(), 'whatif-pictures-'))
try {
  const read = parseManifest(await readFile(given ?? (await runExample()), 'utf8'))
  if (!isCheck) await mkdir(TARGET, { recursive: true })
  for (const [name, text] of Object.entries(readmePictures(read))) {
    const path = join(TARGET, name)
    if (!isCheck) await writeFile(path, text)
    else if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
      console.error(`docs/pictures/${name} is not what the example gives; run: npm run docs:pictures`)
      process.exitCode = 1
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** @returns the path of its manifest. */
async function runExample() {
  const filter = (/** @type {string} */ path) => !/[\\/](out|\.whatif)$/.test(path)
  await cp(join(ROOT, 'examples/coffee'), folder, { recursive: true, filter })
  await writeFile(join(folder, 'package.json'), '{}')
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('WHATIF_')))
  const run = spawnSync(process.execPath, [join(ROOT, 'bin/whatif.js'), 'run', 'coffee.study.yaml'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  if (run.status !== 0) throw new Error(`the example did not run:\n${run.stderr}`)
  return join(folder, 'out/coffee/manifest.json')
}
