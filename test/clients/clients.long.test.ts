import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const PYTHON = '/usr/bin/python3'

const hasPandas = spawnSync(PYTHON, ['-c', 'import pandas']).status === 0
const hasR = spawnSync('Rscript', ['-e', 'stopifnot(requireNamespace("jsonlite", quietly = TRUE))']).status === 0

let folder = ''
const env = () => ({
  ...process.env,
  WHATIF_COMMAND: join(ROOT, 'bin/whatif.js'),
  PYTHONPATH: join(ROOT, 'clients/python'),
  PYTHONDONTWRITEBYTECODE: '1',
  R_LIBS: folder,
})

function python(program: string): unknown {
  const text = execFileSync(PYTHON, ['-c', `import json, whatif_studies as w\n${program}`], {
    cwd: folder,
    env: env(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return JSON.parse(text)
}

function r(program: string): unknown {
  const text = execFileSync('Rscript', ['-e', `library(whatifstudies); ${program}`], {
    cwd: folder,
    env: env(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return JSON.parse(text)
}

interface Manifest {
  comparisons: { lift: { scenarios: { half: { shares: Record<string, Record<string, Figures>> } } } }
  scenarios: Record<string, { artifact: { path: string }; standard_error_factor: number }>
  datasets: { tracker: { columns: Record<string, { levels: { level: string }[] }> } }
}
interface Figures {
  answer: { difference: number }
  interval: [number, number]
}

const manifestPath = () => join(folder, 'out/clients/manifest.json')
const manifest = (): Manifest => JSON.parse(readFileSync(manifestPath(), 'utf8'))

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'whatif-clients-'))
  writeFileSync(join(folder, 'package.json'), '{}')
  cpSync(join(ROOT, 'examples/coffee/tracker.csv'), join(folder, 'tracker.csv'))
  writeFileSync(
    join(folder, 'clients.study.yaml'),
    `version: 1
name: clients
datasets: { tracker: { file: tracker.csv } }
defaults: { rows: 600, seed: 1, format: csv }
scenarios:
  as-is: {}
  half: { shares: { loyalty.member: { "Yes": 0.5 } } }
baseline: as-is
comparisons:
  - { id: lift, scenarios: [half], shares: [purchase.intent], means: [spend.last.month], by: region }
`,
  )
  if (hasR)
    execFileSync('R', ['CMD', 'INSTALL', `--library=${folder}`, join(ROOT, 'clients/r')], {
      cwd: folder,
      stdio: 'ignore',
    })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const CLIENTS = [
  {
    name: 'Python',
    skip: !hasPandas,
    answers: () =>
      python(`a = w.run("clients.study.yaml").answers()
y = a[(a.level == "Yes") & a.segment.isna()].iloc[0]
print(json.dumps([len(a), y.difference, y.low, y.high]))`),
    rows: () =>
      python(`r = w.read_manifest("out/clients").rows("half")
c = r["region"]
print(json.dumps([len(r), list(c.cat.categories), int((r["loyalty.member"] == "Yes").sum()), r.attrs["standard_error_factor"]]))`),
    refused: () =>
      python(`try:
  w.run("none.study.yaml")
except w.WhatifError as e:
  print(json.dumps([e.exit_code, "none.study.yaml" in str(e)]))`),
    outside: () =>
      python(`try:
  w.read_manifest("out/clients/moved.json").rows("half")
except ValueError as e:
  print(json.dumps(str(e)))`),
    pooled: () =>
      python(`a = w.pool([1, 2], [.1, .2], [1.5, 1.5])
b = w.pool([1, 2, 4], [.1, .2, .1], rule="rubin")
print(json.dumps([*a, *b, w.corrected_error(0.1, 1.5)]))`),
  },
  {
    name: 'R',
    skip: !hasR,
    answers: () =>
      r(`a <- whatif_answers(whatif_run("clients.study.yaml")); y <- a[a$level %in% "Yes" & is.na(a$segment), ]
cat(jsonlite::toJSON(c(nrow(a), y$difference, y$low, y$high), digits = NA))`),
    rows: () =>
      r(`d <- whatif_rows(whatif_manifest("out/clients"), "half")
cat(jsonlite::toJSON(list(nrow(d), levels(d$region), sum(d$loyalty.member == "Yes"), attr(d, "standard_error_factor")), auto_unbox = TRUE, digits = NA))`),
    refused: () =>
      r(`tryCatch(whatif_run("none.study.yaml"), whatif_failure = function(e)
cat(jsonlite::toJSON(list(e$exit_code, grepl("none.study.yaml", conditionMessage(e))), auto_unbox = TRUE)))`),
    outside: () =>
      r(`tryCatch(whatif_rows(whatif_manifest("out/clients/moved.json"), "half"), error = function(e)
cat(jsonlite::toJSON(conditionMessage(e), auto_unbox = TRUE)))`),
    pooled: () =>
      r(
        `cat(jsonlite::toJSON(unname(c(whatif_pool(c(1, 2), c(.1, .2), c(1.5, 1.5)), whatif_pool(c(1, 2, 4), c(.1, .2, .1), rule = "rubin"), whatif_error(.1, 1.5))), digits = NA))`,
      ),
  },
]

describe.each(CLIENTS)('the client of $name', ({ skip, answers, rows, refused, outside, pooled }) => {
  it.skipIf(skip)('runs a study, and has the answers of its manifest', { timeout: 120_000 }, () => {
    const found = answers() as number[]
    const { answer, interval } = manifest().comparisons.lift.scenarios.half.shares['purchase.intent']!.Yes!
    // Four differences among all rows, and in each of five regions.
    expect(found[0]).toBe(24)
    expect(found.slice(1)).toEqual([answer.difference, ...interval])
  })

  it.skipIf(skip)('reads the rows with levels in order, and the factor of their errors', () => {
    const { datasets, scenarios } = manifest()
    const regions = datasets.tracker.columns.region!.levels.map(({ level }) => level)
    expect(rows()).toEqual([600, regions, 300, scenarios.half!.standard_error_factor])
  })

  it.skipIf(skip)('says how the command ended', () => {
    expect(refused()).toEqual([2, true])
  })

  it.skipIf(skip)('reads no file outside the folder of a manifest', () => {
    const moved = manifest()
    moved.scenarios.half!.artifact.path = '../../tracker.csv'
    writeFileSync(join(folder, 'out/clients/moved.json'), JSON.stringify(moved))
    expect(outside()).toBe('the result of half lies outside the folder of the manifest')
  })

  it.skipIf(skip)('pools tables', () => {
    // By hand: v = 0.025, N / n_eff = 1.25, so v (1.25 + 1 / 2); and (4 / 3) 7 / 3 - 0.02.
    const [first, raab, second, rubin, corrected] = pooled() as number[]
    expect([first, second]).toEqual([1.5, expect.closeTo(7 / 3, 12)])
    expect(raab).toBeCloseTo(Math.sqrt(0.025 * 1.75), 12)
    expect(rubin).toBeCloseTo(Math.sqrt((4 / 3) * (7 / 3) - 0.02), 12)
    expect(corrected).toBeCloseTo(0.15, 12)
  })
})
