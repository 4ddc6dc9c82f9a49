import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { largeManifest } from '../../../../bench/large-manifest.js'
import { answerWords, comparisonAnswers } from '../../../../src/answers/words/answer-text.ts'
import type { Manifest } from '../../../../src/records/manifest/manifest.ts'
import { reportHtml } from '../../../../src/report/html/page/page.ts'
import { CHROMIUM, launchChromium } from '../../../service/pages/chromium.ts'
import { fullManifest, hostileManifest } from '../hostile-manifest.ts'

/** Collects violations of the content security policy. */
const WATCH = `globalThis.violations = []
addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective))`

describe.skipIf(CHROMIUM === undefined)('report.html in a browser (needs Chromium)', () => {
  let browser: Browser
  let folder: string
  beforeAll(async () => {
    browser = await launchChromium()
    folder = await mkdtemp(join(tmpdir(), 'whatif-page-'))
  })
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  })

  interface Look {
    readonly width?: number
    readonly scheme?: 'light' | 'dark'
    readonly hasScripts?: boolean
  }

  interface Visit {
    readonly page: Page
    /** Messages on the console, uncaught errors, violations of the content security policy. */
    readonly complaints: string[]
    /** All that was requested besides the file. */
    readonly requests: string[]
  }

  async function open(
    manifest: Manifest,
    { width = 1440, scheme = 'light', hasScripts = true }: Look = {},
  ): Promise<Visit> {
    const path = join(folder, `${Math.random().toString(36).slice(2)}.html`)
    await writeFile(path, reportHtml({ manifest, digest: 'd'.repeat(64) }))
    const address = pathToFileURL(path).href
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: scheme,
      javaScriptEnabled: hasScripts,
      acceptDownloads: true,
    })
    context.setDefaultTimeout(0)
    const complaints: string[] = []
    const requests: string[] = []
    const page = await context.newPage()
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => request.url() !== address && requests.push(request.url()))
    await page.addInitScript(WATCH)
    await page.goto(address, { waitUntil: 'load' })
    return { page, complaints, requests }
  }

  const SIZES = {
    'everything that a page shows': fullManifest(),
    'eight scenarios': largeManifest({ scenarios: 8, outcomes: 2 }),
    'fifty scenarios': largeManifest({ scenarios: 50, outcomes: 5 }),
    'names of 120 characters': largeManifest({
      scenarios: 4,
      outcomes: 3,
      named: (kind, i) => `${kind} ${i} ${'of a very long name '.repeat(6)}`.slice(0, 120),
    }),
    'Chinese and Arabic names': largeManifest({
      scenarios: 4,
      outcomes: 3,
      named: (kind, i) => (kind === 'value' ? `المستوى ${i}` : `${'购买意愿调查'.repeat(9)}${kind} ${i}`),
    }),
    'no comparison': { ...fullManifest(), comparisons: {} },
  }

  it.each(Object.entries(SIZES))(
    '%s loads nothing else, logs no errors, never scrolls sideways and has no axe findings, narrow and wide, light and dark',
    async (name, manifest) => {
      for (const look of [
        { width: 390, scheme: 'light' },
        { width: 820, scheme: 'light' },
        { width: 1440, scheme: 'dark' },
      ] as const) {
        const { page, complaints, requests } = await open(manifest, look)
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        )
        const violations = await page.evaluate('globalThis.violations')
        await page.evaluate('for (const folded of document.querySelectorAll("details")) folded.open = true')
        // The policy of the page keeps foreign scripts out; this one comes through the debugger. It sees the widths between the narrowest
        // and the widest as one of these. In fifty scenarios it looks at the same marks again and again: once is enough.
        const isLookedThrough = look.scheme === 'dark' || (look.width === 390 && name !== 'fifty scenarios')
        if (isLookedThrough) await page.evaluate(axe.source)
        const found = await page.evaluate(
          isLookedThrough
            ? "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html.slice(0, 200), nodes[0].failureSummary].join(' ')))"
            : '[]',
        )
        expect({ look, overflow, complaints, requests, violations, found }).toEqual({
          look,
          overflow: 0,
          complaints: [],
          requests: [],
          violations: [],
          found: [],
        })
        await page.context().close()
      }
    },
  )

  it('shows the figures of the manifest in pictures and tables', async () => {
    const manifest = largeManifest({ scenarios: 3, outcomes: 2 })
    const answers = comparisonAnswers(manifest)[0]!.answers
    const expected = answers
      .filter(({ beyond }) => answers.length <= 12 || beyond === true)
      .map((answer) => ({ scenario: answer.scenario, ...answerWords(answer) }))
    const { page } = await open(manifest)
    const table = await page
      .locator('#differences table tbody tr')
      .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)))
    const tips = await page
      .locator('#differences svg.wide [data-tip]')
      .evaluateAll((marks) => marks.map((mark) => mark.getAttribute('data-tip')))
    expect(table).toHaveLength(expected.length)
    expect(tips).toHaveLength(expected.length)
    for (const { scenario, from, to, difference, interval } of expected) {
      const figures = [from, to, difference.replace(' points', ''), interval]
      expect(table.some((row) => row[0] === scenario && figures.every((figure, i) => row[i + 2] === figure))).toBe(true)
      const words = `${from} → ${to}, ${difference}, 95 % interval ${interval}`
      expect(tips.some((tip) => tip?.includes(`(${scenario})`) && tip.includes(words))).toBe(true)
    }
    // The marks stand where the axis has their figures.
    const ticks = await page
      .locator('#differences svg.wide')
      .first()
      .evaluate((svg) => {
        const texts = [...svg.querySelectorAll('text.axis[text-anchor="middle"]')]
        return texts.map((text) => [Number(text.textContent?.replace('\u2212', '-')), Number(text.getAttribute('x'))])
      })
    const [first, last] = [ticks[0]!, ticks.at(-1)!]
    const placed = await page
      .locator('#differences svg.wide')
      .first()
      .evaluate((svg) =>
        [...svg.querySelectorAll('g[data-tip]')].map((mark) => [
          mark.getAttribute('data-tip'),
          Number(mark.querySelector('circle')?.getAttribute('cx')),
        ]),
      )
    expect(placed.length).toBeGreaterThan(0)
    for (const [tip, cx] of placed as [string, number][]) {
      const answer = answers.find(
        ({ scenario, column, level }) => level !== null && tip.includes(`(${scenario}). ${column} ${level}:`),
      )
      const onAxis =
        first[1]! + (((answer!.difference ?? 0) * 100 - first[0]!) / (last[0]! - first[0]!)) * (last[1]! - first[1]!)
      expect(Math.abs(cx - onAxis)).toBeLessThan(0.2)
    }
    await page.context().close()
  })

  it('shows a tooltip under the pointer, and hides it afterwards', async () => {
    const { page } = await open(fullManifest())
    const mark = page.locator('#differences svg.wide [data-tip]').first()
    await mark.hover()
    const tip = page.locator('#tip')
    expect(await tip.isVisible()).toBe(true)
    expect(await tip.textContent()).toBe(await mark.getAttribute('data-tip'))
    await page.mouse.move(2, 2)
    expect(await tip.isVisible()).toBe(false)
    await page.context().close()
  })

  it('can be used with the keyboard: skip link, contents, marks of a picture', async () => {
    const { page } = await open(fullManifest())
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the answer')
    const picture = page.locator('#differences svg.wide').first()
    await picture.focus()
    const marks = await picture
      .locator('[data-tip]')
      .evaluateAll((all) => all.map((mark) => mark.getAttribute('data-tip')))
    const tip = page.locator('#tip')
    const seen: (string | null)[] = []
    for (const _ of marks) {
      await page.keyboard.press('ArrowDown')
      seen.push(await tip.textContent())
    }
    expect(seen).toEqual(marks)
    await page.keyboard.press('Home')
    expect(await tip.textContent()).toBe(marks[0])
    await page.keyboard.press('Escape')
    expect(await tip.isVisible()).toBe(false)
    await page.context().close()
  })

  it('saves a picture as a complete SVG', async () => {
    const { page, complaints } = await open(fullManifest())
    const download = page.waitForEvent('download')
    await page.locator('#differences').getByRole('button', { name: 'Save picture as SVG' }).click()
    const saved = await download
    expect(saved.suggestedFilename()).toBe('differences.svg')
    const text = await readFile(await saved.path(), 'utf8')
    const alone = await browser.newPage()
    const shown = await alone.evaluate(`(() => {
      const parsed = new DOMParser().parseFromString(${JSON.stringify(text)}, 'image/svg+xml')
      return {
        root: parsed.documentElement.localName,
        circles: parsed.querySelectorAll('circle').length,
        classes: parsed.querySelectorAll('[class]').length,
        fills: [...parsed.querySelectorAll('circle')].every((circle) => /^rgb/.test(circle.getAttribute('fill'))),
      }
    })()`)
    expect(shown).toEqual({ root: 'svg', circles: 3, classes: 0, fills: true })
    expect(complaints).toEqual([])
    await alone.close()
    await page.context().close()
  })

  it('is complete without scripts', async () => {
    const { page } = await open(fullManifest(), { hasScripts: false })
    expect(await page.locator('#differences svg.wide').first().isVisible()).toBe(true)
    await page.locator('#differences summary').click()
    expect(await page.locator('#differences table').isVisible()).toBe(true)
    expect(await page.locator('#comparisons table').first().isVisible()).toBe(true)
    await page.context().close()
  })

  it('answers on the first screen of 1440 x 900', async () => {
    const { page } = await open(largeManifest({ scenarios: 5, outcomes: 2 }))
    const box = await page.locator('#differences svg.wide').first().boundingBox()
    expect(box!.y + box!.height).toBeLessThan(900)
    expect(await page.locator('.lead').textContent()).toMatch(
      /differences from base are beyond chance\. With .* (rises|falls) from/,
    )
    await page.context().close()
  })

  it.each([
    '<script>globalThis.taken = 1</script>',
    '"><img src=x onerror=globalThis.taken=1>',
    "'></title></style></script><svg onload=globalThis.taken=1><a href=javascript:globalThis.taken=1>",
    '--><iframe srcdoc="<script>parent.taken=1</script>">',
  ])('%s in every text causes no script to run', async (hostile) => {
    const { page, complaints, requests } = await open(hostileManifest(hostile))
    for (const mark of await page.locator('svg.wide [data-tip]').all()) await mark.hover()
    await page.locator('#differences').getByRole('button', { name: 'Save picture as SVG' }).click()
    expect(await page.evaluate('globalThis.taken')).toBeUndefined()
    expect(await page.evaluate('globalThis.violations')).toEqual([])
    expect({ complaints, requests: requests.filter((url) => !url.startsWith('blob:')) }).toEqual({
      complaints: [],
      requests: [],
    })
    await page.context().close()
  })

  it('prints on A4 with open tables', async () => {
    const { page } = await open(fullManifest())
    await page.emulateMedia({ media: 'print' })
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(await page.locator('#differences table').isVisible()).toBe(true)
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(await page.evaluate("document.querySelector('#differences details').open")).toBe(false)
    const pdf = await page.pdf({ preferCSSPageSize: true })
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    expect(pdf.toString('latin1')).toMatch(/\/MediaBox \[0 0 59[45](?:\.\d+)? 84[12](?:\.\d+)?\]/)
    await page.context().close()
  })
})
