import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  OPERATOR_TOKEN,
  openTestStore,
  startTestService,
  type TestService,
  type TestStore,
} from '../http/test-service.ts'
import { CHROMIUM, launchChromium } from './chromium.ts'

const HOSTILE = '<img src=x onerror=document.title="taken">'

describe.skipIf(CHROMIUM === undefined)('the dashboard in a browser (needs Chromium)', () => {
  let store: TestStore
  let service: TestService
  let browser: Browser
  beforeAll(async () => {
    store = await openTestStore()
    service = await startTestService(store)
    browser = await launchChromium()
    const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` }
    const signup = { company_name: HOSTILE, contact_email: 'a@example.com' }
    const { request_id: request } = (await service.post('/v1/signup', signup)).body
    await service.post(`/operator/v1/signups/${request}/approve`, undefined, operator)
    const { tenant_id: tenant } = (await service.get('/operator/v1/tenants', operator)).body.tenants[0]
    await service.post(`/operator/v1/tenants/${tenant}/quota`, { subscription_rows: 20_000 }, operator)
    await service.post('/v1/signup', { company_name: 'Waiting', contact_email: 'b@example.com' })
    await store.db.query(
      `insert into jobs (job_id, tenant_id, kind, status, dataset_id, error_code, error_detail, created_at, deadline_at, finished_at)
       values ('job_broken', $1, 'training', 'failed', 'ds_x', 'svc_untrainable_dataset', 'The column salary is empty.',
         now(), now(), now())`,
      [tenant],
    )
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
    await store?.close()
  })

  async function visit(width = 1280, scheme: 'light' | 'dark' = 'light') {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme })
    context.setDefaultTimeout(0)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${service.baseUrl}/dashboard`)
    return { page, complaints }
  }

  async function show(page: Page, token: string): Promise<void> {
    await page.getByLabel('Operator token').fill(token)
    await page.getByRole('button', { name: 'Show' }).click()
  }

  it('shows nothing without the token, and says that it was refused', async () => {
    const { page } = await visit()
    await show(page, 'not-the-operator-token')
    await page.getByText('The service refused the token (401).').waitFor()
    expect(await page.getByRole('table').count()).toBe(0)
    expect(await page.getByLabel('Operator token').inputValue()).toBe('')
    await page.context().close()
  })

  it.each([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
  ] as const)('shows queues, amounts, signups, tenants, failures and actions at %i px, %s', async (width, scheme) => {
    const { page, complaints } = await visit(width, scheme)
    await show(page, OPERATOR_TOKEN)
    await page.getByRole('heading', { name: 'Queues' }).waitFor()
    const text = await page.getByRole('main').innerText()
    for (const shown of [
      'training',
      'Waiting',
      HOSTILE,
      '20,000',
      'job_broken',
      'svc_untrainable_dataset',
      'setTenantQuota',
    ])
      expect(text).toContain(shown)
    // The words of an error may quote a tenant's columns.
    expect(text).not.toContain('salary')
    expect(await page.title()).toBe('Dashboard')
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect({ overflow, complaints }).toEqual({ overflow: 0, complaints: [] })
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
    )
    expect(kept).not.toContain(OPERATOR_TOKEN)
    if (process.env.WHATIF_TEST_PICTURES !== undefined)
      await page.screenshot({
        path: `${process.env.WHATIF_TEST_PICTURES}/dashboard-${width}-${scheme}.png`,
        fullPage: true,
      })
    await page.context().close()
  })
})
