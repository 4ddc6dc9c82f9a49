import { code, type Document, list, text } from './document.ts'
import type { GuideFacts } from './limits-table.ts'

/** `/` for people. */
export function startDocument({ baseUrl, version }: GuideFacts): Document {
  return {
    title: 'Synthetic scenario data service',
    lead: 'Synthetic rows that follow a stated scenario: upload a dataset, read its cleaned schema, ask for generations.',
    sections: [
      {
        id: 'documents',
        title: 'Where things are',
        blocks: [
          list(
            '[Guide](/docs): what the service does, and the way from signup to a file of rows.',
            '[Reference](/__docs__/): every operation, to try out.',
            '[Errors](/errors): cause and fix of every code.',
            '[OpenAPI document](/openapi.json): the contract, for generators of clients.',
            '[llms.txt](/llms.txt) and [llms-full.txt](/llms-full.txt): the guide for programs.',
            '[Health](/healthz)',
          ),
        ],
      },
      {
        id: 'access',
        title: 'Access',
        blocks: [
          text('Access begins with a request, which the operator of this service approves:'),
          code(
            'sh',
            `
curl -sS ${baseUrl}/v1/signup -H 'Content-Type: application/json' \\
  -d '{"company_name": "…", "contact_email": "…"}'`,
          ),
          text(`This is version \`${version}\` of the whatif service.`),
        ],
      },
    ],
  }
}

/** In place of a page that is not there. */
export function missingDocument(requestId: string): Document {
  return {
    title: 'There is no such page',
    lead: 'Nothing is at this address of the service. It may be misspelt.',
    sections: [
      {
        id: 'documents',
        title: 'Where things are',
        blocks: [
          list(
            '[Start](/): what this service is, and how to ask for access.',
            '[Guide](/docs): the way from signup to a file of rows.',
            '[Reference](/__docs__/): every operation, to try out.',
            '[Errors](/errors): cause and fix of every code.',
          ),
          text(`This request is \`${requestId}\`. Name it if you ask the operator of the service about it.`),
        ],
      },
    ],
  }
}
