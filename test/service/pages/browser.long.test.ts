import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DOCUMENTED_OPERATIONS } from '../../../src/contract/operations.ts'
import { openTestStore, startTestService, type TestService, type TestStore } from '../http/test-service.ts'
import { CHROMIUM, launchChromium } from './chromium.ts'

const PAGES = ['/', '/docs', '/__docs__/', '/errors', '/errors/svc_unknown_condition_column']

describe.skipIf(CHROMIUM === undefined)('in a browser (needs Chromium)', () => {
  let store: TestStore
  let service: TestService
  let browser: Browser
  beforeAll(async () => {
    store = await openTestStore()
    service = await startTestService(store)
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
    await store?.close()
  })

  interface Visit {
    readonly page: Page
    /** Messages on the console, uncaught errors, violations of the content security policy among them. */
    readonly complaints: string[]
    /** Requests that went, or wanted to go, elsewhere. */
    readonly foreign: string[]
  }

  /** Opens a path of the service with every other origin out of reach, and waits until the page is all there. */
  async function visit(path: string, { width = 1280, scheme = 'light' as 'light' | 'dark' } = {}): Promise<Visit> {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme })
    // Each test has its time limit: a busy machine may spend it on one step.
    context.setDefaultTimeout(0)
    const complaints: string[] = []
    const foreign: string[] = []
    await context.route(
      (url) => url.origin !== service.baseUrl && url.protocol !== 'data:',
      async (route) => {
        foreign.push(route.request().url())
        await route.abort()
      },
    )
    const page = await context.newPage()
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(service.baseUrl + path, { waitUntil: 'load' })
    if (path === '/__docs__/') await page.waitForSelector('.opblock')
    return { page, complaints, foreign }
  }

  it.each(PAGES)(
    '%s opens without an error, requests nothing from another origin, cuts nothing off and does not scroll sideways, light and dark',
    async (path) => {
      const { page, complaints, foreign } = await visit(path)
      for (const { width, colorScheme } of [
        { width: 1280, colorScheme: 'light' },
        { width: 820, colorScheme: 'light' },
        { width: 390, colorScheme: 'dark' },
      ] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        )
        if (path === '/__docs__/' && width === 820) await openOperations(page)
        const cutOff = width < 1280 ? await page.evaluate(CUT_OFF) : []
        expect({ width, overflow, cutOff, complaints, foreign }).toEqual({
          width,
          overflow: 0,
          cutOff: [],
          complaints: [],
          foreign: [],
        })
      }
      await page.context().close()
    },
  )

  it('a missing page is answered with a page that has links to others', async () => {
    const { page, complaints, foreign } = await visit('/no-such-page', { width: 390 })
    expect(await page.evaluate(CUT_OFF)).toEqual([])
    // The browser's own word about the status is all that is on the console.
    expect(complaints).toEqual([expect.stringContaining('404')])
    expect(foreign).toEqual([])
    await page.getByRole('main').getByRole('link', { name: 'Guide' }).click()
    await page.waitForURL(`${service.baseUrl}/docs`)
    await page.context().close()
  })

  it.each(['/openapi.json', '/healthz', '/llms.txt'])(
    '%s, which is not a page, opens without an error',
    async (path) => {
      const { page, complaints } = await visit(path)
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )

  it('the reference shows every operation, and opens one with its example', async () => {
    const { page, complaints, foreign } = await visit('/__docs__/')
    const shown = async () =>
      (await page.locator('.opblock').evaluateAll((blocks) => blocks.map((block) => block.id))).sort()
    const operations = DOCUMENTED_OPERATIONS.map(({ tag, operationId }) => `operations-${tag}-${operationId}`)
    // What the service sends to a receiver stands beside what it answers.
    await expect.poll(shown).toEqual([...operations, 'operations-webhooks-receiveEvent'].sort())
    await page.locator('#operations-generations-createGeneration .opblock-summary-control').click()
    const body = page.locator('#operations-generations-createGeneration .opblock-body')
    await body.locator('.opblock-section-request-body').getByText('"row_count"').first().waitFor()
    await body.getByText('svc_unknown_condition_column').first().waitFor({ state: 'attached' })
    expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] })
    await page.context().close()
  })

  it('the reference sends requests to its own address, and shows the reply', async () => {
    const { page, complaints } = await visit('/__docs__/')
    const health = page.locator('#operations-utility-getHealth')
    await health.locator('.opblock-summary-control').click()
    await health.getByRole('button', { name: 'Try it out' }).click()
    const reply = page.waitForResponse(`${service.baseUrl}/healthz`)
    await health.getByRole('button', { name: 'Execute' }).click()
    expect((await reply).status()).toBe(200)
    await health.locator('.live-responses-table').getByText('"ok"').first().waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('all links of all pages lead to a document, and those inside a page to a place in it', async () => {
    const links = new Map<string, string>()
    for (const path of PAGES) {
      const { page } = await visit(path)
      for (const href of await page
        .locator('a[href]')
        .evaluateAll((all) => all.map((a) => String(a.getAttribute('href'))))) {
        const url = new URL(href, service.baseUrl + path)
        // swagger-ui names places of its own kind, and the page of a licence.
        const isPlaceOfReference = path === '/__docs__/' && href.startsWith('#')
        if (url.origin === service.baseUrl && !isPlaceOfReference) links.set(url.href, path)
      }
      await page.context().close()
    }
    expect(links.size).toBeGreaterThan(30)
    for (const [href, path] of links) {
      const answer = await fetch(href, { headers: { accept: 'text/html' } })
      const text = await answer.text()
      expect([path, href, answer.status]).toEqual([path, href, 200])
      const place = new URL(href).hash.slice(1)
      if (place !== '') expect(text).toContain(`id="${place}"`)
    }
  })

  it('text has the contrast that WCAG 2 AA requires, light and dark', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      for (const path of ['/docs', '/errors']) {
        const { page } = await visit(path, { scheme })
        const pairs = await page.locator('body *').evaluateAll((elements) =>
          elements
            .filter((element) => element.textContent?.trim() !== '')
            .map((element) => {
              const view = element.ownerDocument.defaultView as unknown as {
                getComputedStyle(of: unknown): { color: string; backgroundColor: string }
              }
              let behind: { parentElement: unknown } = element as never
              while (view.getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') {
                behind = behind.parentElement as never
              }
              return `${view.getComputedStyle(element).color} on ${view.getComputedStyle(behind).backgroundColor}`
            }),
        )
        for (const pair of new Set(pairs)) {
          expect([scheme, pair, contrastOf(pair) >= 4.5]).toEqual([scheme, pair, true])
        }
        await page.context().close()
      }
    }
  })
})

