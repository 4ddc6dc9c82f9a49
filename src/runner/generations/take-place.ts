import { dirname, resolve } from 'node:path'
import { removeIfThere, syncFolder } from '../../base/atomic-file.ts'
import { seedPlaces } from '../files/result-places.ts'
import { hashIfRegular } from '../files/scan-artifacts.ts'
import { WorkFailedError } from '../interface/fault-text.ts'
import type { PlannedRun } from '../session/plan-run.ts'

/**
 * Moves a finished file (`part`, absolute) to its place (`path`, relative to the anchor). An existing file stays when it
 * has the same bytes, and is replaced when this study wrote it. Any other file belongs to somebody else and is replaced
 * only with `--overwrite`.
 */
export async function takePlace(
  run: PlannedRun,
  { part, path, sha256 }: { readonly part: string; readonly path: string; readonly sha256: string },
): Promise<void> {
  const { fs } = run.env
  const target = resolve(run.places.anchor, path)
  const present = await whatIsAt(run, target)
  if (present === sha256) {
    await removeIfThere(fs, part)
  } else {
    if (present === 'folder') throw new WorkFailedError('file_exists', `${path} is a folder; move it away`)
    if (present !== 'nothing' && (await (await seedPlaces(fs, run)).has(target)))
      throw new WorkFailedError('file_exists', `${path} is a seed file of this study`)
    if (present !== 'nothing' && !run.options.overwrite && !isOurs(run, present)) {
      throw new WorkFailedError(
        'file_exists',
        `${path} exists, and this study did not write it; move it away or pass --overwrite (the service keeps the result for a while, and you will not pay for it again)`,
      )
    }
    const folder = dirname(target)
    if (folder === run.places.outputFolder) {
      await fs.rename(part, target)
    } else {
      await fs.mkdir(folder, { recursive: true })
      await fs.rename(part, target)
      await syncFolder(fs, folder)
    }
    await run.syncOutput()
  }
  // Before it is recorded: what the shared state knows of, it has.
  await run.shared?.upload(sha256, target)
  run.known.files.set(path, sha256)
  run.known.elsewhere.delete(path)
}

/** SHA-256 of a regular file, `nothing`, `folder`, or `other` for anything else (a link). */
async function whatIsAt(run: PlannedRun, path: string): Promise<string> {
  const stats = await run.env.fs.lstat(path).catch(() => null)
  if (stats === null) return 'nothing'
  if (stats.isDirectory()) return 'folder'
  return (await hashIfRegular(path, run.places, run.env, run.signal)) ?? 'other'
}

function isOurs(run: PlannedRun, sha256: string): boolean {
  for (const record of run.store.state.generations.values()) if (record.artifact?.sha256 === sha256) return true
  for (const record of run.store.state.scenarios.values()) {
    if (record.sha256 === sha256 || record.exported?.sha256 === sha256) return true
  }
  return false
}
