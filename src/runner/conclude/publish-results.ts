import { recordPath, resultPaths } from '../files/project-paths.ts'
import type { OpenRun } from '../session/open-run.ts'

/** Keeps the record of a run in the state that several machines share, where it is read by `whatif status`. */
export async function publishRun({ shared, lock, runId }: OpenRun, text: string): Promise<void> {
  if (shared === null) return
  await lock.assertHeld()
  await shared.publish(`runs/${runId}.json`, text)
}

/** Keeps manifest, page and record beside it, under the names that they have in the output folder. */
export async function publishResults(run: OpenRun, reportPath: string | null): Promise<void> {
  const { shared, lock, env, places, runId } = run
  if (shared === null) return
  const files = { 'manifest.json': resultPaths(places, runId).manifest, 'run-record.json': recordPath(places) }
  for (const [name, path] of Object.entries({ ...files, ...(reportPath !== null && { 'report.html': reportPath }) })) {
    const text = await env.fs.readFile(path, 'utf8')
    await lock.assertHeld()
    await shared.publish(name, text)
  }
}
