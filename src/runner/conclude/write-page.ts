import { dropPrototypes } from '../../answers/manifest/drop-prototypes.ts'
import { writeAtomically } from '../../base/atomic-file.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import { pagePath } from '../files/project-paths.ts'
import type { OpenRun } from '../session/open-run.ts'

/** Whether this run writes a page: neither the study nor the options turn it off, and the results are not those of a part. */
export const hasPage = ({ options, study }: Pick<OpenRun, 'options' | 'study'>): boolean =>
  options.html && study.report && study.shard === undefined

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
  if (!hasPage(run)) return null
  const text = await makePage(manifest.text, manifest.digest)
  await run.lock.assertHeld()
  const path = pagePath(run.places)
  await writeAtomically(run.env.fs, path, text)
  return path
}

/**
 * The page that `parseManifest` and `reportHtml` make. The manifest is the run's own and needs no check. The code of the
 * page is loaded here, because most commands need none of it.
 */
async function makePage(manifestText: string, digest: string): Promise<string> {
  const { reportHtml } = await import('../../report/html/page/page.ts')
  const manifest = JSON.parse(manifestText) as Manifest
  dropPrototypes(manifest)
  return reportHtml({ manifest, digest })
}
