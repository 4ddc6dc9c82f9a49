import { readFile } from 'node:fs/promises'
import { type StaticDocument, staticDocument } from '../http/static-document.ts'

/** Made by `npm run build`, also for a service that runs from source. */
const FOLDER = new URL('../../../dist/service/pages/assets/', import.meta.url)

/** Every file that pages refer to; `scripts/copy-page-assets.js` puts the same into the folder. */
const CONTENT_TYPES = new Map([
  ['frame.css', 'text/css; charset=utf-8'],
  ['pages.css', 'text/css; charset=utf-8'],
  ['dashboard.css', 'text/css; charset=utf-8'],
  ['dashboard.js', 'text/javascript; charset=utf-8'],
  ['icon.svg', 'image/svg+xml'],
  ['reference.css', 'text/css; charset=utf-8'],
  ['reference.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui-bundle.js.LICENSE.txt', 'text/plain; charset=utf-8'],
  ['swagger-ui.LICENSE.txt', 'text/plain; charset=utf-8'],
  ['swagger-ui.NOTICE.txt', 'text/plain; charset=utf-8'],
])

export const PAGE_ASSETS: readonly string[] = [...CONTENT_TYPES.keys()]

/** Reads one of `PAGE_ASSETS`; null for any other name. */
export async function readPageAsset(name: string): Promise<StaticDocument | null> {
  const contentType = CONTENT_TYPES.get(name)
  if (contentType === undefined) return null
  try {
    return staticDocument(contentType, await readFile(new URL(name, FOLDER)))
  } catch (error) {
    throw new Error(`The page asset ${name} cannot be read. Run npm run build.`, { cause: error })
  }
}
