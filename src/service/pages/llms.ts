import type { Json } from '../../contract/openapi/components.ts'
import { type Document, heading, list, type Section } from './document.ts'
import { describeError, ERROR_CODES } from './error-documents.ts'
import { guide } from './guide.ts'
import type { GuideFacts } from './limits-table.ts'
import { operationSections, recordSection } from './operation-sections.ts'

/** `/llms.txt` in the format of llmstxt.org: a title, a quotation, sections of links. */
export function shortGuide({ baseUrl, authUrl }: GuideFacts): Document {
  return {
    title: 'Synthetic scenario data service',
    lead: `Upload a seed dataset, read its cleaned schema, request synthetic rows that follow a scenario, download them. Service \`${baseUrl}\`, identity provider \`${authUrl}\`.`,
    sections: [
      {
        id: 'guides',
        title: 'Guides',
        blocks: [
          list(
            '[Full guide](/llms-full.txt): the flow, every operation, field, error and limit in one text',
            '[Guide for people](/docs): the same flow as a page',
          ),
        ],
      },
      {
        id: 'contract',
        title: 'Contract',
        blocks: [
          list(
            '[OpenAPI 3.1 document](/openapi.json): operations, schemas and examples',
            '[Error catalogue](/errors): every code as JSON, or as a page for `Accept: text/html`',
          ),
        ],
      },
      {
        id: 'optional',
        title: 'Optional',
        blocks: [
          list(
            '[Interactive reference](/__docs__/): needs a browser',
            '[Health](/healthz): whether the service can work',
            ...ERROR_CODES.map((code) => `[${code}](/errors/${code}): ${describeError(code).cause}`),
          ),
        ],
      },
    ],
  }
}

/** `/llms-full.txt`: the guide, then the whole contract in words. */
export function fullGuide(facts: GuideFacts, openApi: Json): Document {
  const { title, lead, sections } = guide(facts)
  return {
    title,
    lead,
    sections: [...sections, ...operationSections(openApi), recordSection(openApi), catalogue()],
  }
}

function catalogue(): Section {
  return {
    id: 'catalogue',
    title: 'Error catalogue',
    blocks: ERROR_CODES.flatMap((code) => {
      const { status, title, cause, fix, retryable, support } = describeError(code)
      return [
        heading(code),
        list(
          `Comes ${status === null ? 'inside the `error` of a job or generation' : `with status ${status} ${title}`}`,
          `Cause: ${cause}`,
          `Fix: ${fix}`,
          `Repeat unchanged: ${retryable ? 'yes, with backoff' : 'no'}`,
          `Support: ${support}`,
        ),
      ]
    }),
  }
}
