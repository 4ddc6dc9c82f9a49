import { join } from 'node:path'
import { writeAtomically } from '../../base/atomic-file.ts'
import type { Part } from '../../records/part.ts'
import { PRIVATE_FILE } from '../files/project-paths.ts'
import type { RunSoFar } from '../session/plan-run.ts'

export const PART_NAME = 'part.json'

/**
 * Writes `part.json` beside the manifest of a run of one part, while the run lock is held. With the artifacts in the same folder it is
 * all that `whatif merge` needs, so the folder can be carried to another machine. Private like the state, of which it is a copy.
 */
export async function writePart(run: RunSoFar): Promise<void> {
  const { shard } = run.study
  if (shard === undefined) return
  await run.lock.assertHeld()
  const path = join(run.places.outputFolder, PART_NAME)
  await writeAtomically(run.env.fs, path, partText(partOf(run, shard)), { mode: PRIVATE_FILE })
}

function partOf({ study, request, options, runId, store, places }: RunSoFar, shard: Part['shard']): Part {
  const { uploads, existing, generations, estimates, scenarios } = store.state
  const prefix = places.artifactPrefix
  return {
    part_version: 1,
    shard,
    study: study.name,
    service: request.service.label,
    scope: options.scope,
    trial: study.trial ?? null,
    run: runId,
    artifacts: [...scenarios.values()]
      .filter(({ path }) => path.startsWith(prefix))
      .map(({ path, sha256 }) => ({ path: path.slice(prefix.length), sha256 })),
    uploads: [...uploads.values()],
    existing: [...existing.values()],
    generations: [...generations.values()],
    estimates: [...estimates.values()],
  }
}

/** One record per line, as in the state. */
function partText(part: Part): string {
  const fields = Object.entries(part).map(([name, value]) => {
    if (!Array.isArray(value) || value.length === 0) return `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`
    return `  ${JSON.stringify(name)}: [\n${value.map((record) => `    ${JSON.stringify(record)}`).join(',\n')}\n  ]`
  })
  return `{\n${fields.join(',\n')}\n}\n`
}
