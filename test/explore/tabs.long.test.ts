import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM } from '../service/pages/chromium.ts'
import { ExploredPage, figure, openPanel, ROOT, rowsOf } from './explored-page.ts'

const half = async (page: Page, share = '50') => {
  await page.getByLabel('Percent of loyalty.member Yes', { exact: true }).fill(share)
  await page.keyboard.press('Tab')
  await figure(page, /^\+\d+\.\d+ points/).waitFor()
}

describe.skipIf(CHROMIUM === undefined)('several pages, and a command that ends', () => {
  const explored = new ExploredPage()
  const study = join(explored.folder, 'tracker.study.yaml')
  beforeAll(async () => {
    cpSync(join(ROOT, 'examples/coffee/tracker.csv'), join(explored.folder, 'tracker.csv'))
    writeFileSync(join(explored.folder, 'package.json'), '{}')
    await explored.start('tracker.csv')
  })
  afterAll(() => explored.end())

  it('two tabs answer each for itself, and a save in one is noticed in the other', async () => {
    const first = await explored.open()
    const second = await first.context().newPage()
    await second.goto(explored.url)
    await second.waitForSelector('table')
    await Promise.all([half(first), half(second, '70')])
    expect(await rowsOf(first, 'Figures')).not.toEqual(await rowsOf(second, 'Figures'))
    for (const [page, name] of [
      [first, 'half'],
      [second, 'most'],
    ] as const) {
      await page.getByLabel('Name', { exact: true }).fill(name)
      await openPanel(page, 'Keep as a study')
      await page.getByText('A new file').waitFor()
      await page.locator('pre', { hasText: `${name}:` }).waitFor()
    }
    await first.getByRole('button', { name: 'Save', exact: true }).click()
    await first.getByText('whatif run tracker.study.yaml').waitFor()
    const text = readFileSync(study, 'utf8')
    await second.getByRole('button', { name: 'Save', exact: true }).click()
    await second.getByText('was saved in another tab since. Nothing was written.').waitFor()
    await second.getByText('These lines are added to').waitFor()
    expect(readFileSync(study, 'utf8')).toBe(text)
    await second.getByRole('button', { name: 'Save', exact: true }).click()
    await second.getByText('whatif run tracker.study.yaml').waitFor()
    expect(readFileSync(study, 'utf8')).toMatch(/ {2}half:\n.* {2}most:\n/s)
    await first.context().close()
  })

  it('says that the command has ended, and goes on with the address of the next one', async () => {
    const page = await explored.open()
    await half(page)
    const shown = await rowsOf(page, 'Figures')
    const port = new URL(explored.url).port
    explored.command!.kill('SIGINT')
    await once(explored.command!, 'exit')
    await page.getByLabel('Percent of loyalty.member Yes', { exact: true }).fill('51')
    await page.keyboard.press('Tab')
    await page.getByText('whatif explore does not answer').waitFor()
    await explored.run('tracker.csv', '--port', port)
    await page.getByLabel('Percent of loyalty.member Yes', { exact: true }).fill('50')
    await page.keyboard.press('Tab')
    await page.getByText('Open the address that whatif explore printed last.').waitFor()
    await page.evaluate(`location.href = ${JSON.stringify(explored.url)}`)
    await figure(page, /^\+3\.\d+ points/).waitFor()
    expect(await rowsOf(page, 'Figures')).toEqual(shown)
    await page.context().close()
  })

  it('says that a link was made of another file', async () => {
    const moved = [
      [
        'half',
        [
          ['loyalty.member', [['Yes', 0.5]]],
          ['gone', [['Yes', 0.5]]],
        ],
        [],
        [],
        [],
      ],
    ]
    const link = (scenarios: unknown) =>
      `${explored.url}&state=${btoa(JSON.stringify([scenarios, 0, [['gone', 'shares']]]))}`
    const page = await explored.open({}, link(moved))
    await page.getByText('names columns or levels that these data do not have').waitFor()
    await figure(page, /^\+3\.\d+ points/).waitFor()
    // What is left of it is a link of these data.
    const again = await explored.open({}, page.url())
    expect(await again.getByText('names columns or levels').count()).toBe(0)
    await page.context().close()
    await again.context().close()
  })

  it('shows no data with a wrong token, and says what to open', async () => {
    const page = await explored.openUnchecked(explored.url.replace(/token=.*/, 'token=wrong'))
    await page.getByText('Open the address that whatif explore printed last.').waitFor()
    expect(await page.getByText('loyalty').count()).toBe(0)
    await page.context().close()
  })
})
