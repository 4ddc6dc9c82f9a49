// `npm run bench:explore`: from the move of a lever to the new answer on the page of `whatif explore`, in Debian's Chromium. Tables of
// 30 columns, 12 of them outcomes. It prints milliseconds, and beside them what one round trip to the page's server takes.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { teamLine } from './explore-team.js'
import { writeMixedCsv } from './mixed-csv.js'

const LAUNCHER = fileURLToPath(new URL('../bin/whatif.js', import.meta.url))
const CASES = [
  { rows: 10_000, limitMs: 100 },
  { rows: 200_000, limitMs: 300 },
]
const MOVES = 200
const OUTCOMES = 12

for (const { rows, limitMs } of CASES) {
  const folder = await mkdtemp(join(tmpdir(), 'whatif-bench-explore-'))
  try {
    await writeFile(join(folder, 'package.json'), '{}')
    await writeMixedCsv(join(folder, 'table.csv'), { rows, columns: 30 })
    const { moves, trips } = await measure(folder)
    const [p50, p95] = [quantile(moves, 0.5), quantile(moves, 0.95)]
    const mark = p95 > limitMs ? '  MISSED' : ''
    console.log(
      `${rows.toLocaleString('en')} rows: median ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms (limit ${limitMs})${mark}; round trip ${quantile(trips, 0.5).toFixed(1)} ms`,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const folder = await mkdtemp(join(tmpdir(), 'whatif-bench-team-'))
try {
  console.log(await teamLine(folder, 10_000))
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measure(folder) {
  const command = spawn(process.execPath, [LAUNCHER, 'explore', 'table.csv', '--no-open'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [address] = await once(command.stdout, 'data')
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(String(address).trim())
    await page.waitForSelector('table')
    await page.getByText('Outcomes (').click()
    const boxes = page.locator('.choices input')
    for (let c = 29; (await page.locator('.choices input:checked').count()) < OUTCOMES; c--) await boxes.nth(c).check()
    await page.locator('.waiting').waitFor({ state: 'detached' })
    return await page.evaluate(moveLevers, MOVES)
  } finally {
    await browser.close()
    command.kill('SIGINT')
    await once(command, 'exit')
  }
}

/** Runs in the page. */
async function moveLevers(count) {
  const slider = document.querySelector('.share input[type=range]')
  const table = () => document.querySelector('[aria-label=Figures] tbody').textContent
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
  const [moves, trips] = [[], []]
  for (let i = 0; i < count; i++) {
    const before = table()
    const began = performance.now()
    setValue.call(slider, String(20 + ((i * 7) % 50)))
    slider.dispatchEvent(new Event('input', { bubbles: true }))
    await new Promise((settle) => {
      const look = () => (table() === before ? requestAnimationFrame(look) : settle())
      requestAnimationFrame(look)
    })
    moves.push(performance.now() - began)
    const asked = performance.now()
    await fetch('/explore.css').then((reply) => reply.text())
    trips.push(performance.now() - asked)
  }
  return { moves, trips }
}

function quantile(values, p) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))]
}
