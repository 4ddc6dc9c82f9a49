// `npm run docs:explore-picture`: opens `whatif explore` on the coffee example in Debian's Chromium, moves one lever and
// writes docs/pictures/explore.png. Browsers and fonts differ, so no test compares its bytes.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TARGET = join(ROOT, 'docs/pictures/explore.png')

const folder = await mkdtemp(join(tmpdir(), 'whatif-picture-'))
await cp(join(ROOT, 'examples/coffee'), folder, {
  recursive: true,
  filter: (path) => !/[\\/](out|\.whatif)$/.test(path),
})
await writeFile(join(folder, 'package.json'), '{}')
const args = [join(ROOT, 'bin/whatif.js'), 'explore', 'coffee.study.yaml', '--no-open']
const command = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const [address] = await once(command.stdout, 'data')
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const page = await browser.newPage({ viewport: { width: 1440, height: 600 }, colorScheme: 'light' })
  await page.goto(String(address).trim())
  await page.getByLabel('Search columns and levels').fill('member')
  await page.getByLabel('Percent of loyalty.member Yes', { exact: true }).fill('50')
  await page.keyboard.press('Tab')
  await page
    .locator('tbody td', { hasText: /^\+3\.\d+ points/ })
    .first()
    .waitFor()
  await page.evaluate('scrollTo(0, 0)')
  await page.screenshot({ path: TARGET })
  await browser.close()
} finally {
  command.kill('SIGINT')
  await once(command, 'exit')
  await rm(folder, { recursive: true, force: true })
}
