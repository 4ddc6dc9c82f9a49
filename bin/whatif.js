#!/usr/bin/env node
// Committed and executable, because npx links this file once: a launcher that `tsc` rewrote would lose its mode.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// The bundle is the same in few files; while only the compiler has run, its files do.
const main = ['bundle', 'cli']
  .map((folder) => new URL(`../dist/${folder}/main.js`, import.meta.url))
  .find((url) => existsSync(fileURLToPath(url)))
if (main !== undefined) {
  const { start } = await import(main.href)
  await start(process.argv)
} else {
  process.stderr.write('whatif is not built yet: run "npm run build" in its folder, then try again.\n')
  process.exitCode = 1
}
