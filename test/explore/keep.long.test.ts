import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM } from '../service/pages/chromium.ts'
import { BIN, ExploredPage, figure, openPanel, ROOT, rowsOf } from './explored-page.ts'

const set = async (page: Page, label: string, value: string) => {
  await page.getByLabel(label, { exact: true }).fill(value)
  await page.keyboard.press('Tab')
}

describe.skipIf(CHROMIUM === undefined)('from a file to a saved study and its report', () => {
  const explored = new ExploredPage()
  const study = join(explored.folder, 'tracker.study.yaml')
  beforeAll(async () => {
    cpSync(join(ROOT, 'examples/coffee/tracker.csv'), join(explored.folder, 'tracker.csv'))
    // Its own root of a project: the study is written there.
    writeFileSync(join(explored.folder, 'package.json'), '{}')
    await explored.start('tracker.csv')
  })
  afterAll(() => explored.end())

  it('keeps two scenarios, runs them, and its report has the figures of the page', async () => {
    const page = await explored.open()
    await set(page, 'Percent of loyalty.member Yes', '50')
    await figure(page, /^\+3\.\d+ points/).waitFor()
    const shown = await rowsOf(page, 'Figures')
    await set(page, 'Name', 'half')
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await set(page, 'Percent of loyalty.member Yes', '70')
    await openPanel(page, 'Scenarios side by side')
    await page.getByRole('region', { name: 'Scenarios side by side' }).locator('td', { hasText: '+7.8' }).waitFor()
    await openPanel(page, 'Keep as a study')
    await page.locator('pre', { hasText: 'half-2:' }).waitFor()
    expect(existsSync(study)).toBe(false)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('whatif run tracker.study.yaml').waitFor()
    expect(`${readFileSync(study, 'utf8')}`).toContain('  half:\n    shares: { loyalty.member: { "Yes": 0.5 } }\n')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('The run is complete.').waitFor({ timeout: 60_000 })
    const [report] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Open the report' }).click(),
    ])
    await report.getByRole('heading', { name: 'tracker', level: 1 }).waitFor()
    const manifest = JSON.parse(readFileSync(join(explored.folder, 'out/tracker/manifest.json'), 'utf8'))
    expect(manifest.status).toBe('complete')
    // Rows of one more scenario were made than are answered: the data as they are.
    expect(Object.keys(manifest.scenarios)).toEqual(['as-is', 'half', 'half-2'])
    const text = execFileSync(process.execPath, [BIN, 'report', 'out/tracker/manifest.json'], {
      cwd: explored.folder,
      encoding: 'utf8',
    })
    // A table of the report names the unit in its header.
    for (const [, difference, interval, , from, to] of shown)
      for (const one of [difference!.replace(' points', ''), interval!, from!, to!]) expect(text).toContain(one)
  })

  it('adds to the study that it wrote, and leaves one that somebody changed', async () => {
    const page = await explored.open()
    await set(page, 'Percent of loyalty.member Yes', '60')
    await openPanel(page, 'Keep as a study')
    await page.getByText('These lines are added to').waitFor()
    const changed = `${readFileSync(study, 'utf8')}# mine\n`
    writeFileSync(study, changed)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('has changed since').waitFor()
    expect(readFileSync(study, 'utf8')).toBe(changed)
  })

  it('opens a link of another page on one of its own, by its state alone', async () => {
    const page = await explored.open()
    await set(page, 'Percent of loyalty.member Yes', '50')
    await figure(page, /^\+3\.\d+ points/).waitFor()
    const state = new URL(page.url()).hash.split('&')[1]
    const other = await explored.open({}, `${explored.url}&${state}`)
    await figure(other, /^\+3\.\d+ points/).waitFor()
    expect(await rowsOf(other, 'Figures')).toEqual(await rowsOf(page, 'Figures'))
    const third = await explored.open()
    await third.evaluate(`location.hash = ${JSON.stringify(state)}`)
    await figure(third, /^\+3\.\d+ points/).waitFor()
    expect(new URL(third.url()).hash).toContain('token=')
  })

  it('answers backwards: what it takes, and the lever goes there', async () => {
    const page = await explored.open()
    await page.getByText('Outcomes (').click()
    await page.getByLabel('recommend.0.10', { exact: true }).uncheck()
    await openPanel(page, 'What would it take?')
    await page.getByLabel('Lever', { exact: true }).selectOption({ label: 'loyalty.member Yes' })
    await page.getByText('+5 points at loyalty.member Yes').waitFor()
    await page.getByRole('button', { name: 'Move the lever there' }).click()
    await figure(page, /^\+(?:4\.9|5\.0)\d* points/).waitFor()
  })

  it('goes by touch', async () => {
    const page = await explored.open({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
    const slider = page.getByLabel('Share of loyalty.member Yes', { exact: true })
    await slider.scrollIntoViewIfNeeded()
    const box = (await slider.boundingBox())!
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
    await figure(page, /^\+[34]\.\d+ points/).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  })

  it('goes by the brush of a histogram, and undo takes the whole stroke back', async () => {
    const page = await explored.open()
    const histogram = page.locator('.lever', { hasText: /^age/ }).locator('.histogram')
    await histogram.scrollIntoViewIfNeeded()
    const box = (await histogram.boundingBox())!
    await page.mouse.move(box.x + box.width * 0.25, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.4, box.y + 10, { steps: 3 })
    await page.mouse.move(box.x + box.width * 0.5, box.y + 10, { steps: 3 })
    await page.mouse.up()
    const from = page.getByLabel('From of age, typed', { exact: true })
    const to = page.getByLabel('To of age, typed', { exact: true })
    expect([Number(await from.inputValue()), Number(await to.inputValue())]).toEqual([35, 51])
    await page.getByRole('button', { name: 'Undo' }).click()
    expect([await from.inputValue(), await to.inputValue()]).toEqual(['', ''])
    await from.fill('many')
    await page.keyboard.press('Tab')
    await page.getByText('Not a number: it moves nothing.').waitFor()
  })

  it('says that the command has ended, and answers when it is back', async () => {
    const page = await explored.open()
    await page.route('**/answers', (route) => route.abort())
    await set(page, 'Percent of loyalty.member Yes', '50')
    await page.getByText('whatif explore does not answer').waitFor()
    await page.unroute('**/answers')
    await set(page, 'Percent of loyalty.member Yes', '51')
    await figure(page, /points/).waitFor()
  })
})

