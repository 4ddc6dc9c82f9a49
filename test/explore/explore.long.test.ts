import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, launchChromium } from '../service/pages/chromium.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const BIN = join(ROOT, 'bin/whatif.js')
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const STUDY = 'half.study.yaml'

describe.skipIf(CHROMIUM === undefined)('whatif explore in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'whatif-explore-'))
  let command: ChildProcess
  let browser: Browser
  let url: string

  beforeAll(async () => {
    cpSync(join(ROOT, 'examples/coffee/tracker.csv'), join(folder, 'tracker.csv'))
    writeFileSync(
      join(folder, STUDY),
      `version: 1
name: half
datasets: { tracker: { file: tracker.csv } }
defaults: { rows: 1000, seed: 1 }
scenarios:
  as-is: {}
  half: { shares: { loyalty.member: { "Yes": 0.5 } } }
baseline: as-is
comparisons:
  - { id: lift, scenarios: [half], shares: [purchase.intent], means: [spend.last.month] }
`,
    )
    // Trains it, so that the figures of the plan can be told before the page has the project's service.
    execFileSync(process.execPath, [BIN, 'validate', STUDY], { cwd: folder, stdio: 'ignore' })
    command = spawn(process.execPath, [BIN, 'explore', STUDY, '--no-open'], { cwd: folder })
    const [line] = await once(command.stdout!, 'data')
    url = String(line).trim()
    browser = await launchChromium()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    command?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  const open = async (width: number, colorScheme: 'light' | 'dark', bypassCSP = false): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP })
    const page = await context.newPage()
    await page.goto(url)
    await page.waitForSelector('table')
    return page
  }
  const rows = (page: Page) =>
    page.locator('tbody tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)))

  it('answers, by keyboard, what happens if half are members', async () => {
    const page = await open(1440, 'light')
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await page.getByLabel('Percent of loyalty.member Yes', { exact: true }).focus()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('50')
    await page.keyboard.press('Tab')
    await page
      .locator('tbody td', { hasText: /^\+3\.\d+ points/ })
      .first()
      .waitFor()
    const [yes] = await rows(page)
    expect(yes).toEqual([
      'purchase.intent Yes',
      '34.82 %',
      '38.67 %',
      '+3.86 points',
      '3.29 to 4.43',
      'yes',
      '6,000',
      '',
    ])
    expect([...hosts]).toEqual([new URL(url).host])
    await page.context().close()
  })

  it.each([390, 820, 1440])(
    'has no finding of axe and no sideways scrolling at %i px, in both themes',
    async (width) => {
      for (const theme of ['light', 'dark'] as const) {
        const page = await open(width, theme, true)
        await page.evaluate(AXE)
        await page.getByLabel('Percent of loyalty.member Yes', { exact: true }).fill('50')
        await page.keyboard.press('Tab')
        await page.getByText('Keep this scenario in a study').click()
        await page.locator('pre', { hasText: 'shares: { loyalty.member: { "Yes": 0.5 } }' }).waitFor()
        const found = await page.evaluate<string[]>(
          '(async () => (await axe.run()).violations.map(({ id, nodes }) => id + ": " + nodes[0].html))()',
        )
        expect(found).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
        await page.context().close()
      }
    },
  )

  it('ends with Ctrl-C, and its figures are those of the plan', async () => {
    const page = await open(1440, 'light')
    await page.getByLabel('Percent of loyalty.member Yes', { exact: true }).fill('50')
    await page.keyboard.press('Tab')
    await page
      .locator('tbody td', { hasText: /^\+3\.\d+ points/ })
      .first()
      .waitFor()
    const shown = (await rows(page)).map(([, from, to, difference, interval]) => [
      `${from} → ${to}`,
      difference,
      interval,
    ])
    command.kill('SIGINT')
    expect(await once(command, 'exit')).toEqual([0, null])
    const plan = execFileSync(process.execPath, [BIN, 'plan', '--estimates', STUDY], { cwd: folder, encoding: 'utf8' })
    for (const figures of shown) for (const figure of figures) expect(plan).toContain(figure)
  }, 60_000)
})
