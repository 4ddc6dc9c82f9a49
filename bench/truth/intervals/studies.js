// Samples as studies: seed files that the real runner sends to the embedded service, and what their manifests and reports tell.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { report, runStudyFile } from '../../../dist/index.js'
import { columnsOf } from './drawn-seed.js'

/**
 * @typedef {import('./told-differences.js').Told} Told
 * @typedef {object} StudyLaw
 * @property {readonly import('./levers.js').Lever[]} levers
 * @property {readonly import('./levers.js').Outcome[]} outcomes
 * @property {Readonly<Record<string, import('./true-means.js').Mix>>} scenarios By id; all are compared with one without conditions.
 * @property {readonly Pick<import('./levers.js').Outcome, 'name' | 'level' | 'expected'>[]} asked Shares that are compared.
 */

/** Rows of each scenario. Answers come from the seed, so few are enough. */
const ROWS = 100

/** Confidences of the gates. Each asks for an increase. */
export const GATES = [0.8, 0.95, 0.99]

/**
 * @typedef {object} ToldByStudy
 * @property {string} scenario
 * @property {string} outcome
 * @property {Told | null} told By the manifest.
 * @property {readonly boolean[]} verdicts Of GATES.
 * @property {string} inReport Ends of the interval in the report as a table.
 */

/**
 * A sample; what the study says about how its rows were drawn; and the columns that this needs.
 *
 * @typedef {object} Panel
 * @property {import('./drawn-seed.js').Sample} sample
 * @property {string} declared
 * @property {Readonly<Record<string, ArrayLike<number>>>} columns
 */

/**
 * One study of several panels: the service starts once.
 *
 * @param {StudyLaw} law
 * @param {readonly Panel[]} panels
 * @returns {Promise<ToldByStudy[][]>} By panel.
 */
export async function toldByStudy(law, panels) {
  const folder = await mkdtemp(join(tmpdir(), 'whatif-truth-'))
  try {
    await writeFile(join(folder, 'package.json'), '{}')
    for (const [p, { sample, columns }] of panels.entries())
      await writeFile(join(folder, `panel-${p}.csv`), seedFile(law, sample, columns))
    const path = join(folder, 'told.study.yaml')
    await writeFile(path, studyText(law, panels))
    const { exitCode, message, manifest } = await runStudyFile(path, { html: false })
    if (exitCode !== 0 || manifest === null) throw new Error(`the study ended with ${exitCode}: ${message}`)
    return panels.map((_, p) => toldIn(law, manifest, p))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * @param {StudyLaw} law
 * @param {import('./drawn-seed.js').Sample} sample
 * @param {Readonly<Record<string, ArrayLike<number>>>} further
 */
function seedFile({ levers, outcomes }, sample, further) {
  const { columns, values } = columnsOf(levers, outcomes, sample)
  const head = [...columns.map(({ name }) => name), ...Object.keys(further)]
  const lines = sample.people.map((_, i) => [
    ...columns.map((column, c) => {
      const value = values[c]?.[i] ?? 0
      return 'levels' in column ? column.levels[value] : value
    }),
    ...Object.values(further).map((of) => of[i]),
  ])
  return `${[head, ...lines].map((line) => line.join(',')).join('\n')}\n`
}

/**
 * @param {StudyLaw} law
 * @param {readonly Panel[]} panels
 */
function studyText({ scenarios, asked }, panels) {
  const gates = (/** @type {number} */ p) =>
    Object.keys(scenarios).flatMap((scenario) =>
      asked.flatMap(({ name: column, level }) =>
        GATES.map((confidence) => ({ scenario: `${scenario}-${p}`, column, level, delta_min: 0, confidence })),
      ),
    )
  const conditions = (/** @type {number} */ p) =>
    [['population', {}], ...Object.entries(scenarios)].map(([id, { shares = {} }]) => [
      `${id}-${p}`,
      { dataset: `panel-${p}`, shares },
    ])
  const datasets = panels.map(({ declared }, p) => `  panel-${p}: { file: panel-${p}.csv${declared} }`)
  return `version: 1
name: told
datasets:
${datasets.join('\n')}
defaults: { rows: ${ROWS}, seed: 1 }
scenarios: ${JSON.stringify(Object.fromEntries(panels.flatMap((_, p) => conditions(p))))}
comparisons: ${JSON.stringify(
    panels.map((_, p) => ({
      id: `told-${p}`,
      scenarios: Object.keys(scenarios).map((id) => `${id}-${p}`),
      against: `population-${p}`,
      shares: asked.map(({ name }) => name),
      warn: gates(p),
    })),
  )}
`
}

/**
 * @param {StudyLaw} law
 * @param {import('../../../dist/records/manifest/manifest.js').Manifest} manifest
 * @param {number} p
 * @returns {ToldByStudy[]}
 */
function toldIn({ scenarios, asked }, manifest, p) {
  const { scenarios: compared = {}, gates = [] } = manifest.comparisons[`told-${p}`] ?? {}
  const lines = report(manifest, 'csv').split('\n')
  return Object.keys(scenarios).flatMap((scenario) =>
    asked.map(({ name, level }) => {
      const id = `${scenario}-${p}`
      const record = compared[id]?.shares[name]?.[level]
      const end = (/** @type {string} */ which) => {
        const start = `,${id},told-${p},,${name},${level},share_interval_${which},`
        return lines.find((line) => line.startsWith(start))?.slice(start.length) ?? ''
      }
      const own = gates.filter((gate) => gate.id === `delta:${id}:${name}:${level}`)
      return {
        scenario,
        outcome: name,
        told: record ? toldOf(record) : null,
        verdicts: GATES.map((of) => own.find(({ expected }) => expected.confidence === of)?.passed ?? false),
        inReport: `${end('low')} to ${end('high')}`,
      }
    }),
  )
}

/**
 * @param {import('../../../dist/records/manifest/differences.js').ShareDifference} record
 * @returns {Told | null}
 */
function toldOf({ answer, interval = null, standard_error: standardError = null, support }) {
  if (answer === undefined || interval === null || standardError === null) return null
  const { difference, degrees_of_freedom: degrees = null } = answer
  return { difference, standardError, degrees, interval, support: support === 'ok' ? 'ok' : 'thin' }
}
