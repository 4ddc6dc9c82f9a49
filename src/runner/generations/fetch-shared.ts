import { dirname, resolve } from 'node:path'
import pLimit from 'p-limit'
import { removeIfThere } from '../../base/atomic-file.ts'
import { artifactPath, exportedPath } from '../files/project-paths.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import { WorkFailedError } from '../interface/fault-text.ts'
import { selectScenarios } from '../plan/select-scenarios.ts'
import { lastStatuses } from '../plan/state-index.ts'
import type { OpenRun } from '../session/open-run.ts'
import type { PlannedRun } from '../session/plan-run.ts'

/** Files that are downloaded at once. */
const AT_ONCE = 8

/**
 * Counts the results that the shared state has, and this disk has not, as being in their places: most runs only need to know of them.
 * `bringHere` fetches those that are really read.
 */
export function knowShared({ shared, store, known }: OpenRun): void {
  if (shared === null) return
  for (const { path, sha256, exported } of store.state.scenarios.values())
    for (const file of [{ path, sha256 }, ...(exported === undefined ? [] : [exported])])
      if (!known.files.has(file.path)) {
        known.files.set(file.path, file.sha256)
        known.elsewhere.set(file.path, file.sha256)
      }
}

/** Puts the results on this disk into a shared state that had nothing before. */
export async function shareWhatIsHere({ shared, store, known, places }: OpenRun): Promise<void> {
  if (shared === null || !shared.isNew) return
  for (const { path, sha256, exported } of store.state.scenarios.values())
    for (const file of [{ path, sha256 }, ...(exported === undefined ? [] : [exported])])
      if (known.files.get(file.path) === file.sha256)
        await shared.upload(file.sha256, resolve(places.anchor, file.path))
}

/**
 * Fetches a file that is only in the shared state to its place. `path` is relative to the anchor, and a place of this run: a path from
 * the state was written by another machine, and could lead anywhere.
 */
export async function bringHere(run: OpenRun, path: string): Promise<void> {
  const { known, places, env } = run
  if (!known.elsewhere.has(path)) return
  const target = resolve(places.anchor, path)
  const part = `${target}.part`
  await removeIfThere(env.fs, part)
  await env.fs.mkdir(dirname(target), { recursive: true })
  await fetchShared(run, path, part)
  await env.fs.rename(part, target)
  known.elsewhere.delete(path)
}

/** Writes a file that is only in the shared state, known there as `path`, to the new file `target`. */
export async function fetchShared({ shared, known }: OpenRun, path: string, target: string): Promise<void> {
  const found = (await shared?.download(known.elsewhere.get(path) ?? '', target)) ?? 'absent'
  if (found === 'whole') return
  const what =
    found === 'damaged' ? 'has other bytes than its SHA-256 says, so it is not used' : 'is not there any more'
  throw new WorkFailedError(
    'artifact_damaged',
    `${path}: its copy in the shared state ${what}; run with --force for this scenario to make it again`,
  )
}

/** A file that is no longer counted as a result. */
export function forget({ known }: OpenRun, path: string): void {
  known.files.delete(path)
  known.elsewhere.delete(path)
}

/** The scenario has ended well, so the fault is one of the run. */
function asRefusal(error: unknown): never {
  throw error instanceof WorkFailedError
    ? new RunRefusalError('failed', 'artifact_damaged', error.message, { cause: error })
    : error
}

/** `--download`: brings the results of the scenarios that it names to their places on this disk. */
export async function downloadAsked(run: PlannedRun): Promise<void> {
  const { download } = run.options
  if (download === null || run.shared === null) return
  const { ids } = selectScenarios(run.study, download, lastStatuses(run.store.state, run.options.scope))
  const limit = pLimit(AT_ONCE)
  await Promise.all(
    run.study.scenarios
      .filter(({ id }) => ids.has(id))
      .map((scenario) =>
        limit(async () => {
          const exported = exportedPath(run.places, scenario)
          await bringHere(run, artifactPath(run.places, scenario)).catch(asRefusal)
          if (exported !== null) await bringHere(run, exported).catch(asRefusal)
        }),
      ),
  )
}
