import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM } from '../service/pages/chromium.ts'
import { BIN, ExploredPage, figure, openPanel, ROOT, rowsOf } from './explored-page.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const STUDY = 'half.study.yaml'
const PANELS = [
  'Distribution',
  'What moved besides?',
  'In whom?',
  'Scenarios side by side',
  'What would it take?',
  'What matters?',
  'Keep as a study',
]

describe.skipIf(CHROMIUM === undefined)('whatif explore in a browser', () => {
  const explored = new ExploredPage()
  const { folder } = explored

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
    await explored.start(STUDY)
  })
  afterAll(() => explored.end())

  it('answers, by keyboard, what happens if half are members', async () => {
    const page = await explored.open()
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await page.getByLabel('Percent of loyalty.member Yes', { exact: true }).focus()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('50')
    await page.keyboard.press('Tab')
    await figure(page, /^\+3\.\d+ points/).waitFor()
    const [yes] = await rowsOf(page, 'Figures')
    expect(yes).toEqual([
      'purchase.intent Yes',
      '+3.86 points',
      '3.29 to 4.43',
      '',
      '34.82 %',
      '38.67 %',
      'yes',
      '6,000',
    ])
    expect([...hosts]).toEqual([new URL(explored.url).host])
    await page.context().close()
  })

  it('holds shares of two columns together, in a table that shows those of the data', async () => {
    const page = await explored.open()
    await page.locator('summary', { hasText: 'Two columns together' }).click()
    await page.getByLabel('Rows of the table').selectOption('loyalty.member')
    await page.getByLabel('Columns of the table').selectOption('gender')
    await page.getByRole('button', { name: 'Show their table' }).click()
    const cell = page.getByLabel('Percent of Yes and Female', { exact: true })
    await expect.poll(() => cell.getAttribute('placeholder')).toMatch(/^1\d\.\d$/)
    await cell.fill('25')
    await page.keyboard.press('Tab')
    await figure(page, /^\+\d\.\d+ points/).waitFor()
    const row = page.locator('tbody tr', { hasText: 'purchase.intent Yes' })
    const shown = await row.locator('td').first().textContent()
    await openPanel(page, 'Keep as a study')
    await page
      .locator('pre', { hasText: 'cells: [{ of: [loyalty.member, gender], shares: [["Yes", Female, 0.25]] }]' })
      .waitFor()
    // A link to it has the table, too.
    const again = await explored.open({}, page.url())
    await figure(again, /^\+\d\.\d+ points/).waitFor()
    expect(
      await again.locator('tbody tr', { hasText: 'purchase.intent Yes' }).locator('td').first().textContent(),
    ).toBe(shown)
    await page.context().close()
    await again.context().close()
  })

  it('closes again what a search has opened', async () => {
    const page = await explored.open()
    const north = page.getByLabel('Percent of region North', { exact: true })
    await page.locator('.lever > summary', { hasText: 'region' }).click()
    await north.waitFor({ state: 'detached' })
    const search = page.getByLabel('Search columns and levels')
    await search.fill('north')
    await north.waitFor()
    await search.fill('')
    await north.waitFor({ state: 'detached' })
    await search.fill('no such')
    await page.getByText('No column or level has this name.').waitFor()
    await search.fill('')
    await page.getByLabel('Percent of gender Female', { exact: true }).waitFor()
    expect(await north.count()).toBe(0)
    await page.context().close()
  })

  it('says why a scenario cannot have all rows, and moves the levers to the nearest mix, which can be undone', async () => {
    const page = await explored.open()
    const satisfied = page.getByLabel('Percent of satisfaction 5', { exact: true })
    const unwilling = page.getByLabel('Percent of purchase.intent No', { exact: true })
    for (const lever of [satisfied, unwilling]) {
      await lever.fill('90')
      await page.keyboard.press('Tab')
    }
    // Two people of 6,000 are both, for 0.2 of 1,000 rows.
    await page.getByText('needs at least 0.8 of the rows to be both').waitFor()
    await page.getByText('The nearest mix with all rows moves shares by 60 points:').waitFor()
    await page
      .locator('code', { hasText: 'shares: { satisfaction: { "5": 0.6 }, purchase.intent: { "No": 0.6 } }' })
      .waitFor()
    await page.getByRole('button', { name: 'Move the levers there' }).press('Enter')
    await page.getByText('A run would have fewer rows').waitFor({ state: 'detached' })
    expect([await satisfied.inputValue(), await unwilling.inputValue()]).toEqual(['60', '60'])
    expect(await page.evaluate('document.activeElement.id')).toBe('answers')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('needs at least 0.8 of the rows to be both').waitFor()
    expect([await satisfied.inputValue(), await unwilling.inputValue()]).toEqual(['90', '90'])
    await page.context().close()
  })

  it('opens what was pressed, though an answer comes before it is let go', async () => {
    const page = await explored.open()
    const held: Route[] = []
    await page.route('**/besides', (route) => held.push(route))
    await page.getByLabel('Percent of loyalty.member Yes', { exact: true }).fill('50')
    await page.keyboard.press('Tab')
    await figure(page, /^\+3\.\d+ points/).waitFor()
    await openPanel(page, 'What moved besides?')
    await expect.poll(() => held.length).toBe(1)
    await page.locator('.panel > summary', { hasText: 'In whom?' }).hover()
    await page.mouse.down()
    const come = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/besides'))
    await held[0]!.continue()
    await come
    // Time enough to show it.
    await page.waitForTimeout(300)
    await page.mouse.up()
    await page.getByLabel('By', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'What moved besides', exact: true }).waitFor()
    await page.context().close()
  })

  it.each([390, 820, 1440])(
    'has no finding of axe and no sideways scrolling at %i px, in both themes',
    async (width) => {
      const page = await explored.open({ viewport: { width, height: 900 }, colorScheme: 'light', bypassCSP: true })
      await page.evaluate(AXE)
      await page.getByLabel('Percent of loyalty.member Yes', { exact: true }).fill('50')
      await page.keyboard.press('Tab')
      await page.getByRole('button', { name: 'Duplicate' }).click()
      await page.locator('summary', { hasText: 'Two columns together' }).click()
      await page.getByLabel('Rows of the table').selectOption('region')
      await page.getByLabel('Columns of the table').selectOption('gender')
      await page.getByRole('button', { name: 'Show their table' }).click()
      for (const panel of PANELS) await openPanel(page, panel)
      await page.getByLabel('By', { exact: true }).selectOption('region')
      await page.locator('h3', { hasText: 'North' }).waitFor()
      await page.locator('pre', { hasText: 'shares: { loyalty.member: { "Yes": 0.5 } }' }).waitFor()
      for (const label of ['What moved besides', 'What matters', 'Scenarios side by side'])
        await page.getByRole('region', { name: label, exact: true }).waitFor()
      // The colours follow those of the system, which change under an open page.
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))')
        const found = await page.evaluate<string[]>(
          '(async () => (await axe.run()).violations.map(({ id, nodes }) => id + ": " + nodes[0].html))()',
        )
        expect({ colorScheme, found }).toEqual({ colorScheme, found: [] })
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      }
      await page.context().close()
    },
  )

  it('ends with Ctrl-C, and its figures are those of the plan', async () => {
    const page = await explored.open()
    await page.getByLabel('Percent of loyalty.member Yes', { exact: true }).fill('50')
    await page.keyboard.press('Tab')
    await figure(page, /^\+3\.\d+ points/).waitFor()
    const shown = (await rowsOf(page, 'Figures')).map(([, difference, interval, , from, to]) => [
      `${from} → ${to}`,
      difference,
      interval,
    ])
    const { command } = explored
    command!.kill('SIGINT')
    expect(await once(command!, 'exit')).toEqual([0, null])
    const plan = execFileSync(process.execPath, [BIN, 'plan', '--estimates', STUDY], { cwd: folder, encoding: 'utf8' })
    for (const figures of shown) for (const figure of figures) expect(plan).toContain(figure)
  })
})
