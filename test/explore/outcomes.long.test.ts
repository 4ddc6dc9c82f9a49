import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM } from '../service/pages/chromium.ts'
import { BIN, ExploredPage, figure, openPanel, ROOT, rowsOf } from './explored-page.ts'

const STUDY = 'north.study.yaml'

describe.skipIf(CHROMIUM === undefined)('outcomes of a page', () => {
  const explored = new ExploredPage()
  const { folder } = explored
  const study = join(folder, STUDY)

  beforeAll(async () => {
    cpSync(join(ROOT, 'examples/coffee/tracker.csv'), join(folder, 'tracker.csv'))
    writeFileSync(join(folder, 'package.json'), '{}')
    writeFileSync(
      study,
      `version: 1
name: north
datasets: { tracker: { file: tracker.csv } }
defaults: { rows: 1000, seed: 1 }
scenarios:
  as-is: {}
  half: { shares: { loyalty.member: { "Yes": 0.5 } } }
baseline: as-is
comparisons:
  - { id: north, scenarios: [half], means: [satisfaction], quantiles: { spend.last.month: [0.5, 0.9] }, where: { region: [North], age: { min: 30 } } }
  - { id: all, scenarios: [half], shares: [purchase.intent], by: gender, base: valid }
`,
    )
    execFileSync(process.execPath, [BIN, 'validate', STUDY], { cwd: folder, stdio: 'ignore' })
    await explored.start(STUDY)
  })
  afterAll(() => explored.end())

  it('stand beside levers that show the shares of rare levels, too, to who owns the data', async () => {
    const [header, ...lines] = readFileSync(join(folder, 'tracker.csv'), 'utf8').trim().split('\n')
    const at = header!.split(',').indexOf('household_size')
    const rare = lines.filter((line) => line.split(',')[at] === '6').length
    expect(rare).toBeGreaterThan(0)
    expect(rare).toBeLessThan(10)
    const page = await explored.open()
    const told = Number(await page.getByLabel('Percent of household.size 6', { exact: true }).inputValue())
    expect(told).toBe(Number(((100 * rare) / lines.length).toPrecision(1)))
  })

  it('are at first those of the study, counted in its rows, and are chosen by hand', async () => {
    const page = await explored.open()
    await page
      .getByText('Counted in rows with region North; age 30 and above (1,116 to 1,360 rows of the seed).')
      .waitFor()
    const names = async () => (await rowsOf(page, 'Figures')).map(([name]) => name)
    expect(await names()).toEqual([
      'mean of satisfaction',
      'median of spend.last.month',
      '90 % quantile of spend.last.month',
    ])
    await page.getByLabel('As in comparison').selectOption('all')
    await expect.poll(names).toEqual(['purchase.intent Yes', 'purchase.intent No', 'purchase.intent Unsure'])
    expect(await page.getByText('Counted in rows with').count()).toBe(0)
    // Its segments and its base come with it.
    await page.getByText('Outcomes (1), shares of rows with an answer').click()
    expect(await page.getByLabel('Shares are of').inputValue()).toBe('valid')
    await page.getByRole('region', { name: 'Figures of Female', exact: true }).waitFor()
    expect(await page.getByLabel('By', { exact: true }).inputValue()).toBe('gender')
    await page.locator('.panel > summary', { hasText: 'In whom?' }).click()
    await page.getByRole('region', { name: 'Figures of Female', exact: true }).waitFor({ state: 'detached' })
    await page.getByLabel('purchase.intent', { exact: true }).uncheck()
    await page.getByLabel('Also a figure of').selectOption('spend.last.month')
    await page.getByRole('button', { name: '75 % quantile of spend.last.month' }).click()
    await page.getByText('Counted in all rows').click()
    await page.getByLabel('Choose rows by').selectOption('gender')
    await page.getByLabel('Rows with gender Female', { exact: true }).check()
    await page.getByText('Counted in rows with gender Female').waitFor()
    await expect.poll(names).toEqual(['75 % quantile of spend.last.month'])
    // A link has them, too, and undo goes through them.
    const again = await explored.open({}, page.url())
    await again.getByText('Counted in rows with gender Female').waitFor()
    expect(await rowsOf(again, 'Figures')).toEqual(await rowsOf(page, 'Figures'))
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Counted in rows with gender Female').waitFor({ state: 'detached' })
    await page.context().close()
    await again.context().close()
  })

  it('say how a column is distributed on both sides, judged with the answers', async () => {
    const page = await explored.open()
    await page.getByLabel('Percent of loyalty.member Yes', { exact: true }).fill('50')
    await page.keyboard.press('Tab')
    await openPanel(page, 'Distribution')
    const column = page.getByLabel('Distribution of', { exact: true })
    await column.selectOption('spend.last.month')
    await page.getByRole('region', { name: 'Distribution of spend.last.month', exact: true }).waitFor()
    const spread = await rowsOf(page, 'Distribution of spend.last.month')
    expect(spread.map(([name]) => name)).toEqual(
      ['10 % quantile', '25 % quantile', 'median', '75 % quantile', '90 % quantile'].map(
        (word) => `${word} of spend.last.month`,
      ),
    )
    const medians = (await rowsOf(page, 'Figures')).filter(([name]) => name === 'median of spend.last.month')
    expect([spread[2]]).toEqual(medians)
    expect(await page.locator('.spread g').count()).toBe(2)
    await column.selectOption('purchase.intent')
    await page.getByRole('region', { name: 'Distribution of purchase.intent', exact: true }).waitFor()
    expect((await rowsOf(page, 'Distribution of purchase.intent')).map(([name]) => name)).toEqual([
      'purchase.intent Yes',
      'purchase.intent No',
      'purchase.intent Unsure',
    ])
    await column.selectOption('last.visit')
    await page.getByRole('region', { name: 'Distribution of last.visit', exact: true }).waitFor()
    expect((await rowsOf(page, 'Distribution of last.visit'))[2]![4]).toMatch(/^2026-\d\d-\d\d$/)
    await page.context().close()
  })

  it('say what it takes and what matters in these rows', async () => {
    const page = await explored.open()
    await openPanel(page, 'What matters?')
    await page.getByText('mean of rows with region North; age 30 and above: ').waitFor()
    await page
      .locator('.panel', { hasText: 'What matters?' })
      .getByLabel('Figure')
      .selectOption('median of spend.last.month')
    await page.getByText('spend.last.month median of rows with region North; age 30 and above: ').waitFor()
    await openPanel(page, 'What would it take?')
    const needed = page.locator('.panel', { hasText: 'What would it take?' })
    await needed.getByLabel('Figure').selectOption('median of spend.last.month')
    await needed.getByLabel('moved by').fill('2')
    await page.keyboard.press('Tab')
    await needed.getByLabel('Lever', { exact: true }).selectOption('loyalty.member Yes')
    await needed.getByText('+2 at loyalty.member Yes').waitFor()
    await page.context().close()
  })

  it('are kept in the study, whose plan has the figures of the page', async () => {
    const page = await explored.open()
    await page.getByLabel('Percent of loyalty.member Yes', { exact: true }).fill('60')
    await page.keyboard.press('Tab')
    await figure(page, /^\+[1-9]/).waitFor()
    const shown = (await rowsOf(page, 'Figures')).map(([, difference, interval, , from, to]) => [
      `${from} → ${to}`,
      difference,
      interval,
    ])
    expect(shown).toHaveLength(3)
    await openPanel(page, 'Keep as a study')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(`whatif run ${STUDY}`).waitFor()
    expect(readFileSync(study, 'utf8')).toContain(
      '  - { id: explored, scenarios: [explored], against: as-is, means: [satisfaction], quantiles: { spend.last.month: [0.5, 0.9] }, where: { region: [North], age: { min: 30 } } }\n',
    )
    const { command } = explored
    command!.kill('SIGINT')
    expect(await once(command!, 'exit')).toEqual([0, null])
    const plan = execFileSync(process.execPath, [BIN, 'plan', '--estimates', STUDY], { cwd: folder, encoding: 'utf8' })
    for (const figures of shown) for (const one of figures) expect(plan).toContain(one)
  })
})
