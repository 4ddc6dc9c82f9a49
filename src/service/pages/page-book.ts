import { readFile } from 'node:fs/promises'
import type { ErrorIndex } from '../../contract/errors.ts'
import type { ServiceIndex } from '../../contract/health.ts'
import { buildOpenApi } from '../../contract/openapi/openapi.ts'
import { type StaticDocument, staticDocument } from '../http/static-document.ts'
import type { Document } from './document.ts'
import { describeError, ERROR_CODES, errorDocument, errorIndex, isErrorCode } from './error-documents.ts'
import { guide } from './guide.ts'
import type { GuideFacts } from './limits-table.ts'
import { fullGuide, shortGuide } from './llms.ts'
import { linkRootOf, renderDashboardPage, renderExplorePage, renderPage, renderReferencePage } from './render-html.ts'
import { renderMarkdown } from './render-markdown.ts'
import { missingDocument, startDocument } from './start-document.ts'

const SHARED_POLICY = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const PAGE_POLICY = `default-src 'none'; style-src 'self'; img-src 'self'; ${SHARED_POLICY}`
/** swagger-ui draws its icons as data, and asks only the service itself. */
const REFERENCE_POLICY = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; ${SHARED_POLICY}`

/** They call the service's own routes and submit no form. */
const CALLING_POLICY = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; ${SHARED_POLICY}`

/** All documents of a service. Each is made at its first request, because most runs of a service never show one. */
export class PageBook {
  readonly #facts: GuideFacts
  readonly #made = new Map<string, StaticDocument>()

  constructor(facts: GuideFacts) {
    this.#facts = facts
  }

  start(): StaticDocument {
    return this.#page('/', () => startDocument(this.#facts))
  }

  index(record: ServiceIndex): StaticDocument {
    return this.#once('index', () => jsonDocument(record))
  }

  guide(): StaticDocument {
    return this.#page('/docs', () => guide(this.#facts))
  }

  errorIndex(): StaticDocument {
    return this.#page('/errors', () => errorIndex())
  }

  /** The page of a code; null if there is no such code. */
  error(code: string): StaticDocument | null {
    return isErrorCode(code) ? this.#page(`/errors/${code}`, () => errorDocument(code)) : null
  }

  /** The page for a missing address; it differs for each request. */
  missing(requestId: string): StaticDocument {
    return html(renderPage(missingDocument(requestId), this.#frame('')), PAGE_POLICY)
  }

  reference(): StaticDocument {
    return this.#once('/__docs__/', () => html(renderReferencePage(this.#frame('/__docs__/')), REFERENCE_POLICY))
  }

  dashboard(): StaticDocument {
    return this.#once('/dashboard', () => html(renderDashboardPage(this.#frame('/dashboard')), CALLING_POLICY))
  }

  explore(): StaticDocument {
    return this.#once('/explore', () => html(renderExplorePage(this.#frame('/explore')), CALLING_POLICY))
  }

  openApi(): StaticDocument {
    return this.#once('openapi', () => jsonDocument(buildOpenApi(this.#facts)))
  }

  errorIndexRecord(): StaticDocument {
    return this.#once('errors', () => jsonDocument({ errors: ERROR_CODES.map(describeError) } satisfies ErrorIndex))
  }

  errorRecord(code: string): StaticDocument | null {
    return isErrorCode(code) ? this.#once(code, () => jsonDocument(describeError(code))) : null
  }

  shortGuide(): StaticDocument {
    return this.#once('short', () => textDocument(renderMarkdown(shortGuide(this.#facts), this.#facts.baseUrl)))
  }

  fullGuide(): StaticDocument {
    return this.#once('full', () =>
      textDocument(renderMarkdown(fullGuide(this.#facts, buildOpenApi(this.#facts)), this.#facts.baseUrl)),
    )
  }

  /** A file that pages refer to; null if there is none with this name. */
  async asset(name: string): Promise<StaticDocument | null> {
    const known = this.#made.get(`asset ${name}`)
    if (known !== undefined) return known
    const asset = await readPageAsset(name)
    if (asset !== null) this.#made.set(`asset ${name}`, asset)
    return asset
  }

  #page(path: string, make: () => Document): StaticDocument {
    return this.#once(path, () => html(renderPage(make(), this.#frame(path)), PAGE_POLICY))
  }

  #frame(path: string) {
    return { linkRoot: linkRootOf(this.#facts.baseUrl), path, version: this.#facts.version }
  }

  #once(name: string, make: () => StaticDocument): StaticDocument {
    const known = this.#made.get(name)
    if (known !== undefined) return known
    const made = make()
    this.#made.set(name, made)
    return made
  }
}

function html(page: string, policy: string): StaticDocument {
  return staticDocument('text/html; charset=utf-8', page, {
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
  })
}

function jsonDocument(value: unknown): StaticDocument {
  return staticDocument('application/json; charset=utf-8', JSON.stringify(value, null, 2))
}

function textDocument(words: string): StaticDocument {
  return staticDocument('text/plain; charset=utf-8', words)
}

/** Made by `npm run build`, even for a service that runs from source. */
const FOLDER = new URL('../../../dist/service/pages/assets/', import.meta.url)

/** Every file that pages refer to; `scripts/copy-page-assets.js` copies the same list into the folder. */
const CONTENT_TYPES = new Map([
  ['frame.css', 'text/css; charset=utf-8'],
  ['pages.css', 'text/css; charset=utf-8'],
  ['dashboard.css', 'text/css; charset=utf-8'],
  ['dashboard.js', 'text/javascript; charset=utf-8'],
  ['explore.css', 'text/css; charset=utf-8'],
  ['explore.js', 'text/javascript; charset=utf-8'],
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
async function readPageAsset(name: string): Promise<StaticDocument | null> {
  const contentType = CONTENT_TYPES.get(name)
  if (contentType === undefined) return null
  try {
    return staticDocument(contentType, await readFile(new URL(name, FOLDER)))
  } catch (error) {
    throw new Error(`The page asset ${name} cannot be read. Run npm run build.`, { cause: error })
  }
}
