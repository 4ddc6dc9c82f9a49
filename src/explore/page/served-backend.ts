import type { ServiceClient } from '../../client/service-client.ts'
import type { AnyDatasetSchema } from '../../contract/datasets.ts'
import { ask } from '../ask.ts'
import { whatIsNeeded, whatMatters } from '../ask-backwards.ts'
import type { Explored } from '../explored.ts'
import { exploredDataset } from '../explored-dataset.ts'
import { scenarioLines } from '../keep/scenario-lines.ts'
import { movedBesides } from '../moved-besides.ts'
import { naturalCells } from '../natural-cells.ts'
import type {
  BesidesQuestion,
  CellsQuestion,
  Draft,
  ExploredDataset,
  KeptScenarios,
  MattersQuestion,
  NeededQuestion,
  Question,
} from '../wire/messages.ts'
import type { Backend } from './backend.ts'

/** A request to the service with the token of a tenant. Rejects with what its problem record says. */
export type Request = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<unknown>

/** The service's root is where this page lies. */
export const requestWith =
  (token: string, root: URL): Request =>
  async (method, path, body) => {
    const response = await fetch(new URL(path, root), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new Error('The service does not answer. The next move asks again.')
    })
    const value = await response.json().catch(() => ({}))
    if (response.ok) return value
    const {
      title = '',
      detail = '',
      request_id: id,
    } = value as { title?: string; detail?: string; request_id?: string }
    const said = [title, detail].filter((text) => text !== '').join(': ') || `answered with ${response.status}`
    throw new Error(id === undefined ? said : `${said} (request ${id})`)
  }

/**
 * A service of a team. Its estimates become words in the browser, by the code with which `whatif explore` makes them: the service
 * itself knows no report. Nothing can be written or run from here, so that scenarios are shown to be copied.
 */
export async function servedBackend(
  datasetId: string,
  request: Request,
): Promise<{ readonly backend: Backend; readonly dataset: ExploredDataset }> {
  const path = `v1/datasets/${encodeURIComponent(datasetId)}`
  const [record, { schema }] = (await Promise.all([request('GET', path), request('GET', `${path}/schema`)])) as [
    { display_name?: string; cleaning_summary?: { clean_rows?: number } },
    AnyDatasetSchema,
  ]
  const name = record.display_name ?? datasetId
  const client = {
    estimateDifferences: async (post: { readonly request: unknown }) => ({
      value: await request('POST', `${path}/estimates`, post.request),
      requestId: null,
    }),
  } as unknown as ServiceClient
  const explored: Explored = { name, study: null, datasetId, schema, client, call: () => ({}) }
  const answers: Readonly<Record<string, (body: never) => unknown>> = {
    '/answers': (body: Question) => ask(explored, body),
    '/besides': (body: BesidesQuestion) => movedBesides(explored, body),
    '/cells': (body: CellsQuestion) => naturalCells(explored, body),
    '/matters': (body: MattersQuestion) => whatMatters(explored, body),
    '/needed': (body: NeededQuestion) => whatIsNeeded(explored, body),
    '/draft': draftOf,
  }
  const at = `dataset=${encodeURIComponent(datasetId)}&`
  return {
    backend: {
      send: async (one, body) => await answers[one]?.(body as never),
      address: at,
      link: at,
    },
    dataset: exploredDataset(name, null, record.cleaning_summary?.clean_rows ?? null, schema, null),
  }
}

function draftOf({ scenarios }: KeptScenarios): Draft {
  const lines = scenarios.flatMap(({ id, conditions }) => scenarioLines(id, conditions, null))
  return { kind: 'draft', text: lines.map((line) => `  ${line}`).join('\n'), file: '', isNew: false, onto: '' }
}
