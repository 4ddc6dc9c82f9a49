// How near the rows are to real ones, scored by the tool that scored the peers.
import { join } from 'node:path'
import { runProgram } from './child-process.js'
import { sharedFile } from './places.js'
import { prose, table } from './report-text.js'
import { PYTHON } from './split-rows.js'

/**
 * @param {{ peers: [string, any][], ours: { name: string, out: string }[], script: string, split: string, real: string, scenarioNames: string[] }} options
 *   `out`: folder with `all.csv` and one file per scenario.
 * @returns {Promise<string[]>}
 */
export async function fidelityLines({ peers, ours, script, split, real, scenarioNames }) {
  const scored = await Promise.all(
    ours.map(async ({ name, out }) => {
      const score = await python([
        script,
        'score',
        '--split',
        split,
        '--synthetic',
        join(out, 'all.csv'),
        '--target',
        'income',
      ])
      return { name, score }
    }),
  )
  const rows = [
    ...scored.map(({ name, score }) => scoreRow(name, score)),
    ...peers.map(([name, { score }]) => scoreRow(name, score)),
  ]
  const any = scored[0]?.score
  const reference = [
    'held-out real rows',
    '',
    any.triples.reference_train_vs_holdout.toFixed(3),
    '0.500',
    '1.000',
    any.privacy.exact_copy_reference_holdout.toFixed(4),
    '0.500',
  ]
  return [
    ...prose(
      'Fidelity, by ../shared/bench/engine_bench.py: quality (1 is best), 3-way total variation, AUC of a classifier telling synthetic from real (0.5), train on synthetic over train on real (1), exact copies of training rows, share nearer to a training row than to a held-out one (0.5).',
    ),
    ...table(['', 'quality', '3-way', 'C2ST', 'TSTR', 'copies', 'DCR'], [...rows, reference]),
    '',
    ...(await conditionalLines({ peers, ours, script, real, scenarioNames })),
  ]
}

/**
 * @param {string} name
 * @param {any} score
 */
function scoreRow(name, score) {
  return [
    name,
    score.vs_train.quality.toFixed(3),
    score.triples.mean_tvd.toFixed(3),
    score.c2st.auc.toFixed(3),
    score.tstr.ratio.toFixed(3),
    score.privacy.exact_copy_share.toFixed(4),
    score.privacy.dcr_share_nearer_train.toFixed(3),
  ]
}

/**
 * @param {{ peers: [string, any][], ours: { name: string, out: string }[], script: string, real: string, scenarioNames: string[] }} options
 */
async function conditionalLines({ peers, ours, script, real, scenarioNames }) {
  const file = sharedFile('bench/scenarios/adult.json')
  if (file === null || scenarioNames.length === 0) return []
  const scored = await Promise.all(
    ours.map(async ({ name, out }) => {
      /** @type {any[]} */
      const scores = []
      for (const scenario of scenarioNames) {
        const synthetic = join(out, `${scenario}.csv`)
        scores.push(
          await python([
            script,
            'scenario',
            '--real',
            real,
            '--synthetic',
            synthetic,
            '--scenario',
            file,
            '--name',
            scenario,
          ]),
        )
      }
      return { name, scores }
    }),
  )
  const rows = [
    ...scored.map(({ name, scores }) => [name, ...scores.map(conditionalText)]),
    ...peers
      .filter(([, { scenarios }]) => scenarioNames.every((name) => scenarios?.[name]?.conditional))
      .map(([name, { scenarios }]) => [name, ...scenarioNames.map((scenario) => conditionalText(scenarios[scenario]))]),
  ]
  return [
    ...prose(
      'Scenario rows: similarity of the unconditioned columns to real rows raked to the same scenario (1 is best), and share of repeated rows.',
    ),
    ...table(['', ...scenarioNames], rows),
  ]
}

/** @param {any} score */
function conditionalText(score) {
  return `${score.conditional.shape.toFixed(3)}  ${(100 * score.duplicate_row_share).toFixed(1).padStart(4)}%`
}

/**
 * @param {readonly string[]} args
 * @returns {Promise<any>}
 */
async function python(args) {
  return JSON.parse((await runProgram(PYTHON, args)).stdout)
}
