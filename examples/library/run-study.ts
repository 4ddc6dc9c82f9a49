// Runs a study and prints what came of it: each share asked for beside the share that the rows have, and the comparisons
// with the baseline. The service runs inside the program. Ctrl-C stops in order: the next run goes on from there.
//
// In a folder whose package.json has "type": "module", with whatif, typescript and @types/node installed:
//
//   npx tsc --strict --module nodenext --target es2023 --types node run-study.ts && node run-study.js data.study.yaml

import { renderDiagnostics, runStudyFile } from 'whatif'

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('name a study file')

const interruption = new AbortController()
process.once('SIGINT', () => interruption.abort())

const { exitCode, message, diagnostics, manifest, manifestPath } = await runStudyFile(path, {
  signal: interruption.signal,
  onEvent: (event) => {
    if (event.type === 'dataset.ready') console.error(`${event.dataset}: trained`)
    if (event.type === 'scenario.ready') console.error(`${event.scenario}: ${event.result.rows.counted} rows`)
  },
})

if (diagnostics.length > 0) console.error(renderDiagnostics(diagnostics, { sources: new Map(), color: false }))
if (message !== null) console.error(message)

const percent = (share: number) => `${(100 * share).toFixed(2)} %`
const points = (delta: number) => `${delta < 0 ? '' : '+'}${(100 * delta).toFixed(2)} points`

for (const [id, { rows, shares }] of Object.entries(manifest?.scenarios ?? {})) {
  console.log(`${id}: ${rows.counted ?? 0} of ${rows.requested} rows`)
  for (const [column, { levels }] of Object.entries(shares))
    for (const [level, { achieved, delta }] of Object.entries(levels))
      console.log(`  ${column} = ${level}: target ${percent(achieved - delta)}, achieved ${percent(achieved)}`)
}

for (const [name, { against, scenarios }] of Object.entries(manifest?.comparisons ?? {})) {
  console.log(`${name}, against ${against}`)
  for (const [id, { status, shares, means }] of Object.entries(scenarios)) {
    if (status !== 'compared') console.log(`  ${id}: ${status}`)
    for (const [column, levels] of Object.entries(shares))
      for (const [level, { delta }] of Object.entries(levels))
        console.log(`  ${id}: ${column} = ${level} changes by ${points(delta)}`)
    for (const [column, { delta }] of Object.entries(means))
      if (delta !== null) console.log(`  ${id}: mean of ${column} changes by ${delta}`)
  }
}

if (manifestPath !== null) console.log(`manifest: ${manifestPath}`)
process.exitCode = exitCode
