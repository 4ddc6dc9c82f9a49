// Studies drawn at random, carried out by the real commands: whether plan, terminal, report and manifest show the same figures, and
// whether these are a reweighting that knows nothing of the engine.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { report } from '../../../dist/index.js'
import { runProgram } from '../../child-process.js'
import { LAUNCHER } from '../../places.js'
import { Draws } from '../draws.js'
import { drawStudy, raked } from './random-study.js'
import { shownInPage, shownInPlan, shownInReport, shownInTerminal } from './shown-answers.js'

const STREAM = 6_000
/** Studies of one file: the service starts once for them. */
const STUDIES_OF_FILE = 20
const COMMAND_MS = 600_000
/** A manifest rounds shares to six places, and means to twelve figures. */
const ROUNDED = 2e-6

/**
 * @typedef {object} RandomStudies
 * @property {number} studies
 * @property {number} scenarios
 * @property {number} answers
 * @property {number} raked Answers that differ from the independent reweighting.
 * @property {Readonly<Record<'terminal' | 'report' | 'page', { shown: number, other: number }>>} places Answers that are also shown
 *   there, and those of them that read otherwise than in the plan.
 * @property {number} apart Root mean square of the rows' differences from the answers, in standard errors.
 */

/**
 * @param {{ repetitions: number, seed: number }} options
 * @returns {Promise<RandomStudies>}
 */
export async function randomStudies({ repetitions, seed }) {
  const places = { terminal: { shown: 0, other: 0 }, report: { shown: 0, other: 0 }, page: { shown: 0, other: 0 } }
  const told = { studies: repetitions, scenarios: 0, answers: 0, raked: 0, places, apart: 0 }
  let squares = 0
  let compared = 0
  for (let from = 0; from < repetitions; from += STUDIES_OF_FILE) {
    const studies = Array.from({ length: Math.min(STUDIES_OF_FILE, repetitions - from) }, (_, i) =>
      drawStudy(new Draws(seed, STREAM + from + i), from + i),
    )
    const { manifest, plan, terminal } = await carriedOut(studies)
    const planned = shownInPlan(plan)
    const elsewhere = {
      terminal: shownInTerminal(terminal),
      report: shownInReport(report(manifest, 'markdown')),
      page: shownInPage(report(manifest, 'html')),
    }
    for (const [place, shown] of Object.entries(elsewhere)) {
      const count = places[/** @type {keyof typeof places} */ (place)]
      for (const [answer, words] of shown) {
        count.shown++
        if (planned.get(answer) !== words) count.other++
      }
    }
    for (const study of studies) {
      const compares = manifest.comparisons[`told-${study.id}`]
      for (const [id, scenario] of Object.entries(study.scenarios)) {
        const record = compares?.scenarios[id]
        const figures = [
          ...Object.entries(record?.shares ?? {}).flatMap(([column, levels]) =>
            Object.entries(levels).map(([level, of]) => ({ column, level, of })),
          ),
          ...Object.entries(record?.means ?? {}).map(([column, of]) => ({ column, level: null, of })),
        ]
        if (figures.length === 0) throw new Error(`the manifest compares nothing in ${id}`)
        told.scenarios++
        for (const { column, level, of } of figures) {
          if (of.answer === undefined) continue
          told.answers++
          const own = raked(study, scenario, column, level)
          const most = ROUNDED * Math.max(1, Math.abs(own.against))
          const isNear = (/** @type {'scenario' | 'against' | 'difference'} */ side) =>
            Math.abs((of.answer?.[side] ?? Number.NaN) - own[side]) <= most
          if (!(isNear('scenario') && isNear('against') && isNear('difference'))) told.raked++
          if (of.standard_error && typeof of.delta === 'number') {
            squares += ((of.delta - of.answer.difference) / of.standard_error) ** 2
            compared++
          }
        }
      }
    }
  }
  return { ...told, apart: Math.sqrt(squares / compared) }
}

/** @param {readonly import('./random-study.js').RandomStudy[]} studies */
async function carriedOut(studies) {
  const folder = await mkdtemp(join(tmpdir(), 'whatif-truth-'))
  try {
    await writeFile(join(folder, 'package.json'), '{}')
    for (const { id, text } of studies) await writeFile(join(folder, `${id}.csv`), text)
    await writeFile(join(folder, 'random.study.yaml'), studyText(studies))
    const run = await command(folder, 'run', 'random.study.yaml')
    const plan = await command(folder, 'plan', 'random.study.yaml', '--estimates')
    /** @type {import('../../../dist/records/manifest/manifest.js').Manifest} */
    const manifest = JSON.parse(await readFile(join(folder, 'out', 'random', 'manifest.json'), 'utf8'))
    return { manifest, plan: plan.stdout, terminal: run.stderr }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * @param {string} folder
 * @param {readonly string[]} args
 */
const command = (folder, ...args) =>
  runProgram(process.execPath, [LAUNCHER, ...args], { cwd: folder, timeoutMs: COMMAND_MS })

/** @param {readonly import('./random-study.js').RandomStudy[]} studies */
function studyText(studies) {
  const entries = (/** @type {(study: import('./random-study.js').RandomStudy) => [string, unknown][]} */ of) =>
    JSON.stringify(Object.fromEntries(studies.flatMap(of)))
  return `version: 1
name: random
datasets: ${entries(({ id, weight }) => [[id, { file: `${id}.csv`, ...(weight && { weight: 'w' }) }]])}
defaults: { rows: 2000, seed: 1 }
scenarios: ${entries(({ id, scenarios }) => [
    [`all-${id}`, { dataset: id }],
    ...Object.entries(scenarios).map(
      ([scenario, { shares, ranges }]) =>
        /** @type {[string, unknown]} */ ([scenario, { dataset: id, shares, ranges }]),
    ),
  ])}
comparisons: ${JSON.stringify(
    studies.map(({ id, scenarios, categorical, numeric }) => ({
      id: `told-${id}`,
      scenarios: Object.keys(scenarios),
      against: `all-${id}`,
      shares: categorical,
      means: numeric,
    })),
  )}
`
}
