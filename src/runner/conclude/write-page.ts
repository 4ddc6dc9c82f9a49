import { writeAtomically } from '../../base/atomic-file.ts'
import { pagePath } from '../files/project-paths.ts'
import type { PageWriter } from '../interface/run-options.ts'
import type { OpenRun } from '../session/open-run.ts'

/** The function that makes the page of this run; null when study or options turn the page off. */
export const pageOf = ({ env, options, study }: Pick<OpenRun, 'env' | 'options' | 'study'>): PageWriter | null =>
  options.html && study.report ? (env.page ?? null) : null

/**
 * Writes `report.html` beside the manifest, with the rights of the manifest. The run still holds its lock, so page and
 * manifest belong together.
 *
 * @returns the path; null when no page is wanted.
 */
export async function writePage(
  run: OpenRun,
  manifest: { readonly text: string; readonly digest: string },
): Promise<string | null> {
  const page = pageOf(run)
  if (page === null) return null
  const text = await page.make(manifest.text, manifest.digest)
  await run.lock.assertHeld()
  const path = pagePath(run.places)
  await writeAtomically(run.env.fs, path, text)
  return path
}
