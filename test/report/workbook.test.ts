import { type CellValue, readXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { parseManifest } from '../../src/answers/manifest/parse-manifest.ts'
import { wordsOf } from '../../src/base/language/catalogues.ts'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import { lettersOf } from '../../src/report/workbook/letters.ts'
import { columnLetters, sheetName } from '../../src/report/workbook/sheet.ts'
import { reportWorkbook } from '../../src/report/workbook/workbook.ts'
import { compared, liftManifest, mean, share } from './example-answers.ts'

const write = (manifest: Manifest) => reportWorkbook(parseManifest(JSON.stringify(manifest)))

async function sheetsOf(manifest: Manifest) {
  const { sheets } = await readXlsx(await write(manifest), { readStyles: true })
  return new Map(sheets.map((sheet) => [sheet.name, sheet]))
}

const rowOf = (rows: CellValue[][], first: string, at = 1): CellValue[] => rows.find((row) => row[at] === first)!

const LIFT = liftManifest(
  {
    half: compared(
      {
        intent: {
          Yes: share(0.348, 0.45, 0.01, { beyond_chance: true }),
          No: share(0.34, 0.28, 0.01, { beyond_chance: true }),
          Unsure: share(0.312, 0.3, 0.01, { beyond_chance: false }),
        },
      },
      { spend: mean(16.1, 19.27, 0.4, { beyond_chance: true }) },
    ),
    most: compared({
      intent: {
        Yes: share(0.348, 0.36, 0.01, { beyond_chance: false }),
        No: share(0.34, 0.3, 0.01, { beyond_chance: true }),
        Unsure: share(0.312, 0.34, 0.01, { beyond_chance: true, asked_for: true }),
      },
    }),
  },
  {},
)

describe('a workbook', () => {
  it('has a banner table: figures in full, the digits that they show, and the letters of lower columns', async () => {
    const { rows, cells } = (await sheetsOf(LIFT)).get('1 lift')!
    expect(rows[4]!.filter((cell) => cell !== null)).toEqual(['Question', 'Answer', 'base', 'half', 'most'])
    expect(rows[5]!.filter((cell) => cell !== null)).toEqual(['(A)', '(B)', '(C)'])
    // By hand: Yes of half is higher than base; No of base than half and than most; the rest is chance, or asked for.
    expect(rowOf(rows, 'Yes')).toEqual([null, 'Yes', 0.348, '', 0.45, 'A', 0.36, ''])
    expect(rowOf(rows, 'No')).toEqual([null, 'No', 0.34, 'B C', 0.28, '', 0.3, ''])
    expect(rowOf(rows, 'Unsure')).toEqual([null, 'Unsure', 0.312, '', 0.3, '', 0.34, ''])
    expect(rowOf(rows, 'mean').slice(0, 6)).toEqual([null, 'mean', 16.1, '', 19.27, 'A'])
    const yes = rows.findIndex((row) => row[1] === 'Yes')
    expect(cells!.get(`${yes},2`)!.style!.numFmt).toBe('0.0%')
  })

  it('has letters of two scenarios where a comparison holds them side by side', () => {
    const columns = ['base', 'half', 'most'].map((scenario, i) => ({
      scenario,
      segment: null,
      letter: columnLetters(i),
    }))
    const answer = { column: 'intent', level: 'Yes', quantile: null, segment: null, beyond: true }
    const letters = lettersOf(columns, [
      { ...answer, against: 'base', scenario: 'half', difference: 0.1 },
      { ...answer, against: 'base', scenario: 'most', difference: 0.2 },
      { ...answer, against: 'half', scenario: 'most', difference: 0.1 },
      { ...answer, against: 'elsewhere', scenario: 'most', difference: 0.3 },
    ] as never)
    expect(columns.map((column) => letters(answer, column))).toEqual(['', 'A', 'A B'])
  })

  it('lists all differences with their intervals in points', async () => {
    const { rows } = (await sheetsOf(LIFT)).get('Differences')!
    const yes = rows.find((row) => row[1] === 'half' && row[3] === 'Yes')!
    expect(yes.slice(4, 6)).toEqual([0.348, 0.45])
    expect(yes[6]).toBeCloseTo(10.2, 9)
    expect(yes[7]).toBeCloseTo(10.2 - 1.96, 9)
    expect(yes.slice(9)).toEqual(['points', null, 'yes', ''])
  })

  it('has columns for segments, and letters inside each alone', async () => {
    const half = compared({ intent: { Yes: share(0.3, 0.4, 0.01, { beyond_chance: true }) } })
    const segment = (level: string, beyond: boolean) => ({
      level,
      rows: { against: 100, scenario: 100 },
      shares: { intent: { Yes: share(0.2, 0.25, 0.01, { beyond_chance: beyond }) } },
      means: {},
    })
    const manifest = liftManifest(
      { half: { ...half, segments: [segment('North', true), segment('South', false)] } },
      { by: 'region' },
    )
    const { rows } = (await sheetsOf(manifest)).get('1 lift')!
    expect(rows[3]!.filter((cell) => cell !== null)).toEqual(['All', 'region: North', 'region: South'])
    expect(rows[5]!.filter((cell) => cell !== null)).toEqual(['(A)', '(B)', '(C)', '(D)', '(E)', '(F)'])
    const letters = rowOf(rows, 'Yes').filter((_, i) => i > 2 && i % 2 === 1)
    expect(letters).toEqual(['', 'A', '', 'C', '', ''])
  })

  it('holds no formula, whatever names begin with, and shows what would move or hide text', async () => {
    const names = ['=HYPERLINK("http://evil.example")', '+1', '-1', '@SUM(A1)', '＝1', '\u202Egnp', 'a\u0000b', '\t=1']
    const levels = Object.fromEntries(names.map((name) => [name, share(0.1, 0.2, 0.01)]))
    const sheets = await sheetsOf(liftManifest({ half: compared({ '=1+1': levels }) }))
    const cells = [...sheets.values()].flatMap((sheet) => [...(sheet.cells?.values() ?? [])])
    expect(cells.some(({ type, formula }) => type === 'formula' || formula !== undefined)).toBe(false)
    const shown = sheets.get('1 lift')!.rows.flat()
    expect(shown).toContain('=HYPERLINK("http://evil.example")')
    expect(shown).toContain('\\u{202e}gnp')
    expect(shown).toContain('a\\x00b')
  })

  it('has the same bytes for the same manifest, and sheets by name in its contents', async () => {
    expect(await write(LIFT)).toEqual(await write(LIFT))
    const sheets = await sheetsOf(LIFT)
    expect([...sheets.keys()]).toEqual(['Contents', '1 lift', 'Differences', 'Targets', 'Provenance'])
    const { rows, cells } = sheets.get('Contents')!
    const at = rows.findIndex((row) => row[0] === '1 lift')
    expect(cells!.get(`${at},0`)!.hyperlink!.location).toBe("'1 lift'!A1")
  })

  it('gives a head the width of its longest word, and the height of its lines, wide letters too', async () => {
    const { sheets } = await readXlsx(await reportWorkbook(parseManifest(JSON.stringify(LIFT)), await wordsOf('de')), {
      readStyles: true,
    })
    const differences = sheets.find(({ name }) => name === 'Differenzen')!
    const at = differences.rows[0]!.indexOf('Überzufällig')
    expect(differences.columns![at]!.width).toBeGreaterThanOrEqual('Überzufällig'.length + 1)
    const wide = '北'.repeat(20)
    const banner = (await sheetsOf(liftManifest({ [wide]: compared({ intent: { Yes: share(0.3, 0.4, 0.01) } }) }))).get(
      '1 lift',
    )!
    // 40 columns of letters in a head of 18.
    expect(banner.rowDefs!.get(4)!.height).toBe(45)
  })

  it('cuts no letters and no names, and prints a wide banner on pages that can be read, each with the answers', async () => {
    const names = Array.from({ length: 60 }, (_, i) => `a-scenario-with-a-rather-long-name-${i}`)
    const scenarios = names.map((name) => [
      name,
      compared({ intent: { Yes: share(0.348, 0.25, 0.01, { beyond_chance: true }) } }),
    ])
    const sheets = await sheetsOf(liftManifest(Object.fromEntries(scenarios)))
    const banner = sheets.get('1 lift')!
    const at = banner.rows.findIndex((row) => row[1] === 'Yes')
    const letters = banner.rows[at]![3] as string
    expect(letters.split(' ')).toHaveLength(60)
    const width = banner.columns![3]!.width!
    expect(banner.rowDefs!.get(at)!.height! / 15).toBeGreaterThanOrEqual(letters.length / width)
    const { fitToWidth, printTitlesColumn } = banner.pageSetup!
    const all = banner.columns!.reduce((sum, column) => sum + (column.width ?? 0), 0)
    expect(all / fitToWidth!).toBeLessThan(220)
    expect(printTitlesColumn).toBe('$A:$B')
    const differences = sheets.get('Differences')!
    const column = differences.rows[0]!.indexOf('Scenario')
    expect(differences.columns![column]!.width).toBeGreaterThan(names[0]!.length)
    expect(differences.pageSetup!.fitToWidth).toBe(1)
  })

  it('names sheets as spreadsheets allow, each differently', () => {
    const taken = new Set(['LIFT'])
    expect(sheetName('lift', taken)).toBe('lift 2')
    expect(sheetName("a[b]:c*?d/e\\f'", taken)).toBe('a_b__c__d_e_f_')
    expect(sheetName('x'.repeat(40), new Set(['x'.repeat(31)]))).toBe(`${'x'.repeat(29)} 2`)
  })
})