describe.skipIf(CHROMIUM === undefined)('hostile and far names', () => {
  const explored = new ExploredPage()
  const EVIL = '<img src=x onerror=globalThis.taken=1>'
  beforeAll(async () => {
    const rows = Array.from({ length: 300 }, (_row, i) =>
      [
        i % 3 === 0 ? EVIL : '"; alert(1)//',
        i % 2 === 0 ? 'نعم' : 'لا',
        i % 5 === 0 ? '是' : '否',
        i % 4 === 0 ? '__proto__' : 'constructor',
        String(18 + (i % 60)),
      ]
        .map((cell) => `"${cell.replaceAll('"', '""')}"`)
        .join(','),
    )
    const header = [EVIL, 'نية الشراء', '购买意向', '__proto__', 'age'].map((name) => `"${name}"`).join(',')
    writeFileSync(join(explored.folder, 'evil.csv'), `${header}\n${rows.join('\n')}\n`)
    writeFileSync(join(explored.folder, 'package.json'), '{}')
    await explored.start('evil.csv')
  })
  afterAll(() => explored.end())

  it('run nothing, are moved like others, and are kept in a study that is valid', async () => {
    const page = await explored.open()
    await page.getByLabel(/^Percent of .* نعم$/).fill('60')
    await page.keyboard.press('Tab')
    await page.getByLabel(/^Percent of .* __proto__$/).fill('40')
    await page.keyboard.press('Tab')
    for (const panel of ['What moved besides?', 'In whom?', 'What would it take?', 'What matters?', 'Keep as a study'])
      await openPanel(page, panel)
    await page.locator('pre', { hasText: '__proto__' }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('whatif run evil.study.yaml').waitFor()
    expect(await page.evaluate('globalThis.taken')).toBeUndefined()
    expect(await page.locator('img').count()).toBe(0)
    await page.context().close()
    expect(readFileSync(join(explored.folder, 'evil.study.yaml'), 'utf8')).toContain('__proto__": 0.4')
  })
})