/** An operation with a form, one with a long body, and one with many parameters. */
async function openOperations(page: Page): Promise<void> {
  for (const id of ['datasets-createDataset', 'generations-createGeneration', 'generations-downloadArtifact']) {
    const operation = page.locator(`#operations-${id}`)
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('.responses-table').first().waitFor()
  }
}

/** A script for the page: finds elements that cut content off, scroll it sideways or reach out of the window. */
const CUT_OFF = `[...document.querySelectorAll('body, body *')].flatMap((element) => {
  if (!element.checkVisibility() || element.closest('svg, select, textarea')) return []
  const isCut = getComputedStyle(element).overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1
  const isOutside = element.getBoundingClientRect().right > document.documentElement.clientWidth + 1
  return isCut || isOutside
    ? [element.tagName + '.' + element.className + ' ' + element.scrollWidth + ' in ' + element.clientWidth + ': ' + element.textContent.slice(0, 80)]
    : []
})`

/** Contrast ratio of `rgb(…) on rgb(…)` (WCAG 2.2, "contrast ratio" and "relative luminance"). */
function contrastOf(pair: string): number {
  const [text, paper] = pair.split(' on ').map((colour) => {
    const [r, g, b] = (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map((value) => {
      const share = Number(value) / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    }) as [number, number, number]
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }) as [number, number]
  return (Math.max(text, paper) + 0.05) / (Math.min(text, paper) + 0.05)
}
