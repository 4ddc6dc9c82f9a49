import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { parseManifest } from '../../src/answers/manifest/parse-manifest.ts'
import { reportWorkbook } from '../../src/report/workbook/workbook.ts'
import { compared, liftManifest, share } from './example-answers.ts'

const SCENARIOS = 60
const OUTCOMES = 20

const hasOffice = spawnSync('soffice', ['--version']).status === 0

/** The sheet with this number as LibreOffice reads it. */
function asCsv(folder: string, sheet: number): string[][] {
  const form = `csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,${sheet}`
  const office = `-env:UserInstallation=file://${join(folder, 'profile')}`
  execFileSync('soffice', [office, '--headless', '--convert-to', form, '--outdir', folder, join(folder, 'tables.xlsx')])
  return parse(readFileSync(join(folder, 'tables-1 lift.csv')), { relax_column_count: true })
}

it.skipIf(!hasOffice)(
  'a workbook of 60 scenarios and 20 outcomes opens in LibreOffice, with the same figures',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'whatif-workbook-'))
    try {
      const shares = (at: number) =>
        Object.fromEntries(
          Array.from({ length: OUTCOMES }, (_, i) => [`q${i}`, { Yes: share(0.3, 0.3 + at / 1000, 0.01) }]),
        )
      const scenarios = Array.from({ length: SCENARIOS }, (_, at) => [`s${at}`, compared(shares(at))] as const)
      const read = parseManifest(JSON.stringify(liftManifest(Object.fromEntries(scenarios))))
      writeFileSync(join(folder, 'tables.xlsx'), await reportWorkbook(read))
      const rows = asCsv(folder, 2)
      const figures = rows.filter((row) => row[1] === 'Yes')
      expect(figures).toHaveLength(OUTCOMES)
      for (const row of figures)
        expect(row.filter((_, i) => i >= 2 && i % 2 === 0)).toEqual([
          '30.0%',
          ...scenarios.map((_, at) => `${(30 + at / 10).toFixed(1)}%`),
        ])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
