// The 70/30 split that the peers were measured on, or one of the same size where its tool does not run.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from './child-process.js'
import { missingPython, PYTHON } from './python.js'

/** Rows of Adult that the peers were fitted on. */
const TRAINING_ROWS = 22_793

/**
 * The tool that made the peers' figures, or the reason why it cannot be used.
 *
 * @param {string | null} script
 * @returns {Promise<{ script: string } | { reason: string }>}
 */
export async function scoringTool(script) {
  if (script === null) return { reason: '../shared/bench/engine_bench.py is not there' }
  const reason = await missingPython(['pandas', 'scipy', 'sklearn'])
  return reason === null ? { script } : { reason }
}

/**
 * Writes `train.csv` into `folder`, with the tool `holdout.csv` and `schema.json` too.
 *
 * @param {string} real
 * @param {string} folder
 * @param {string | null} script
 * @returns {Promise<string>} The training file.
 */
export async function splitRows(real, folder, script) {
  await mkdir(folder, { recursive: true })
  const train = join(folder, 'train.csv')
  if (script !== null) {
    await runProgram(PYTHON, [script, 'split', '--real', real, '--out', folder])
    return train
  }
  // Adult has no quoted line ends: a line is a row.
  const [head, ...rows] = (await readFile(real, 'utf8')).trimEnd().split('\n')
  shuffle(rows)
  await writeFile(train, `${[head, ...rows.slice(0, TRAINING_ROWS)].join('\n')}\n`)
  return train
}

/**
 * Fisher and Yates, with a fixed linear congruential generator (Numerical Recipes).
 *
 * @param {string[]} rows
 */
function shuffle(rows) {
  let state = 20_260_101
  for (let last = rows.length - 1; last > 0; last--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const other = Math.floor((state / 2 ** 32) * (last + 1))
    const row = /** @type {string} */ (rows[last])
    rows[last] = /** @type {string} */ (rows[other])
    rows[other] = row
  }
}
