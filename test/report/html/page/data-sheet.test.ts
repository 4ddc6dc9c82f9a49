import { describe, expect, it } from 'vitest'
import { type DataSheet, dataSheet, SHEET_MARK } from '../../../../src/report/html/page/data-sheet.ts'
import { rowsOf, tipsOf } from '../matrix-manifest.ts'

const SHEET: DataSheet = {
  title: 'panel.csv',
  datasetId: 'ds_1',
  columns: [
    {
      name: 'intent',
      column: {
        kind: 'categorical',
        label: 'Would you buy it?',
        ordered: true,
        levels: [{ level: 'No', share: 0.25 }, { level: 'Yes', share: 0.7 }, { level: 'Rare' }],
      },
      missing: 0.05,
      range: null,
    },
    {
      name: 'age',
      column: { kind: 'numeric', quantiles: { q05: 20, q25: 31, q50: 44, q75: 58, q95: 71 } },
      missing: 0,
      range: '18 to 84',
    },
    {
      name: 'visit',
      column: {
        kind: 'date',
        quantiles: { q05: '2026-10-02', q25: '2026-10-08', q50: '2026-10-15', q75: '2026-10-22', q95: '2026-10-30' },
      },
      missing: null,
      range: '2026-10-01 to 2026-10-31',
    },
    { name: 'other', column: null, missing: null, range: null },
  ],
  cleaning: {
    input_rows: 6000,
    input_columns: 5,
    clean_rows: 5990,
    clean_columns: 4,
    lines: [
      ['dropped', 'id: identifier'],
      ['note', '<script>alert(1)</script>'],
    ],
  },
  quality: { column_shapes: { mean: 0.95, reference: 0.97, worst: [] } },
  qualityNote: null,
  tool: '1.0.0',
}

describe('a data sheet', () => {
  it('draws the natural shares and quantiles of each column, with the same figures in its table', () => {
    const page = dataSheet(SHEET)
    expect(page.startsWith(SHEET_MARK)).toBe(true)
    expect(tipsOf(page)).toEqual([
      'No: 25.0 %',
      'Yes: 70.0 %',
      'age: median 44, quartiles 31 and 58, 5 % and 95 % quantiles 20 and 71',
      'visit: median 2026-10-15, quartiles 2026-10-08 and 2026-10-22, 5 % and 95 % quantiles 2026-10-02 and 2026-10-30',
      'Shapes of columns: 0.950, other real rows 0.970',
    ])
    expect(rowsOf(page).slice(1, 5)).toEqual([
      ['intent', 'Would you buy it?', '5.0 %', 'No 25.0 % &lt; Yes 70.0 % &lt; Rare'],
      ['age', '', '0.0 %', '20, 31, 44, 58, 71; range 18 to 84'],
      ['visit', '', '–', '2026-10-02, 2026-10-08, 2026-10-15, 2026-10-22, 2026-10-30; range 2026-10-01 to 2026-10-31'],
      ['other', '', '–', ''],
    ])
  })

  it('lists the changes of cleaning, and escapes texts of the file', () => {
    const page = dataSheet(SHEET)
    expect(page).toContain('The file has 6,000 rows and 5 columns; 5,990 rows and 4 columns are modelled.')
    expect(page).toContain('<dt>dropped</dt><dd><span dir="auto">id: identifier</span></dd>')
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page.match(/<script/g)).toHaveLength(1)
    expect(page).not.toMatch(/ style=| on\w+="/)
  })

  it('says which figures the service does not report', () => {
    const columns = [{ name: 'a', column: null, missing: null, range: null }]
    const page = dataSheet({ ...SHEET, columns, cleaning: null, quality: null, qualityNote: 'Too few rows.' })
    expect(page).toContain('reports neither shares of levels nor quantiles')
    expect(page).toContain('does not report what cleaning did')
    expect(page).toContain('Too few rows.')
    expect(page).not.toContain('<svg')
  })
})
