/** Asks R's package survey for the figures of cases, where it and MASS are installed. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { SurveyCase, SurveySide } from './survey-cases.ts'
import type { SurveyRow } from './survey-people.ts'

export interface SurveyFigures {
  readonly scenario: number
  readonly baseline: number
  readonly standardError: number
}

const SCRIPT = new URL('survey-figures.R', import.meta.url).pathname

/** `calibrate` of survey uses MASS, which Debian's package only recommends. */
export const isSurveyInstalled = (): boolean =>
  spawnSync('Rscript', ['-e', 'library(survey); loadNamespace("MASS")']).status === 0

/** @returns By name of the case. */
export function surveyFigures(
  cases: readonly SurveyCase[],
  tables: Readonly<Record<string, readonly SurveyRow[]>>,
): Map<string, SurveyFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'whatif-survey-'))
  try {
    for (const [name, rows] of Object.entries(tables)) writeCsv(join(folder, `${name}.csv`), rows)
    writeCsv(join(folder, 'cases.csv'), cases.map(caseRow))
    writeCsv(
      join(folder, 'sides.csv'),
      cases.flatMap(({ name, scenario, baseline }) => [
        ...sideRows(name, 'scenario', scenario),
        ...sideRows(name, 'baseline', baseline),
      ]),
    )
    const { status, stdout, stderr } = spawnSync('Rscript', [SCRIPT, folder], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`Rscript: ${stderr}`)
    const found: Record<string, string>[] = parse(stdout, { columns: true })
    return new Map(
      found.map(({ case: name, scenario, baseline, standard_error }) => [
        name!,
        { scenario: Number(scenario), baseline: Number(baseline), standardError: Number(standard_error) },
      ]),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function caseRow(of: SurveyCase): SurveyRow {
  const { name, table, outcome, level, weight = null, stratum = null, cluster = null, every = null, method } = of
  const [segment, segmentLevel] = of.segment ?? [null, null]
  const rscales = of.rscales?.join(' ') ?? null
  return {
    ...{ name, table, outcome, level, weight, stratum, cluster, every, method, segment },
    ...{ segment_level: segmentLevel, rscales, rho: of.rho ?? null, quantile: of.quantile ?? null },
  }
}

function sideRows(
  name: string,
  side: string,
  { shares = {}, ranges = {}, means = {}, cells = {} }: SurveySide,
): SurveyRow[] {
  return [
    ...Object.entries({ ...shares, ...cells }).flatMap(([column, listed]) =>
      Object.entries(listed).map(([level, share]) => ({
        case: name,
        side,
        column,
        level,
        share,
        min: null,
        max: null,
        mean: null,
      })),
    ),
    ...Object.entries(ranges).map(([column, [min, max]]) => ({
      ...{ case: name, side, column, level: null, share: null, min, max, mean: null },
    })),
    ...Object.entries(means).map(([column, mean]) => ({
      ...{ case: name, side, column, level: null, share: null, min: null, max: null, mean },
    })),
  ]
}

function writeCsv(path: string, rows: readonly SurveyRow[]): void {
  const columns = Object.keys(rows[0] ?? {})
  const quoted = (value: string | number | null | undefined): string =>
    value === null || value === undefined ? '' : `"${String(value).replaceAll('"', '""')}"`
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? null))]
  writeFileSync(path, `${lines.map((line) => line.map(quoted).join(',')).join('\n')}\n`)
}
