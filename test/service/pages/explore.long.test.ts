import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DataService, form, startDataService, surveyCsv, TENANT_A, TENANT_B } from '../data/data-service.ts'
import { CHROMIUM, launchChromium } from './chromium.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe.skipIf(CHROMIUM === undefined)('/explore of a service, in a browser', () => {
  let service: DataService
  let browser: Browser
  let datasetId: string

  beforeAll(async () => {
    service = await startDataService()
    const parts = { wait_seconds: '60', display_name: '<b>Survey</b>', seed_file: new Blob([surveyCsv(2000)]) }
    const { body } = await service.ask('/v1/datasets', { method: 'POST', body: form(parts) })
    datasetId = body.dataset_id
    browser = await launchChromium()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  const visit = async (tenant: string, hash = '', bypassCSP = false) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, bypassCSP })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${service.baseUrl}/explore${hash}`)
    await signIn(page, await service.token(tenant))
    return { page, complaints }
  }
  const signIn = async (page: Page, token: string) => {
    await page.getByLabel('Access token').fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  it('lets a tenant choose a dataset, and answers as the estimates operation does', async () => {
    const { page, complaints } = await visit(TENANT_A)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).origin))
    await page.getByRole('button', { name: '<b>Survey</b>' }).click()
    await page.getByText('Outcomes (').click()
    await page.getByLabel('region', { exact: true }).check()
    await page.getByLabel('Percent of loyalty.member yes', { exact: true }).fill('70')
    await page.keyboard.press('Tab')
    const north = page.getByRole('row', { name: /^region north/ })
    await north.getByText('points').waitFor()
    const scenario = { categorical: { 'loyalty.member': { yes: 0.7 } } }
    const { body } = await service.ask(`/v1/datasets/${datasetId}/estimates`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ scenario, outcomes: [{ column: 'region', statistic: 'shares' }] }),
    })
    const { difference } = body.outcomes[0].levels.find(({ level }: { level: string }) => level === 'north')
    const shown = Number((await north.locator('td').first().innerText()).replace(' points', '').replace('−', '-'))
    expect(Math.abs(shown - difference * 100)).toBeLessThanOrEqual(0.051)
    await page.locator('.panel > summary', { hasText: 'Keep as a study' }).click()
    await page.locator('pre', { hasText: 'shares: { loyalty.member: { "yes": 0.7 } }' }).waitFor()
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
    for (const panel of ['What moved besides?', 'What matters?'])
      await page.locator('.panel > summary', { hasText: panel }).click()
    await page.getByRole('region', { name: 'What matters', exact: true }).waitFor()
    expect(new Set(asked)).toEqual(new Set([service.baseUrl]))
    expect(complaints).toEqual([])
    expect(new URL(page.url()).hash).toMatch(new RegExp(`^#dataset=${datasetId}&state=`))
  })

  it('says that a service that protects its seeds tells no quantiles, and shows the rest', async () => {
    const { page, complaints } = await visit(TENANT_A, `#dataset=${datasetId}`)
    await page.locator('.panel > summary', { hasText: 'Distribution' }).click()
    await page.getByLabel('Distribution of', { exact: true }).selectOption('age')
    await page.getByText(/^The distribution is not known: .*tells no quantiles/).waitFor()
    await page.getByLabel('Distribution of', { exact: true }).selectOption('region')
    await page.getByRole('region', { name: 'Distribution of region', exact: true }).waitFor()
    expect(
      await page.getByRole('region', { name: 'Figures', exact: true }).locator('tbody tr').count(),
    ).toBeGreaterThan(0)
    // The browser itself notes the refused request.
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([])
    await page.context().close()
  })

  it('answers ten people at a time, each for the levers of their own', async () => {
    const alone = async (share: number) => {
      const { page } = await visit(TENANT_A, `#dataset=${datasetId}`)
      await page.getByText('Outcomes (').click()
      await page.getByLabel('region', { exact: true }).check()
      await page.getByLabel('Percent of loyalty.member yes', { exact: true }).fill(String(share))
      await page.keyboard.press('Tab')
      const north = page.getByRole('row', { name: /^region north/ })
      await north.getByText('points').waitFor()
      await page.locator('.waiting').waitFor({ state: 'detached' })
      const shown = await north.locator('td').allInnerTexts()
      await page.context().close()
      return shown
    }
    const shares = Array.from({ length: 10 }, (_, i) => 40 + 3 * i)
    const together = await Promise.all(shares.map(alone))
    expect(together[0]).toEqual(await alone(shares[0]!))
    expect(together[9]).toEqual(await alone(shares[9]!))
    expect(together[0]).not.toEqual(together[9])
  })

  it('shows another tenant nothing of it, whatever the address says', async () => {
    const { page } = await visit(TENANT_B, `#dataset=${datasetId}`)
    await page.locator('.fault').waitFor()
    expect(await page.locator('.fault').innerText()).toMatch(/not found|no such/i)
    expect(await page.getByText('Survey').count()).toBe(0)
  })

  it('refuses a wrong token with what the service says, and forgets it', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${service.baseUrl}/explore`)
    await signIn(page, 'wrong')
    await page.locator('.fault').waitFor()
    expect(await page.getByLabel('Access token').inputValue()).toBe('')
    await signIn(page, await service.token(TENANT_A))
    await page.getByRole('button', { name: '<b>Survey</b>' }).waitFor()
    await page.reload()
    await page.getByLabel('Access token').waitFor()
  })

  it('has no finding of axe before and after the sign-in', async () => {
    const { page } = await visit(TENANT_A, `#dataset=${datasetId}`, true)
    await page.waitForSelector('table')
    await page.evaluate(AXE)
    const findings = () =>
      page.evaluate<string[]>(
        '(async () => (await axe.run()).violations.map(({ id, nodes }) => id + ": " + nodes[0].html))()',
      )
    expect(await findings()).toEqual([])
    await page.goto(`${service.baseUrl}/explore`)
    await page.getByLabel('Access token').waitFor()
    await page.evaluate(AXE)
    expect(await findings()).toEqual([])
  })
})
