// A plan of 10,000 scenarios.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { callBenchProgram, runNodeMeasured } from './child-process.js'
import { LAUNCHER } from './places.js'
import { limitText, megabytes, prose, seconds, table } from './report-text.js'

const ROUNDS = 3

/**
 * @param {string} tempDir
 * @returns {Promise<string[]>}
 */
export async function planSection(tempDir) {
  const folder = join(tempDir, 'study')
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{}')
  await writeFile(
    join(folder, 'panel.csv'),
    `region,intent,age,spend\n${'North,Yes,31,10\nSouth,No,48,0\n'.repeat(100)}`,
  )
  await writeFile(join(folder, 'large.study.yaml'), tenThousandScenarios())
  const study = join(folder, 'large.study.yaml')
  const wholes = []
  const inside = []
  for (let round = 0; round < ROUNDS; round++) {
    wholes.push(await runNodeMeasured([LAUNCHER, 'plan', study], { cwd: folder, tempDir }))
    inside.push(await callBenchProgram('plan-program.js', { study }))
  }
  const best = wholes.reduce((a, b) => (b.seconds < a.seconds ? b : a))
  const parts = inside.reduce((a, b) => (b.totalSeconds < a.totalSeconds ? b : a))
  const peak = Math.max(...wholes.map((whole) => whole.peakRssBytes))
  const rows = [
    ['whatif plan, whole command', seconds(best.seconds), limitText(best.seconds, 1, seconds)],
    ['peak RSS of it', megabytes(peak), limitText(peak, 250e6, megabytes)],
    ['inside: read and expand the study', seconds(parts.loadSeconds), ''],
    ['inside: plan', seconds(parts.planSeconds), ''],
    ['inside: render as text', seconds(parts.renderSeconds), ''],
  ]
  return [
    ...prose(`${parts.scenarios.toLocaleString('en')} scenarios of one matrix; the fastest of ${ROUNDS} runs.`),
    ...table(['', 'measured', 'limit'], rows),
  ]
}

/** Four axes of ten values: two of shares, two of patches. */
function tenThousandScenarios() {
  const ten = Array.from({ length: 10 }, (_, i) => i)
  const shares = ten.map((i) => `v${i}: ${(0.05 + i / 20).toFixed(2)}`).join(', ')
  const ages = ten.map((i) => `            a${i}: { ranges: { age: { min: ${18 + i}, max: ${60 + i} } } }`).join('\n')
  const spend = ten
    .map((i) => `            p${i}: { rows: ${1000 + i}, ranges: { spend: { min: ${i}, max: 90 } } }`)
    .join('\n')
  return `version: 1
name: large
datasets:
  panel: { file: panel.csv }
defaults: { rows: 1000, seed: 1 }
limits: { max_scenarios: 10000 }
scenarios:
  grid:
    matrix:
      axes:
        - { name: north, set: [shares, region, North], values: { ${shares} } }
        - { name: intent, set: [shares, intent, "Yes"], values: { ${shares} } }
        - name: ages
          values:
${ages}
        - name: spend
          values:
${spend}
`
}
