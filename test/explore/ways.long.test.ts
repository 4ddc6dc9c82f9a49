import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM } from '../service/pages/chromium.ts'
import { ExploredPage, figure, ROOT } from './explored-page.ts'

/** Presses Tab until what has the focus begins with these words. */
async function tabTo(page: Page, words: string): Promise<void> {
  for (let i = 0; i < 500; i++) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate<string>(
      'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
    )
    if (at.startsWith(words)) return
  }
  throw new Error(`Tab does not come to ${words}`)
}

describe.skipIf(CHROMIUM === undefined)('from a file to the report', () => {
  let explored: ExploredPage
  const study = () => join(explored.folder, 'tracker.study.yaml')
  beforeAll(async () => {
    explored = new ExploredPage()
    cpSync(join(ROOT, 'examples/coffee/tracker.csv'), join(explored.folder, 'tracker.csv'))
    writeFileSync(join(explored.folder, 'package.json'), '{}')
    await explored.start('tracker.csv')
  })
  afterAll(() => explored.end())

  const seen = async (page: Page, open: () => Promise<void>) => {
    const [report] = await Promise.all([page.context().waitForEvent('page'), open()])
    await report.getByRole('heading', { name: 'tracker', level: 1 }).waitFor()
    await page.context().close()
  }

  it('goes by keyboard alone', async () => {
    const page = await explored.open()
    await tabTo(page, 'Percent of loyalty.member Yes')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('50')
    await page.keyboard.press('Tab')
    await figure(page, /^\+3\.\d+ points/).waitFor()
    await tabTo(page, 'Keep as a study')
    await page.keyboard.press('Enter')
    await page.locator('pre', { hasText: 'explored:' }).waitFor()
    await tabTo(page, 'Save')
    await page.keyboard.press('Enter')
    await page.getByText('whatif run tracker.study.yaml').waitFor()
    expect(readFileSync(study(), 'utf8')).toContain('shares: { loyalty.member: { "Yes": 0.5 } }')
    await tabTo(page, 'Run')
    await page.keyboard.press('Enter')
    await page.getByText('The run is complete.').waitFor({ timeout: 240_000 })
    await tabTo(page, 'Open the report')
    await seen(page, () => page.keyboard.press('Enter'))
  })

  it('goes by touch', async () => {
    // The command that wrote the study adds to it: another name.
    expect(existsSync(study())).toBe(true)
    const page = await explored.open({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
    await page.getByLabel('Name', { exact: true }).fill('touched')
    const slider = page.getByLabel('Share of loyalty.member Yes', { exact: true })
    await slider.scrollIntoViewIfNeeded()
    const box = (await slider.boundingBox())!
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
    await figure(page, /^\+[34]\.\d+ points/).waitFor()
    await page.locator('.panel > summary', { hasText: 'Keep as a study' }).tap()
    await page.locator('pre', { hasText: 'touched:' }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).tap()
    await page.getByText('whatif run tracker.study.yaml').waitFor()
    await page.getByRole('button', { name: 'Run', exact: true }).tap()
    await page.getByText('The run is complete.').waitFor({ timeout: 240_000 })
    await seen(page, () => page.getByRole('link', { name: 'Open the report' }).tap())
  })
})
