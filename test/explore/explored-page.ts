import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { launchChromium } from '../service/pages/chromium.ts'

export const ROOT = resolve(import.meta.dirname, '../..')
export const BIN = join(ROOT, 'bin/whatif.js')

/** `whatif explore` in a folder of its own, and a browser that opens its page. */
export class ExploredPage {
  readonly folder = mkdtempSync(join(tmpdir(), 'whatif-explore-'))
  url = ''
  command: ChildProcess | null = null
  #browser: Browser | null = null

  async start(what: string): Promise<void> {
    await this.run(what)
    this.#browser = await launchChromium()
  }

  /** Starts the command, also once more. */
  async run(what: string, ...options: readonly string[]): Promise<void> {
    this.command = spawn(process.execPath, [BIN, 'explore', what, '--no-open', ...options], { cwd: this.folder })
    const [line] = await once(this.command.stdout!, 'data')
    this.url = String(line).trim()
  }

  async open(context: BrowserContextOptions = {}, url = this.url): Promise<Page> {
    const page = await this.openUnchecked(url, context)
    await page.waitForSelector('table')
    return page
  }

  /** Whatever the page shows. */
  async openUnchecked(url: string, context: BrowserContextOptions = {}): Promise<Page> {
    const opened = await this.#browser!.newContext({ viewport: { width: 1440, height: 900 }, ...context })
    // As elsewhere: a busy machine is no fault.
    opened.setDefaultTimeout(120_000)
    const page = await opened.newPage()
    await page.goto(url)
    return page
  }

  async end(): Promise<void> {
    await this.#browser?.close()
    this.command?.kill('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** The rows of the first table of a part of the page, as texts. */
export const rowsOf = (page: Page, label: string): Promise<(string | null)[][]> =>
  page
    .getByRole('region', { name: label, exact: true })
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)))

/** A cell of the figures that shows a difference. */
export const figure = (page: Page, text: RegExp) =>
  page.getByRole('region', { name: 'Figures', exact: true }).locator('tbody td', { hasText: text }).first()

export const openPanel = async (page: Page, title: string): Promise<void> =>
  await page.locator('.panel > summary', { hasText: title }).click()
