#!/usr/bin/env node
// Committed and executable, because npx links this file once: a launcher that `tsc` rewrote would lose its mode.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const main = new URL('../dist/cli/main.js', import.meta.url)
if (existsSync(fileURLToPath(main))) {
  const { main: start } = await import(main.href)
  await start(process.argv)
} else {
  process.stderr.write('whatif is not built yet: run "npm run build" in its folder, then try again.\n')
  process.exitCode = 1
}
