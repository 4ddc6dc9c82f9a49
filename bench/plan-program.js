// Plans a study in this process and prints how long each part took, without the loading of modules.
import { readFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { systemClock } from '../dist/base/clock.js'
import { DEFAULT_PLAN_OPTIONS } from '../dist/runner/plan/plan-input.js'
import { renderPlan } from '../dist/runner/plan/render-plan.js'
import { planFromDisk } from '../dist/runner/plan-from-disk.js'
import { loadStudy } from '../dist/study/load/load-study.js'

const { study: path } = JSON.parse(process.argv[2] ?? '{}')

const begun = performance.now()
const { study, diagnostics } = loadStudy(readFileSync(path, 'utf8'), { filename: basename(path) })
if (study === null) throw new Error(`the study is not valid: ${diagnostics[0]?.summary}`)
const loaded = performance.now()
const { plan } = await planFromDisk(
  {
    study,
    diagnostics,
    studyFile: path,
    projectRoot: dirname(path),
    out: null,
    service: { label: 'embedded', kind: 'embedded' },
    options: {
      submit: true,
      ...DEFAULT_PLAN_OPTIONS,
      concurrency: 4,
      deadlineMs: null,
      onFailure: null,
      allowEmpty: false,
      allowOutside: false,
      lockTimeoutMs: 0,
      ifLocked: 'fail',
      exitZeroOn: new Set(),
      datasetIds: new Map(),
      savedPlan: null,
    },
    provenance: { tool: 'bench', node: process.version, git: null, ci: null },
  },
  { fs, clock: systemClock, signal: new AbortController().signal, onEvent: () => {} },
)
const planned = performance.now()
const text = renderPlan(plan, { now: Date.now(), width: 80 })
const rendered = performance.now()
process.stdout.write(
  JSON.stringify({
    scenarios: plan.scenarios.length,
    textLength: text.length,
    loadSeconds: (loaded - begun) / 1000,
    planSeconds: (planned - loaded) / 1000,
    renderSeconds: (rendered - planned) / 1000,
    totalSeconds: (rendered - begun) / 1000,
  }),
)
